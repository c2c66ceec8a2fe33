import { randomUUID } from 'node:crypto';
import { type IncomingMessage, maxHeaderSize } from 'node:http';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { beforeAdmission } from '../../database/scope.js';
import type { Logger } from '../../logging/logger.js';
import { measureRequests } from '../../metrics/http-requests.js';
import type { Metrics } from '../../metrics/metrics.js';
import type { AllowedMethods } from './allowed-methods.js';
import { BODY_LIMIT, registerBodyParsers } from '../bodies/body-parsers.js';
import { answerClientError, answerConnect } from './client-error.js';
import { compressReplies } from './compression.js';
import { decodableUrl } from './decodable-url.js';
import { DrainingAdapter } from './draining-adapter.js';
import { routedUrl } from '../odata.js';
import { originForm } from './origin-form.js';
import { Problem } from '../problem.js';
import { sendProblem } from '../problem.filter.js';
import { drainRequest } from './drain-request.js';
import { prefixPublicPath, publicPathOf } from './public-path.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where the request comes from, seen through the trusted proxies; set by the access guard, so missing outside its routes. */
    callerAddress?: string;
    /** The caller, for the log: only ids, as far as they are known. */
    loggedCaller?: { organization_id?: string; api_key_id?: string; user_id?: string };
  }
}

export interface HttpOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Whether the process is shutting down; replies then close their connections. */
  readonly draining: () => boolean;
  /** Records every route, for 405 replies. */
  readonly allowed: AllowedMethods;
  /** Connections of clients beyond this are closed at once. */
  readonly maxConnections: number;
  /** Address under which clients reach the service; undefined if it is the one that they call. */
  readonly publicUrl: string | undefined;
}

/** The Fastify instance under Nest: request ids, request log, content types. Access control lives in Nest's guards, not here. */
export function createFastifyAdapter(options: HttpOptions): FastifyAdapter {
  const adapter = new DrainingAdapter(
    {
      genReqId: () => randomUUID(),
      bodyLimit: BODY_LIMIT,
      logger: false, // one line per request is written below, without the URL
      clientErrorHandler: answerClientError,
      http: { requireHostHeader: false }, // Node's own refusal has neither body nor request id; a hook below refuses instead
      trustProxy: false, // the access module reads X-Forwarded-For itself, through the configured proxies only
      routerOptions: { maxParamLength: 3 * maxHeaderSize }, // no URL is longer: an id of any length reaches the usual checks
      rewriteUrl: ({ url = '/' }) => routedUrl(decodableUrl(originForm(url))),
      keepAliveTimeout: 65_000,
    },
    options.logger,
    options.maxConnections,
  );
  const fastify: FastifyInstance = adapter.getInstance();
  // Node would answer 417 without body and request id; an unknown expectation may be ignored (RFC 9110, 10.1.1)
  fastify.server.on('checkExpectation', (...exchange) => fastify.server.emit('request', ...exchange));
  fastify.server.on('connect', answerConnect);
  options.allowed.watch(fastify);
  registerHooks(fastify, options);
  prefixPublicPath(fastify, publicPathOf(options.publicUrl));
  measureRequests(fastify, options.metrics);
  compressReplies(fastify);
  registerBodyParsers(fastify);
  return adapter;
}

function registerHooks(fastify: FastifyInstance, { logger, draining, allowed }: HttpOptions): void {
  // with `done` rather than async: that would allocate a promise per hook for every request
  fastify.addHook('onRequest', (request, reply, done) => {
    // not Fastify's onResponse, which misses clients that hang up
    reply.raw.once('close', () => logRequest(logger, request, reply));
    reply.header('x-request-id', request.id);
    // routes whose replies may be cached, such as the feeds, set their own value
    reply.header('cache-control', 'no-store');
    reply.header('x-content-type-options', 'nosniff');
    const hosts = hostLines(request.raw);
    // RFC 9112, section 3.2: given two hosts, a proxy in front may have used the other one
    if (hosts !== 1 && request.raw.httpVersion === '1.1') {
      const message = hosts === 0 ? 'is required' : 'must be given only once';
      return sendProblem(request, reply, Problem.invalid([{ param: 'Host', message }]));
    }
    const refusal = allowed.misrouted(request);
    if (refusal) return sendProblem(request, reply, refusal);
    beforeAdmission(done);
  });
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    drainRequest(request.raw, (whole) => {
      if (draining() || !whole) reply.header('connection', 'close');
      done();
    });
  });
}

function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
  logger.info(
    {
      request_id: request.id,
      method: request.method,
      // the route's pattern, not the URL: query strings may carry credentials
      route: request.routeOptions.url ?? 'unknown',
      status: reply.raw.headersSent ? reply.statusCode : null,
      ...(reply.raw.writableFinished ? {} : { aborted: true }),
      ms: Math.round(reply.elapsedTime),
      ip: request.callerAddress ?? request.ip,
      ...request.loggedCaller,
    },
    'request',
  );
}

/** Number of `Host` lines in a request. `headers` keeps only the first; `headersDistinct` would be built for every request. */
function hostLines({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host').length;
}
