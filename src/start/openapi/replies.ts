import { STATUS_CODES } from 'node:http';
import { CODES } from '../../platform/http/api-problem.js';
import { ANY_TYPE } from '../../platform/http/openapi/api-request-content.js';
import { PROBLEM_JSON } from '../../platform/http/problem.js';
import { type Fault, UNKNOWN_PARAMETER } from './fault.js';
import { exampleProblemMembers } from './problem-members.js';
import type { Operation, Response, Route } from './operation.js';

const PROBLEM_SCHEMA = '#/components/schemas/ProblemBody';

/** Codes of refusals with Retry-After: something was busy or is not ready yet. */
const RETRIED = new Set([
  'idempotency_key_in_use',
  'not_ready',
  'posting_too_fast',
  'public_api_disabled',
  'run_not_completed',
  'too_many_attempts',
  'too_many_requests',
]);

interface SharedRefusal {
  readonly name: string;
  readonly status: number;
  readonly code: string;
  readonly description: string;
  /** The routes that it applies to; all by default. */
  readonly of?: (route: Route) => boolean;
}

/** Whether the route reads a body, if only to refuse its contents: all do except GET. */
const readsBody = ({ method }: Route): boolean => method !== 'GET';
const takesAnyType = ({ operation }: Route): boolean => ANY_TYPE in (operation.requestBody?.content ?? {});

/** Refusals by the framework on any route, so that controllers need not list them. */
const SHARED: readonly SharedRefusal[] = [
  {
    name: 'InvalidRequest',
    status: 400,
    code: 'invalid_request',
    description: 'A parameter is unknown, repeated or invalid; `errors` names each.',
  },
  {
    name: 'RequestTimeout',
    status: 408,
    code: 'request_timeout',
    description:
      'The body did not arrive within a minute. For uploads: no data arrived for a minute, the average after the first minute was less than 16 kB per second (decompressed), or the upload took more than an hour.',
    of: readsBody,
  },
  {
    name: 'BodyTooLarge',
    status: 413,
    code: 'body_too_large',
    description:
      'The body is larger than 1 MiB. A body with more than 20,000 values, or 1,000 members in one object, is rejected with 400 instead.',
    of: readsBody,
  },
  {
    name: 'UnsupportedMediaType',
    status: 415,
    code: 'unsupported_media_type',
    description: 'The route does not accept the Content-Type of the body.',
    of: (route) => readsBody(route) && !takesAnyType(route),
  },
  {
    name: 'TooManyRequests',
    status: 429,
    code: 'too_many_requests',
    description:
      'Too many requests in a minute, or too many long-running requests at a time for an API key or organization (queries of the feed, large uploads, run accuracy, totals, demand sensing, SOC 2 readiness PDFs); see Retry-After.',
  },
  {
    name: 'InternalError',
    status: 500,
    code: 'internal_error',
    description: 'An error on our side. Quote the request_id from the body when you report it.',
  },
  {
    name: 'NotReady',
    status: 503,
    code: 'not_ready',
    description:
      'The service cannot handle the request at the moment: the database is unreachable, all of its connections are in use, other callers have too many long-running requests, or the process is stopping; see Retry-After.',
  },
];

/** The refusals of {@link SHARED}, for operations to reference by name. */
export function sharedResponses(): Record<string, Response> {
  return Object.fromEntries(
    SHARED.map(({ name, status, code, description }) => {
      const response: Response = {
        description: `${description} (\`${code}\`)`,
        content: { [PROBLEM_JSON]: { schema: { $ref: PROBLEM_SCHEMA } } },
        [CODES]: [code],
      };
      finishResponse(status, response, UNKNOWN_PARAMETER);
      return [name, response];
    }),
  );
}

/** Adds to an operation the refusals that it shares with others. */
export function addSharedRefusals(route: Route): void {
  for (const shared of SHARED) if (shared.of?.(route) ?? true) addShared(route.operation.responses, shared);
}

/** A route that documents the status for its own reasons can also reply with the shared code. */
function addShared(responses: Record<string, Response>, { name, status, code }: SharedRefusal): void {
  const own = (responses[status] ??= { $ref: `#/components/responses/${name}` });
  const codes = own[CODES];
  if (!codes || codes.includes(code)) return;
  own[CODES] = [...codes, code];
  own.description = `${own.description ?? ''}`.replace(/\)$/, `, \`${code}\`)`);
}

/** Documents for an operation that supports Idempotency-Key how a replayed reply is marked. */
export function documentReplays({ parameters, responses }: Operation): void {
  if (!parameters?.some(({ name }) => name === 'Idempotency-Key')) return;
  for (const [status, response] of Object.entries(responses)) {
    if (!status.startsWith('2')) continue;
    response.headers = {
      ...response.headers,
      'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' },
    };
  }
}

/**
 * Completes a reply with what all of its status have: a description, the headers and, for a problem, an example.
 * @param fault the error named by the example of an invalid request
 */
export function finishResponse(status: number, response: Response, fault: Fault): void {
  if (response.$ref !== undefined) return;
  if (!response.description) response.description = STATUS_CODES[status] ?? 'Reply';
  response.headers = {
    'X-Request-Id': { $ref: '#/components/headers/RequestId' },
    ...(status === 401 && { 'WWW-Authenticate': { $ref: '#/components/headers/WwwAuthenticate' } }),
    ...(response[CODES]?.some((code) => RETRIED.has(code)) && {
      'Retry-After': { $ref: '#/components/headers/RetryAfter' },
    }),
    ...response.headers,
  };
  const problem = response.content?.[PROBLEM_JSON];
  if (problem) problem.example = { ...problemExample(status, response, fault), ...(problem.example ?? {}) };
}

function problemExample(status: number, response: Response, fault: Fault): Record<string, unknown> {
  const code = response[CODES]?.[0] ?? 'invalid_request';
  const invalid = code === 'invalid_request';
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: invalid ? `${fault.param}: ${fault.message}` : response.description?.replace(/ \((`\w+`(, )?)+\)$/, ''),
    code,
    request_id: '5f0c1a52-4b0f-4a34-9c5e-2f7f3f6f9a10',
    ...(invalid ? { errors: [fault] } : exampleProblemMembers(code)),
  };
}
