/**
 * Overrides Swagger UI's own style, whose colors suit buttons and badges rather than the text on them. Text has a contrast of at
 * least 4.5 to 1 (WCAG 2.2, AA) in both color schemes, and nothing is wider than a phone. Hidden: the URL field for another
 * document, the choice among servers, of which there is one, links between operations, of which there are none, and a link to the
 * license, which is not a public one and has no page.
 */
export const DOCS_STYLE = `
body { margin: 0; background: #fafafa; }
@media (prefers-color-scheme: dark) { body:has(#reference:empty) { background: #1c2022; } }
.swagger-ui :is(.topbar .download-url-wrapper, .servers-title, .servers, .response-col_links, .info__license) { display: none; }
.swagger-ui .opblock .opblock-summary-method { color: #000; text-shadow: none; }
.swagger-ui .info .title small pre { color: #000; }
html:not(.dark-mode) .swagger-ui {
  .info .title small, .info .title small.version-stamp { background: #b9d97a; }
  .info a { color: #1d62b8; }
  .btn.authorize { border-color: #1a7a4f; color: #1a7a4f; }
  .btn.authorize svg { fill: #1a7a4f; }
  .btn.execute { background: #1f69c0; border-color: #1f69c0; }
  .btn.cancel { border-color: #c62828; color: #c62828; }
  .parameter__in { color: #595959; }
  .download-contents { background: #5c6172; }
  .json-schema-2020-12-expand-deep-button { color: #595959; }
}
html.dark-mode .swagger-ui {
  .info .title small, .info .title small.version-stamp { background: #8fce6a; }
  .btn.execute { background: #62a8ea; color: #000; }
  .btn.cancel, .opblock .opblock-section-header .try-out__btn.cancel { border-color: #ff9b9b; color: #ff9b9b; }
  .headers :is(.header-col, th) { color: inherit; }
}
`;

/** For the page without JavaScript, where it overrides {@link DOCS_STYLE}, although that comes after it. */
export const PLAIN_STYLE = `
:root { color-scheme: light dark; }
html body { max-width: 46rem; margin: 0 auto; padding: 2rem 1.25rem; background: Canvas; font: 1rem/1.6 system-ui, sans-serif; }
ul { padding: 0; list-style: none; } li { margin: .8rem 0; } code { overflow-wrap: anywhere; }
`;
