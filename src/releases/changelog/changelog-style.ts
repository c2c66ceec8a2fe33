import { HOUSE_STYLE } from '../../platform/http/replies/house-style.js';

/**
 * Style of the changelog: a column of about 66 characters in a serif font, with version and date in the margin if there is room. The
 * colors of its kinds have a contrast of at least 4.5 to 1 too.
 */
export const CHANGELOG_STYLE = `${HOUSE_STYLE}
:root { --added: #1d6b45; --changed: #24599a; --deprecated: #865300; --removed: #9c3328; --fixed: #67479b; --security: #a3245f; }
@media (prefers-color-scheme: dark) {
  :root { --added: #7fd0a0; --changed: #8db9ef; --deprecated: #e0b062; --removed: #ee9a8d; --fixed: #c0a5ee; --security: #f096be; }
}
body {
  max-width: 58rem; padding: clamp(2rem, 6vw, 5rem) clamp(1.25rem, 5vw, 3rem) 5rem;
  font: 1.0625rem/1.6 ui-serif, Charter, "Bitstream Charter", "Source Serif 4", Cambria, Georgia, serif;
  font-kerning: normal; hanging-punctuation: first last;
}
.product, .when, h3, nav { font-family: var(--sans); }
.product { margin: 0; font-size: .875rem; letter-spacing: .02em; }
.product a { color: var(--soft); text-decoration: none; }
h1, h2, h3 { line-height: 1.2; }
h1 { margin: .2em 0 .3em; font-size: clamp(2.2rem, 5vw, 3rem); font-weight: 600; letter-spacing: -.015em; }
.lead { margin: 0 0 3.5rem; max-width: 34rem; color: var(--soft); }
article { display: grid; gap: .75rem 3rem; padding: 2.25rem 0 2.5rem; border-top: 1px solid var(--line); scroll-margin-top: 1rem; }
.when { display: flex; flex-wrap: wrap; gap: .25rem .9rem; align-items: baseline; font-size: .875rem; }
.when time { color: var(--soft); }
.version {
  padding: .1em .55em; border-radius: .4em; background: var(--tint); color: var(--ink);
  font-weight: 600; font-variant-numeric: tabular-nums; text-decoration: none;
}
article:target .version { outline: 2px solid var(--link); }
.what { max-width: 38rem; min-width: 0; }
.what h2 { margin: 0 0 .5em; font-size: 1.5rem; font-weight: 600; letter-spacing: -.005em; }
.notes > :first-child { margin-top: 0; }
.notes p { margin: 0 0 .8em; }
.notes :is(h1, h2, h3, h4, h5, h6) { margin: 1.4em 0 .4em; font: inherit; font-weight: 600; }
section { margin-top: 1.6rem; }
section h3 { margin: 0 0 .5rem; font-size: .8125rem; font-weight: 650; letter-spacing: .03em; }
.added h3 { color: var(--added); } .changed h3 { color: var(--changed); } .deprecated h3 { color: var(--deprecated); }
.removed h3 { color: var(--removed); } .fixed h3 { color: var(--fixed); } .security h3 { color: var(--security); }
ul, ol { margin: 0; padding-left: 1.2em; }
li { margin: .35em 0; padding-left: .15em; }
li > p { margin: .35em 0; }
pre { margin: 1em 0; }
table { display: block; overflow-x: auto; border-collapse: collapse; font-size: .95em; }
th, td { padding: .3em .8em .3em 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
hr { border: 0; border-top: 1px solid var(--line); }
nav, .empty { padding-top: 2rem; border-top: 1px solid var(--line); }
@media (min-width: 50rem) {
  article { grid-template-columns: 9rem minmax(0, 1fr); }
  .when { flex-direction: column; align-items: flex-start; padding-top: .3rem; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  nav { display: none; }
  section { break-inside: avoid; }
}
`;
