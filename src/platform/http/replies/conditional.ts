import { hash } from 'node:crypto';
import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiResponse, type ApiResponseOptions } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isCompressible, varyByEncoding } from '../server/compression.js';

/** The entity tag of a text. */
export const tagOf = (body: string | Buffer): string => `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;

/**
 * Sends a text with its entity tag, or 304 to a client that has it (RFC 9110, section 13.1.2): feeds are fetched far more often
 * than they change. The tag is weak, since the text may be compressed.
 */
export function sendConditional(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  body: string | Buffer,
  tag = tagOf(body),
): void {
  void reply.headers({ etag: `W/${tag}`, 'cache-control': 'public, no-cache' }).type(type);
  const known = (request.headers['if-none-match'] ?? '').split(',').map((entry) => entry.trim().replace(/^W\//, ''));
  if (!known.includes(tag) && !known.includes('*')) return void reply.send(body);
  // as the text itself would have it (RFC 9110, section 15.4.5)
  if (isCompressible(reply, body)) varyByEncoding(reply);
  void reply.removeHeader('content-type').status(304).send();
}

const ETAG = {
  ETag: { description: 'The entity tag of this version, for If-None-Match.', schema: { type: 'string' } },
} as const;

/** Documents a reply sent by {@link sendConditional}. */
export const ApiConditional = (reply: ApiResponseOptions): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'The ETag of the version that the client already has.',
      schema: { type: 'string' },
    }),
    ApiOkResponse({ ...reply, headers: ETAG }),
    ApiResponse({ status: 304, description: 'Not modified since the version that the client has.', headers: ETAG }),
  );
