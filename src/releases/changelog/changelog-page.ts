import { escapeHtml } from '../../platform/http/replies/escape-html.js';
import { contentHash, contentPolicy, htmlPage } from '../../platform/http/replies/html-page.js';
import { type CursorPosition, encodeCursor } from '../../platform/http/pagination.js';
import { dayInWords } from '../../platform/in-words.js';
import type { ReleaseBody } from '../dto/replies.dto.js';
import { CHANGELOG_STYLE } from './changelog-style.js';
import { FEED_TITLE } from './feeds.js';
import { groupEntries, KIND_LABELS, rememberedHtml } from './release-content.js';

/** Nothing is loaded, run, submitted or framed: the page consists of its text, its style sheet and its icon. */
export const CHANGELOG_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': contentPolicy({ 'style-src': contentHash(CHANGELOG_STYLE), 'img-src': 'data:' }),
  'referrer-policy': 'no-referrer',
};

const ICON =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M1 12l5-5 3 3 6-7" fill="none" stroke="#2f6f5e" stroke-width="2.4"/></svg>',
  );

/** A page of the changelog as HTML, for people. Its links are relative, since PUBLIC_URL may have a path. */
export function changelogPage(releases: readonly ReleaseBody[], next: CursorPosition | undefined): string {
  const older =
    next === undefined
      ? ''
      : `<nav><a rel="next" href="changelog?cursor=${encodeCursor(next)}">Older releases</a></nav>`;
  const content = releases.length === 0 ? '<p class="empty">No release yet.</p>' : releases.map(article).join('\n');
  return htmlPage({
    title: 'Changelog · Demand forecasting service',
    head: `<meta name="color-scheme" content="light dark">
<link rel="icon" href="${ICON}">
<link rel="alternate" type="application/atom+xml" title="${FEED_TITLE}" href="changelog.atom">
<link rel="alternate" type="application/feed+json" title="${FEED_TITLE}" href="changelog.json">`,
    style: CHANGELOG_STYLE,
    body: `<header>
<p class="product"><a href="./">Demand forecasting service</a></p>
<h1>Changelog</h1>
<p class="lead">What changed, release by release. Follow it by <a href="changelog.atom">Atom</a> or <a href="changelog.json">JSON Feed</a>.</p>
</header>
<main>
${content}
</main>
${older}`,
  });
}

function article(release: ReleaseBody): string {
  const version = escapeHtml(release.version);
  const day = dayInWords(new Date(`${release.released_on}T00:00:00Z`));
  return `<article id="v${version}">
<div class="when"><a class="version" href="#v${version}">${version}</a><time datetime="${release.released_on}">${day}</time></div>
<div class="what">
<h2>${escapeHtml(release.title)}</h2>
<div class="notes">${rememberedHtml(release.notes)}</div>
${changes(release)}
</div>
</article>`;
}

function changes(release: ReleaseBody): string {
  return groupEntries(release)
    .map(
      ({ kind, items }) =>
        `<section class="${kind}"><h3>${KIND_LABELS[kind]}</h3><ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul></section>`,
    )
    .join('\n');
}
