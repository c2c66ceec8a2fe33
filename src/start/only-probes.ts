import type { FastifyInstance } from 'fastify';
import { Problem } from '../platform/http/problem.js';
import { sendProblem } from '../platform/http/problem.filter.js';

/** Refuses everything but `/health`: clients that reach a worker have been routed to the wrong process. */
export function answerOnlyProbes(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.url?.startsWith('/health/') === true) return done();
    sendProblem(
      request,
      reply,
      Problem.notReady('This process is a worker and only serves /health. Send the request to an API process.'),
    );
  });
}
