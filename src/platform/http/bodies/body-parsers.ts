import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MINUTE_MS } from '../../durations.js';
import { abortedBody } from './aborted-body.js';
import { cutOff } from '../server/client-error.js';
import { parseJsonBody } from './json-body.js';
import { Problem } from '../problem.js';
import { unsupportedType } from './unsupported-type.js';

/** Maximum body size of an ordinary request. Uploads are streamed and have their own limit. */
export const BODY_LIMIT = 1_048_576;
/** Milliseconds within which an ordinary body must arrive. */
const ARRIVAL_MS = MINUTE_MS;

/** A media type that Fastify can parse (RFC 9110, 8.3.1). */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Pass the body to the handler as a stream of bytes, whatever its type. */
    streamBody?: boolean;
    /** Leave the body's bytes on the request as received, whatever its type; parse nothing. */
    rawBody?: boolean;
    /** Maximum size in bytes of a body that is not streamed, if the route overrides {@link BODY_LIMIT}. */
    bodyLimit?: number;
  }
  interface FastifyRequest {
    /** On routes with `rawBody`, which verify a signature over the bytes. */
    rawBytes?: Buffer;
    /** Why the body could not be read; reported after the caller's credentials were checked, not before. */
    bodyFault?: Problem;
  }
}

/**
 * Parses bodies as JSON, except on routes that ask for the bytes.
 * @param arrivalMs milliseconds within which a body that is not streamed must arrive
 */
export function registerBodyParsers(fastify: FastifyInstance, arrivalMs = ARRIVAL_MS): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    // Fastify would reject a malformed type before the guards run; without the header, our own parser rejects it after them
    if (headers['content-type'] !== undefined && !MEDIA_TYPE.test(headers['content-type']))
      delete headers['content-type'];
    done();
  });
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', (request, payload: IncomingMessage, done) => {
    if (takeUnparsed(request, payload, arrivalMs, done)) return;
    if (isEncoded(request)) {
      const detail = 'This route does not accept compressed bodies. Omit Content-Encoding.';
      return postpone(request, new Problem(415, 'unsupported_media_type', detail), done);
    }
    readAll(request, payload, arrivalMs)
      .then((bytes) => (bytes.length === 0 ? undefined : parseJsonBody(bytes)))
      .then(
        (body) => done(null, body),
        (error: unknown) => postpone(request, error, done),
      );
  });
  fastify.addContentTypeParser('*', (request, payload: IncomingMessage, done) => {
    if (takeUnparsed(request, payload, arrivalMs, done)) return;
    // PowerShell and `curl -d ''` send the form type with an empty body
    if (request.headers['content-length'] === '0') return done(null, undefined);
    postpone(request, unsupportedType('application/json', request.headers['content-type']), done);
  });
}

/** RFC 9110, 8.4; `identity` means unencoded. */
function isEncoded({ headers }: FastifyRequest): boolean {
  return ![undefined, 'identity'].includes(headers['content-encoding']?.toLowerCase());
}

/** Leaves the body unparsed if the route asks for it. @returns whether it does */
function takeUnparsed(request: FastifyRequest, payload: IncomingMessage, arrivalMs: number, done: BodyDone): boolean {
  const { streamBody, rawBody } = request.routeOptions.config;
  if (streamBody === true) done(null, payload);
  else if (rawBody === true) {
    readAll(request, payload, arrivalMs).then(
      (bytes) => {
        request.rawBytes = bytes;
        done(null, undefined);
      },
      (error: unknown) => postpone(request, error, done),
    );
  }
  return streamBody === true || rawBody === true;
}

type BodyDone = (error: Error | null, body?: unknown) => void;

/** Bodies are read before the guards run, but a caller without credentials must be told about those first, not about a bad body. */
function postpone(
  request: FastifyRequest,
  fault: unknown,
  done: (error: Error | null, body?: undefined) => void,
): void {
  if (!(fault instanceof Problem)) return done(fault as Error);
  request.bodyFault = fault;
  done(null, undefined);
}

async function readAll(request: FastifyRequest, payload: IncomingMessage, arrivalMs: number): Promise<Buffer> {
  const limit = request.routeOptions.config.bodyLimit ?? BODY_LIMIT;
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const late = setTimeout(() => cutOff(payload.socket), arrivalMs);
  try {
    return await readUpTo(limit, payload);
  } catch (error) {
    throw abortedBody(error) ?? error;
  } finally {
    clearTimeout(late);
  }
}

async function readUpTo(limit: number, payload: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // destroying the stream would close the connection before the refusal is sent
  for await (const chunk of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(limit: number): Problem {
  return new Problem(413, 'body_too_large', `The body exceeds the ${limit} bytes that this route accepts.`);
}
