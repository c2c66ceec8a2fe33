import { escapeHtml } from '../../platform/http/replies/escape-html.js';
import { contentHash, contentPolicy, htmlPage } from '../../platform/http/replies/html-page.js';
import { GUIDE_STYLE } from './guide-style.js';
import { GUIDE_NAMES, GUIDES } from './guide-list.js';
import { type GuideSection, readGuide, titleOf } from './read-guide.js';

/** Guides have no script. */
export const GUIDE_POLICY = contentPolicy({ 'style-src': contentHash(GUIDE_STYLE), 'img-src': 'data:' });

/** The page of a guide, with links to all others; undefined if there is none of that name. */
export function guidePage(name: string): string | undefined {
  const root = '../'.repeat(name.split('/').length + 1);
  const guide = readGuide(name, root);
  if (guide === undefined) return undefined;
  const content = `<div class="columns">
<nav class="all" aria-label="All guides">
<a class="skip" href="#guide">Skip the list of guides</a>
${allGuides(root, name, guide.sections)}
</nav>
<main id="guide" tabindex="-1">
${guide.html}
${neighbors(root, name)}
</main>
</div>`;
  return pageOf(guide.title, content, root);
}

/**
 * The page that lists all guides.
 * @param root the root of the service, relative to the page
 */
export function guidesPage(root: '../' | '../../'): string {
  const groups = GUIDES.map(({ title, guides }) => {
    const items = guides.map(({ name, about }) => `<dt>${guideLink(root, name)}</dt><dd>${escapeHtml(about)}</dd>`);
    return `<h2>${title}</h2>\n<dl>\n${items.join('\n')}\n</dl>`;
  });
  return pageOf('Guides', `<main>\n<h1>Guides</h1>\n${groups.join('\n')}\n</main>`, root);
}

/** Lists of all guides, group by group, with the sections of the current one. */
function allGuides(root: string, current: string, sections: readonly GuideSection[]): string {
  const itemOf = (name: string): string =>
    name === current
      ? `<li>${guideLink(root, name, ' aria-current="page"')}${sectionList(sections)}</li>`
      : `<li>${guideLink(root, name)}</li>`;
  return GUIDES.map(
    ({ title, guides }) => `<p>${title}</p>\n<ul>${guides.map(({ name }) => itemOf(name)).join('\n')}</ul>`,
  ).join('\n');
}

function sectionList(sections: readonly GuideSection[]): string {
  if (sections.length === 0) return '';
  const items = sections.map(({ title, anchor }) => `<li><a href="#${anchor}">${escapeHtml(title)}</a></li>`);
  return `<ul>${items.join('')}</ul>`;
}

/** Links to the guides before and after one, in reading order. */
function neighbors(root: string, name: string): string {
  const at = GUIDE_NAMES.indexOf(name);
  const before = at === 0 ? '' : `<span>Before: ${guideLink(root, GUIDE_NAMES[at - 1]!, ' rel="prev"')}</span>`;
  const next = GUIDE_NAMES[at + 1];
  const after = next === undefined ? '' : `<span>Next: ${guideLink(root, next, ' rel="next"')}</span>`;
  return `<nav class="turn" aria-label="In reading order">${before}${after}</nav>`;
}

const guideLink = (root: string, name: string, attributes = ''): string =>
  `<a href="${root}docs/guides/${name}"${attributes}>${escapeHtml(titleOf(name))}</a>`;

const pageOf = (title: string, content: string, root: string): string =>
  htmlPage({
    title: `${title}: Demand forecasting service`,
    style: GUIDE_STYLE,
    body: `<header>
<a href="${root}">Demand forecasting service</a>
<nav aria-label="Documentation"><a href="${root}docs/guides">Guides</a><a href="${root}docs">API reference</a><a href="${root}openapi.json">OpenAPI document</a><a href="${root}changelog">Changelog</a></nav>
</header>
${content}`,
  });
