import { escapeHtml } from '../../platform/http/replies/escape-html.js';
import { contentHash, contentPolicy, htmlPage } from '../../platform/http/replies/html-page.js';
import { GUIDES, readGuide, titleOf } from './guides.js';

const STYLE = `
:root { color-scheme: light dark; }
body { max-width: 56rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; padding: .75rem 0; border-bottom: 1px solid; }
h1 { line-height: 1.25; } h2 { margin-top: 2.5rem; } h1, h2, h3, h4 { scroll-margin-top: 1rem; overflow-wrap: anywhere; }
pre, .wide { overflow-x: auto; overflow-wrap: normal; }
pre { padding: .75rem 1rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .375rem; line-height: 1.45; }
code { font: .9em ui-monospace, monospace; }
table { border-collapse: collapse; } th, td { padding: .375rem .75rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); text-align: left; vertical-align: top; }
td { min-width: 6rem; }
`;

/** Guides have no script. */
export const GUIDE_POLICY = contentPolicy({ 'style-src': contentHash(STYLE), 'img-src': 'data:' });

/** The page of a guide; undefined if there is none of that name. */
export function guidePage(name: string): string | undefined {
  const root = '../'.repeat(name.split('/').length + 1);
  const guide = readGuide(name, root);
  return guide && pageOf(guide.title, guide.html, root);
}

/**
 * The page that lists all guides.
 * @param root the root of the service, relative to the page
 */
export function guidesPage(root: '../' | '../../'): string {
  const groups = GUIDES.map(({ title, names }) => {
    const items = names.map((name) => `<li><a href="${root}docs/guides/${name}">${escapeHtml(titleOf(name))}</a></li>`);
    return `<h2>${title}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
  });
  return pageOf('Guides', `<h1>Guides</h1>\n${groups.join('\n')}`, root);
}

const pageOf = (title: string, html: string, root: string): string =>
  htmlPage({
    title: `${title}: Demand forecasting service`,
    style: STYLE,
    body: `<nav aria-label="Documentation"><a href="${root}docs/guides">Guides</a><a href="${root}docs">API reference</a><a href="${root}openapi.json">OpenAPI document</a></nav>
<main>
${html}
</main>`,
  });
