import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject } from '@nestjs/common';
import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LOGGER, type Logger } from '../logging/logger.js';
import { isOutage } from '../logging/outage-lines.js';
import {
  isDatabaseUnavailable,
  isDeadlock,
  isDiskFull,
  isOrphan,
  isStatementTimeout,
} from '../database/database-faults.js';
import type { AllowedMethods } from './server/allowed-methods.js';
import { isUnderODataRoot, ODATA_HEADERS, odataErrorBody } from './odata.js';
import { Problem, PROBLEM_JSON } from './problem.js';

/** Codes of the errors that Fastify and Nest raise themselves, by status. */
const CODES: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  408: 'request_timeout',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
};

export const PROBLEM_TYPE = `${PROBLEM_JSON}; charset=utf-8`;

/**
 * Renders every error as RFC 9457 problem+json, or as an OData error below the root of the feed. An error that is neither a
 * {@link Problem} nor a client error of the framework becomes an opaque 500: its cause is logged with the request id and never sent
 * to the caller.
 */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly allowed: AllowedMethods,
  ) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const problem = request.is404 ? this.allowed.unrouted(request) : toProblem(exception);
    const logged = { request_id: request.id, method: request.method, route: request.routeOptions.url };
    if (problem.status >= 500 && !(exception instanceof Problem)) {
      const what = isOutage(exception) ? 'requests get 503: the database cannot be used' : 'unexpected error';
      this.logger.error({ err: exception, ...logged }, what);
    }
    if (isOrphan(exception)) {
      // the caller gets 404; a bug that stores a wrong reference would look exactly the same
      this.logger.warn(
        { constraint: exception.constraint, ...logged },
        'a request tried to store a row whose owner no longer exists',
      );
    }
    sendProblem(request, reply, problem);
  }
}

/** Sends the problem; also used if a request fails before Nest sees it. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): void {
  if (reply.raw.headersSent) {
    reply.raw.destroy(); // part of the reply has been sent; cutting it off shows the client that it is incomplete
    return;
  }
  const odata = isUnderODataRoot(request.url);
  void reply
    .status(problem.status)
    .headers({ ...problem.options.headers, ...(odata ? ODATA_HEADERS : {}) })
    .type(odata ? 'application/json; charset=utf-8' : PROBLEM_TYPE)
    .send(odata ? odataErrorBody(problem) : problemBody(problem, request.id));
}

/** The body of a refusal (RFC 9457). */
export function problemBody({ status, code, detail, options }: Problem, requestId: string): string {
  const { errors, members } = options;
  return JSON.stringify({
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail,
    code,
    request_id: requestId,
    ...(errors ? { errors } : {}),
    ...members,
  });
}

export function toProblem(exception: unknown): Problem {
  if (exception instanceof Problem) return exception;
  if (isOrphan(exception)) return Problem.notFound('resource');
  if (isDatabaseUnavailable(exception)) return Problem.notReady('The service cannot reach its database at the moment.');
  if (isDiskFull(exception)) return Problem.notReady('The service has run out of storage space.');
  if (isStatementTimeout(exception)) return Problem.notReady('The database took too long to respond.');
  if (isDeadlock(exception)) return Problem.notReady('The request conflicted with another request in progress.');
  const status = clientStatus(exception);
  if (status === undefined)
    return new Problem(
      500,
      'internal_error',
      'Something went wrong on our side. Quote the request_id when you report it.',
    );
  const detail =
    status === 404
      ? 'The resource does not exist.'
      : exception instanceof Error
        ? exception.message
        : 'The request was rejected.';
  return new Problem(status, CODES[status] ?? 'invalid_request', detail);
}

/** Status of an error that the framework attributes to the client (malformed JSON, unknown route, body too large), or undefined. */
function clientStatus(exception: unknown): number | undefined {
  const status = statusOf(exception);
  if (status === 403) return 404; // a path that escapes the directory of the Swagger UI files
  return status !== undefined && status >= 400 && status < 500 ? status : undefined;
}

function statusOf(exception: unknown): number | undefined {
  if (exception instanceof HttpException) return exception.getStatus();
  const given = exception instanceof Error && 'statusCode' in exception ? exception.statusCode : undefined;
  return typeof given === 'number' ? given : undefined;
}
