import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from './problem.js';

/** Largest body of an ordinary request. Uploads are streamed and have a limit of their own. */
export const BODY_LIMIT = 1_048_576;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Hand the body to the handler as a stream of bytes, whatever its type. */
    streamBody?: boolean;
    /** Leave the body's bytes on the request as received, whatever its type, and parse nothing. */
    rawBody?: boolean;
  }
  interface FastifyRequest {
    /** On routes with `rawBody`, which verify a signature over the bytes. */
    rawBytes?: Buffer;
    /** Why the body could not be read; refused after the caller's credentials were checked, not before. */
    bodyFault?: Problem;
  }
}

/** Bodies are JSON, except on routes that ask for their bytes. */
export function registerBodyParsers(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', (request, payload: IncomingMessage, done) => {
    if (takeUnparsed(request, payload, done)) return;
    readAll(request, payload)
      .then((bytes) => (bytes.length === 0 ? undefined : parseJson(bytes)))
      .then(
        (body) => done(null, body),
        (error: unknown) => postpone(request, error, done),
      );
  });
  fastify.addContentTypeParser('*', (request, payload: IncomingMessage, done) => {
    if (takeUnparsed(request, payload, done)) return;
    postpone(request, new Problem(415, 'unsupported_media_type', 'This route takes application/json.'), done);
  });
}

/** Leaves the body as it comes where the route asks for that. */
function takeUnparsed(request: FastifyRequest, payload: IncomingMessage, done: BodyDone): boolean {
  const { streamBody, rawBody } = request.routeOptions.config;
  if (streamBody === true) done(null, payload);
  else if (rawBody === true) {
    readAll(request, payload).then(
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

/** Bodies are read before the guards run; a caller without credentials must hear of those first, not of his body. */
function postpone(
  request: FastifyRequest,
  fault: unknown,
  done: (error: Error | null, body?: undefined) => void,
): void {
  if (!(fault instanceof Problem)) return done(fault as Error);
  request.bodyFault = fault;
  done(null, undefined);
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'), (key, value: unknown) => {
      // class-transformer would leave these out in silence
      if (key === '__proto__' || key === 'constructor') throw new SyntaxError(`a member may not be called ${key}`);
      return value;
    });
  } catch (error) {
    throw Problem.invalid([{ param: 'body', message: `is not valid JSON${faultInJson(error as Error)}` }]);
  }
}

/** Where JSON is wrong, or which name it may not use. Not V8's whole message: it quotes the text, which may be a password. */
function faultInJson({ message }: Error): string {
  const place = /at position \d+ \(line \d+ column \d+\)/.exec(message)?.[0];
  if (place !== undefined) return ` ${place}`;
  return message.startsWith('a member may not') ? `: ${message}` : '';
}

async function readAll(request: FastifyRequest, payload: IncomingMessage): Promise<Buffer> {
  const limit = request.routeOptions.bodyLimit ?? BODY_LIMIT;
  const tooLarge = (): Problem =>
    new Problem(413, 'body_too_large', `The body is larger than the ${limit} bytes this route takes.`);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of payload as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
