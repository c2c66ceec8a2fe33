import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Histogram } from 'prom-client';
import type { Metrics } from './metrics.js';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Seconds: from a simple read to the upload of a large file. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Measures the requests of this instance by route pattern; paths would turn ids, and whatever strangers type, into labels. */
export function measureRequests(fastify: FastifyInstance, metrics: Metrics): void {
  let inFlight = 0;
  metrics.gauge('http_requests_in_flight', 'HTTP requests in progress.', () => inFlight);
  const durations = new Histogram({
    ...metrics.described(
      'http_request_duration_seconds',
      'Seconds from the request headers to the end of the response.',
    ),
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    inFlight += 1;
    // not Fastify's onResponse, which misses clients that hang up
    reply.raw.once('close', () => {
      inFlight -= 1;
      durations.observe(labelsOf(request, reply), reply.elapsedTime / 1_000);
    });
    done();
  });
}

function labelsOf(request: FastifyRequest, reply: FastifyReply): { method: string; route: string; status: string } {
  return {
    method: METHODS.has(request.method) ? request.method : 'other',
    route: request.routeOptions.url ?? 'none',
    status: reply.raw.writableFinished ? classOf(reply.statusCode) : 'aborted',
  };
}

/** 501 counts with the clients' errors: it is about a part of OData that the client should not ask for, and must not raise an alert. */
const classOf = (status: number): string => (status === 501 ? '4xx' : `${Math.floor(status / 100)}xx`);
