import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { sendConditional } from '../../platform/http/replies/conditional.js';
import { DOCS_POLICY, docsPage } from './docs-page.js';

const require = createRequire(import.meta.url);

/** The files that the page loads from the package, which contains more, such as source maps and a demo page for a pet shop. */
const FILES = new Set([
  '/swagger-ui.css',
  '/swagger-ui-bundle.js',
  '/swagger-ui-standalone-preset.js',
  '/favicon-32x32.png',
]);

/** Serves the API documentation for people at /docs. */
export function serveDocsPage(app: NestFastifyApplication, document: () => OpenAPIObject): void {
  const fastify = app.getHttpAdapter().getInstance();
  for (const [path, root] of [
    ['/docs', './'],
    ['/docs/', '../'],
  ] as const) {
    let page: string | undefined;
    fastify.get(path, (request, reply) => {
      page ??= docsPage(document(), root);
      void reply.header('content-security-policy', DOCS_POLICY);
      sendConditional(request, reply, 'text/html; charset=utf-8', page);
    });
  }
  app.useStaticAssets({
    root: dirname(require.resolve('swagger-ui-dist/package.json')),
    prefix: '/docs/',
    index: false,
    decorateReply: false,
    allowedPath: (path) => FILES.has(path),
  });
}
