import { hash } from 'node:crypto';
import { escapeHtml } from './escape-html.js';

/** What a page may load, by directive of its Content-Security-Policy. */
export type PageSources = Readonly<Record<`${string}-src`, string>>;

/** The Content-Security-Policy of a page: it loads and runs nothing but `sources`, submits no form and cannot be framed. */
export function contentPolicy(sources: PageSources): string {
  const allowed = Object.entries(sources).map(([directive, source]) => `${directive} ${source}`);
  return ["default-src 'none'", ...allowed, "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"].join(
    '; ',
  );
}

/** The source expression that allows a style or script in a {@link contentPolicy}: its SHA-256. */
export const contentHash = (content: string): string => `'sha256-${hash('sha256', content, 'base64')}'`;

/** Keeps browsers from requesting an icon. */
const NO_ICON = '<link rel="icon" href="data:,">';

/**
 * An HTML page of the service.
 * @param title not yet escaped; `style`, `body` and the rest of the `head` are HTML and CSS
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
