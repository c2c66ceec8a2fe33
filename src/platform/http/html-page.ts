import { hash } from 'node:crypto';
import { escapeHtml } from './escape-html.js';

/** What a page may load beside itself, by the directive of its Content-Security-Policy. */
export type PageSources = Readonly<Record<`${string}-src`, string>>;

/** The Content-Security-Policy of a page: nothing but `sources` is loaded or run, nothing is sent by a form, and no other page frames it. */
export function contentPolicy(sources: PageSources): string {
  const allowed = Object.entries(sources).map(([directive, source]) => `${directive} ${source}`);
  return ["default-src 'none'", ...allowed, "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"].join(
    '; ',
  );
}

/** A style or script of a page as its {@link contentPolicy} allows it: by its SHA-256. */
export const contentHash = (content: string): string => `'sha256-${hash('sha256', content, 'base64')}'`;

/** A browser asks for no icon then. */
const NO_ICON = '<link rel="icon" href="data:,">';

/**
 * A page of the service for people.
 * @param title not escaped yet; `style`, `body` and what else is in the `head` are HTML and CSS
 */
export function htmlPage(page: {
  readonly title: string;
  readonly head?: string;
  readonly style: string;
  readonly body: string;
}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}</title>
${page.head ?? NO_ICON}
<style>${page.style}</style>
</head>
<body>
${page.body}
</body>
</html>
`;
}
