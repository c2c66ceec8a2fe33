import type { OpenAPIObject } from '@nestjs/swagger';
import { escapeHtml } from '../../platform/http/replies/escape-html.js';
import { contentHash, contentPolicy, htmlPage } from '../../platform/http/replies/html-page.js';
import { routesOf } from '../openapi/operation.js';
import { DOCS_STYLE, PLAIN_STYLE } from './docs-style.js';

/** Starts Swagger UI with the document that the page names; from a relative URL it could not determine that of the guides. */
const SCRIPT = `
const reference = document.getElementById('reference');
SwaggerUIBundle({
  url: new URL(reference.dataset.document, location).href,
  domNode: reference,
  deepLinking: true,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
  persistAuthorization: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  syntaxHighlight: { theme: 'obsidian' },
  validatorUrl: 'none',
});
`;

/** Swagger UI sets styles and loads its icons from data URLs; it may call only this service. */
export const DOCS_POLICY = contentPolicy({
  'script-src': `'self' ${contentHash(SCRIPT)}`,
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
});

/**
 * The API documentation as a page: Swagger UI and, without JavaScript, a list of all routes. The page of `@nestjs/swagger` does not
 * fit phones, is blank without JavaScript, and offers no place to fix either.
 * @param root the root of the service, relative to the page: PUBLIC_URL may have a path
 */
export function docsPage(document: OpenAPIObject, root: './' | '../'): string {
  const { title, description = '' } = document.info;
  return htmlPage({
    title: `${title}: API`,
    head: `<link rel="icon" type="image/png" sizes="32x32" href="${root}docs/favicon-32x32.png">
<link rel="stylesheet" href="${root}docs/swagger-ui.css">
<noscript><style>${PLAIN_STYLE}</style></noscript>`,
    style: DOCS_STYLE,
    body: `<noscript><main>
<h1>${escapeHtml(title)}: API</h1>
<p>${inline(description)}</p>
<p>With JavaScript, this page also shows parameters, bodies and responses, and can send requests. Tools can read the same from the <a href="${root}openapi.json">OpenAPI document</a>.</p>
${routeList(document)}
</main></noscript>
<div id="reference" data-document="${root}openapi.json"></div>
<script src="${root}docs/swagger-ui-bundle.js"></script>
<script src="${root}docs/swagger-ui-standalone-preset.js"></script>
<script>${SCRIPT}</script>`,
  });
}

/** The routes, grouped by tag. */
function routeList(document: OpenAPIObject): string {
  const routes = Object.groupBy(routesOf(document), ({ operation }) => operation.tags?.[0] ?? '');
  return (document.tags ?? [])
    .map(({ name, description = '' }) => {
      const items = (routes[name] ?? []).map(
        ({ method, path, operation }) =>
          `<li><code>${method} ${escapeHtml(path)}</code><br>${inline(operation.summary ?? '')}</li>`,
      );
      return `<h2>${escapeHtml(name)}</h2>\n<p>${inline(description)}</p>\n<ul>\n${items.join('\n')}\n</ul>`;
    })
    .join('\n');
}

/** A sentence of the document, whose only Markdown is inline code and links. */
const inline = (text: string): string =>
  escapeHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\[([^\]]+)\]\(([^)]+)\)/g, '<a href="$2">$1</a>');
