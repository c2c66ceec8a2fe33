/**
 * Style of the changelog: a column of about 66 characters, version and date in the margin if there is room, system fonts. Both
 * color schemes have a contrast of at least 4.5 to 1 (WCAG 2.2, AA).
 */
export const CHANGELOG_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fcfbf8; --ink: #1f2421; --soft: #5d6660; --line: #e2e0d8; --tint: #f1efe8; --link: #1d5c4b;
  --added: #1d6b45; --changed: #24599a; --deprecated: #865300; --removed: #9c3328; --fixed: #67479b; --security: #a3245f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #151917; --ink: #e4e7e3; --soft: #9ba59e; --line: #2d3430; --tint: #1f2522; --link: #84cdb5;
    --added: #7fd0a0; --changed: #8db9ef; --deprecated: #e0b062; --removed: #ee9a8d; --fixed: #c0a5ee; --security: #f096be;
  }
}
* { box-sizing: border-box; }
html { text-size-adjust: 100%; scroll-behavior: smooth; }
body {
  margin: 0 auto; max-width: 58rem; padding: clamp(2rem, 6vw, 5rem) clamp(1.25rem, 5vw, 3rem) 5rem;
  background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.6 ui-serif, Charter, "Bitstream Charter", "Source Serif 4", Cambria, Georgia, serif;
  font-kerning: normal; hanging-punctuation: first last; overflow-wrap: break-word; text-wrap: pretty;
}
a { color: var(--link); text-underline-offset: .18em; text-decoration-thickness: from-font; }
a:hover { text-decoration-thickness: .12em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 3px; border-radius: 2px; }
.product, .when, h3, nav, code { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
.product { margin: 0; color: var(--soft); font-size: .875rem; letter-spacing: .02em; }
h1, h2, h3 { line-height: 1.2; text-wrap: balance; }
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
li::marker { color: var(--soft); }
li > p { margin: .35em 0; }
code { padding: .1em .3em; border-radius: .25em; background: var(--tint); font: .86em/1.4 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
pre { margin: 1em 0; padding: .9em 1em; overflow-x: auto; border-radius: .4em; background: var(--tint); }
pre code { padding: 0; background: none; }
blockquote { margin: 1em 0; padding-left: 1em; border-left: 3px solid var(--line); color: var(--soft); }
table { display: block; overflow-x: auto; border-collapse: collapse; font-size: .95em; }
th, td { padding: .3em .8em .3em 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
hr { border: 0; border-top: 1px solid var(--line); }
nav, .empty { padding-top: 2rem; border-top: 1px solid var(--line); }
@media (min-width: 50rem) {
  article { grid-template-columns: 9rem minmax(0, 1fr); }
  .when { flex-direction: column; align-items: flex-start; padding-top: .3rem; }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
@media print {
  body { max-width: none; padding: 0; font-size: 10.5pt; background: none; }
  nav { display: none; }
  section { break-inside: avoid; }
}
`;
