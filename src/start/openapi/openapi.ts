import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { RequestCeiling } from '../../access/index.js';
import { API_KEY_PARAMETER, API_KEY_QUERY_SECURITY, BASIC_SECURITY } from '../../platform/http/access-declaration.js';
import { sendConditional, tagOf } from '../../platform/http/conditional.js';
import { publicPathOf } from '../../platform/http/public-path.js';
import { finishOpenApi } from './finish.js';

/**
 * The OpenAPI document of all routes; `docs/openapi.json` is this, and a test fails when they differ.
 * @param publicUrl PUBLIC_URL of the installation: the paths are under its path
 */
export function buildOpenApi(app: NestFastifyApplication, publicUrl?: string): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Demand forecasting service')
    .setVersion('1')
    .setDescription(
      'Upload demand, start a run, poll it, read quantile forecasts. Lists are bare arrays, newest first, paged by `Link: rel="next"`. ' +
        'Errors are `application/problem+json` with a stable `code`. Poll at most once a minute.',
    )
    .addServer(publicPathOf(publicUrl) || '/', 'This service')
    .addApiKey(
      { type: 'apiKey', name: 'X-API-Key', in: 'header', description: 'A key made under API keys, `fk_…`.' },
      'api_key',
    )
    .addBasicAuth(
      { type: 'http', scheme: 'basic', description: 'Any user name, an API key as the password: the OData feed only.' },
      BASIC_SECURITY,
    )
    .addApiKey(
      {
        type: 'apiKey',
        name: API_KEY_PARAMETER,
        in: 'query',
        description: 'An API key in the address, for tools that can send it no other way: the OData feed only.',
      },
      API_KEY_QUERY_SECURITY,
    )
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'opaque', description: 'Session token of a signed-in user.' },
      'session',
    )
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
  });
  return finishOpenApi(document);
}

/** Swagger UI has no inline script, but sets styles and draws its icons from data URLs; it may call this service only. */
const UI_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * What Swagger UI is given: from an empty document it turns to the address of one, which browsers keep by its tag. A copy in its script
 * would be loaded with every visit.
 */
const NO_DOCUMENT = {} as OpenAPIObject;

/**
 * Serves the document at /openapi.json and Swagger UI at /docs. Both have no guard, so their requests are counted here: the document
 * is large, and packing it costs more than most requests do.
 */
export function serveOpenApi(app: NestFastifyApplication, publicUrl: string | undefined): void {
  const fastify = app.getHttpAdapter().getInstance();
  const ceiling = app.get(RequestCeiling);
  fastify.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url;
    const ofUi = route?.startsWith('/docs') === true;
    if (ofUi) reply.header('content-security-policy', UI_POLICY);
    if (!ofUi && route !== '/openapi.json') return done();
    ceiling.countUnguarded(request).then(() => done(), done);
  });
  let served: { readonly body: Buffer; readonly tag: string } | undefined;
  fastify.get('/openapi.json', (request, reply) => {
    if (served === undefined) {
      const body = Buffer.from(JSON.stringify(buildOpenApi(app, publicUrl)));
      served = { body, tag: tagOf(body) };
    }
    sendConditional(request, reply, 'application/json; charset=utf-8', served.body, served.tag);
  });
  SwaggerModule.setup('docs', app, NO_DOCUMENT, {
    raw: false,
    swaggerUrl: `${publicPathOf(publicUrl)}/openapi.json`,
    customSiteTitle: 'Demand forecasting service: API',
    swaggerOptions: {
      persistAuthorization: true,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      validatorUrl: 'none', // else a badge is asked for elsewhere, which the policy stops
    },
  });
}
