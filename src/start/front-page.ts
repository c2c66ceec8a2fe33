import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { contentHash } from '../platform/http/content-hash.js';

const STYLE =
  ':root { color-scheme: light dark; } body { max-width: 30rem; margin: 10vh auto; padding: 0 1.25rem; font: 1rem/1.6 system-ui, sans-serif; }';

/** Its links are relative, since PUBLIC_URL may have a path. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Demand forecasting service</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Demand forecasting service</h1>
<ul>
<li><a href="docs">API documentation</a>, to read and try</li>
<li><a href="docs/guides">Guides</a>: first calls, conventions, connectors, Power BI and Excel</li>
<li><a href="openapi.json">OpenAPI document</a>, for tools</li>
<li><a href="changelog">Changelog</a></li>
<li><a href="health/ready">Health</a></li>
</ul>
</main>
</body>
</html>
`;

const POLICY = `default-src 'none'; style-src ${contentHash(STYLE)}; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Serves, at /, where to go from here. */
export function serveFrontPage(app: NestFastifyApplication): void {
  app
    .getHttpAdapter()
    .getInstance()
    .get('/', (_request, reply) =>
      reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(PAGE),
    );
}
