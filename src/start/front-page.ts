import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { contentHash, contentPolicy, htmlPage } from '../platform/http/replies/html-page.js';

const STYLE =
  ':root { color-scheme: light dark; } body { max-width: 30rem; margin: 10vh auto; padding: 0 1.25rem; font: 1rem/1.6 system-ui, sans-serif; }';

/** Links are relative, since PUBLIC_URL may have a path. */
const PAGE = htmlPage({
  title: 'Demand forecasting service',
  style: STYLE,
  body: `<main>
<h1>Demand forecasting service</h1>
<ul>
<li><a href="docs">API documentation</a>, to read and try out</li>
<li><a href="docs/guides">Guides</a>: first calls, conventions, connectors, Power BI and Excel</li>
<li><a href="openapi.json">OpenAPI document</a>, for tools</li>
<li><a href="changelog">Changelog</a></li>
<li><a href="health/ready">Health</a></li>
</ul>
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
