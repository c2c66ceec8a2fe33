import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiProblem } from '../../platform/http/api-problem.js';
import { Problem } from '../../platform/http/problem.js';
import type { StoredReply } from './idempotency.js';

const MAX_KEY_LENGTH = 255;

/** The Idempotency-Key header of a request; undefined if missing, 400 if empty or too long. */
export const IdempotencyKey = createParamDecorator(
  (_data: undefined, context: ExecutionContext): string | undefined => {
    const value = context.switchToHttp().getRequest<FastifyRequest>().headers['idempotency-key'];
    if (value === undefined) return undefined;
    if (typeof value !== 'string' || value === '' || value.length > MAX_KEY_LENGTH) {
      throw Problem.invalid([{ param: 'Idempotency-Key', message: `must have 1 to ${MAX_KEY_LENGTH} characters` }]);
    }
    return value;
  },
);

/**
 * Documents that a route supports Idempotency-Key.
 * @param conflict the route's own 409 refusal, if it has one
 */
export const ApiIdempotent = (conflict?: { readonly description: string; readonly code: string }): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Up to 255 characters, remembered for 24 hours per API key. Repeating the same request returns the first response and has no further effect.',
      schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH },
    }),
    ApiProblem(
      409,
      `${conflict ? `${conflict.description} Or a` : 'A'} request with the same Idempotency-Key is still in progress; see Retry-After.`,
      [...(conflict ? [conflict.code] : []), 'idempotency_key_in_use'],
    ),
    ApiProblem(422, 'The Idempotency-Key was already used for a different request.', ['idempotency_key_reused']),
  );

/** Sets status and headers of a reply that may be a replay, and returns its body. */
export function sendStored<Body>(
  reply: FastifyReply,
  stored: StoredReply<Body> & { readonly replayed?: boolean },
): Body {
  void reply.status(stored.status).headers(stored.headers);
  if (stored.replayed === true) void reply.header('idempotent-replayed', 'true');
  return stored.body;
}
