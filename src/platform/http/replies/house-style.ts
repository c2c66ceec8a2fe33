/**
 * What the pages of the service have in common: colors with a contrast of at least 4.5 to 1 (WCAG 2.2, AA) in both color schemes,
 * system fonts, links, focus and code. A page adds its own style after it.
 */
export const HOUSE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fcfbf8; --ink: #1f2421; --soft: #5d6660; --line: #e2e0d8; --edge: #8b948e; --tint: #f1efe8; --link: #1d5c4b; --on: #fff;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root { --paper: #151917; --ink: #e4e7e3; --soft: #9ba59e; --line: #2d3430; --edge: #6b756f; --tint: #1f2522; --link: #84cdb5; --on: #151917; }
}
* { box-sizing: border-box; }
html { text-size-adjust: 100%; scroll-behavior: smooth; }
body { margin: 0 auto; background: var(--paper); color: var(--ink); font: 1rem/1.6 var(--sans); overflow-wrap: break-word; text-wrap: pretty; }
h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; }
a { color: var(--link); text-underline-offset: .18em; text-decoration-thickness: from-font; }
a:hover { text-decoration-thickness: .12em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 3px; border-radius: 2px; }
li::marker { color: var(--soft); }
code { padding: .1em .3em; border-radius: .25em; background: var(--tint); font: .86em/1.4 var(--mono); }
pre { padding: .9em 1em; overflow-x: auto; border-radius: .4em; background: var(--tint); }
pre code { padding: 0; background: none; }
blockquote { margin: 1em 0; padding-left: 1em; border-left: 3px solid var(--line); color: var(--soft); }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
@media print { body { background: none; } }
`;
