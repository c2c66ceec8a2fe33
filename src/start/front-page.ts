import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { HOUSE_STYLE } from '../platform/http/replies/house-style.js';
import { contentHash, contentPolicy, htmlPage } from '../platform/http/replies/html-page.js';

const STYLE = `${HOUSE_STYLE}
body { max-width: 34rem; padding: clamp(2rem, 12vh, 7rem) 1.25rem; }
h1 { margin: 0 0 .5rem; font-size: clamp(1.6rem, 5vw, 1.9rem); letter-spacing: -.01em; }
.lead { margin: 0 0 2rem; color: var(--soft); }
dt { margin-top: 1rem; font-weight: 600; } dd { margin: 0; color: var(--soft); }
`;

/** Links are relative, since PUBLIC_URL may have a path. */
const PAGE = htmlPage({
  title: 'Demand forecasting service',
  style: STYLE,
  body: `<main>
<h1>Demand forecasting service</h1>
<p class="lead">Upload demand, start a run, and read quantile forecasts, safety stock and alerts.</p>
<dl>
<dt><a href="docs">API documentation</a></dt><dd>every route, to read and try out</dd>
<dt><a href="docs/guides">Guides</a></dt><dd>first calls, recipes, connectors, Power BI and Excel, the engine</dd>
<dt><a href="openapi.json">OpenAPI document</a></dt><dd>for tools</dd>
<dt><a href="changelog">Changelog</a></dt><dd>what changed, release by release</dd>
<dt><a href="health/ready">Health</a></dt><dd>whether the service is ready</dd>
</dl>
</main>`,
});

const POLICY = contentPolicy({ 'style-src': contentHash(STYLE), 'img-src': 'data:' });

/** Serves / with links to the rest of the service. */
export function serveFrontPage(app: NestFastifyApplication): void {
  app
    .getHttpAdapter()
    .getInstance()
    .get('/', (_request, reply) =>
      reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(PAGE),
    );
}
