import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { RequestCeiling } from '../../access/index.js';
import {
  API_KEY_PARAMETER,
  API_KEY_QUERY_SECURITY,
  API_KEY_SECURITY,
  BASIC_SECURITY,
  SESSION_SECURITY,
} from '../../platform/http/access-declaration.js';
import { sendConditional, tagOf } from '../../platform/http/replies/conditional.js';
import { publicPathOf } from '../../platform/http/server/public-path.js';
import { serveDocsPage } from '../docs/serve-docs-page.js';
import { serveGuides } from '../docs/serve-guides.js';
import { finishOpenApi } from './finish.js';

/**
 * The OpenAPI document of all routes; `docs/openapi.json` is this, and a test fails if they differ.
 * @param publicUrl PUBLIC_URL of the installation: the paths are below its path
 */
export function buildOpenApi(app: NestFastifyApplication, publicUrl?: string): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Demand forecasting service')
    .setVersion('1')
    .setDescription(
      'Upload demand, start a run, poll it, and read quantile forecasts. Lists are plain arrays, newest first, paginated with `Link: rel="next"`. ' +
        'Errors are `application/problem+json` with a stable `code`. Poll at most once a minute. ' +
        // not as externalDocs: its URL has to be absolute
        `The [guides](${publicPathOf(publicUrl)}/docs/guides) cover first calls, conventions and connectors.`,
    )
    .addServer(publicPathOf(publicUrl) || '/', 'This service')
    .addApiKey(
      {
        type: 'apiKey',
        name: 'X-API-Key',
        in: 'header',
        description: 'An API key (`fk_…`), created with `POST /orgs/{org_id}/api-keys`.',
      },
      API_KEY_SECURITY,
    )
    .addBasicAuth(
      {
        type: 'http',
        scheme: 'basic',
        description: 'Any user name, with an API key as the password. OData feed only.',
      },
      BASIC_SECURITY,
    )
    .addApiKey(
      {
        type: 'apiKey',
        name: API_KEY_PARAMETER,
        in: 'query',
        description: 'An API key in the URL, for tools that cannot send it any other way. OData feed only.',
      },
      API_KEY_QUERY_SECURITY,
    )
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'opaque',
        description: 'The session token of a signed-in user, from `POST /auth/login`.',
      },
      SESSION_SECURITY,
    )
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
  });
  return finishOpenApi(document);
}

/**
 * Serves the document at /openapi.json, as a page at /docs, and the guides next to it. None has a guard, so their requests are
 * counted here: the document is large, and compressing it costs more than most requests do.
 */
export function serveOpenApi(app: NestFastifyApplication, publicUrl: string | undefined): void {
  const fastify = app.getHttpAdapter().getInstance();
  const ceiling = app.get(RequestCeiling);
  fastify.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url;
    if (route !== '/openapi.json' && route?.startsWith('/docs') !== true) return done();
    ceiling.countUnguarded(request).then(() => done(), done);
  });
  let document: OpenAPIObject | undefined;
  const built = (): OpenAPIObject => (document ??= buildOpenApi(app, publicUrl));
  let served: { readonly body: Buffer; readonly tag: string } | undefined;
  fastify.get('/openapi.json', (request, reply) => {
    if (served === undefined) {
      const body = Buffer.from(JSON.stringify(built()));
      served = { body, tag: tagOf(body) };
    }
    sendConditional(request, reply, 'application/json; charset=utf-8', served.body, served.tag);
  });
  serveDocsPage(app, built);
  serveGuides(app);
}
