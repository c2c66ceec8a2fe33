import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { pipeline, Readable } from 'node:stream';
import { constants, createGzip, gzip } from 'node:zlib';

/** Size in bytes below which a reply fits into a packet or two, so that compression gains nothing. */
const THRESHOLD = 2_048;
/** The lowest level already shrinks text to a fifth; higher ones take twice the time for a few percent. */
const OPTIONS = { level: constants.Z_BEST_SPEED };

const COMPRESSIBLE = /^(?:text\/|image\/svg\+xml|application\/(?:[\w.-]+\+)?(?:json|xml|javascript)\b)/;

/** Gzips larger text replies for clients that accept it; zlib runs off the event loop. */
export function compressReplies(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (!isCompressible(reply, payload)) return done(null, payload);
    varyByEncoding(reply);
    if (!acceptsGzip(request)) return done(null, payload);

    reply.header('content-encoding', 'gzip');
    reply.removeHeader('content-length');
    if (!(payload instanceof Readable)) return gzip(payload as string | Buffer, OPTIONS, done);
    done(null, pipeline(payload, createGzip(OPTIONS), endWithTheReply));
  });
}

/** A source that fails destroys the gzip stream and with it the reply, so there is nothing left to do. */
const endWithTheReply = (): void => undefined;

/** Tells caches that other clients get the reply in another encoding. */
export function varyByEncoding(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'accept-encoding' : `${String(vary)}, accept-encoding`);
}

/** Whether the payload of a reply, whose type is set, is sent compressed to clients that accept it. */
export function isCompressible(reply: FastifyReply, payload: unknown): boolean {
  if (reply.statusCode === 206 || reply.hasHeader('content-encoding')) return false; // part of a file, or already compressed
  if (!COMPRESSIBLE.test(String(reply.getHeader('content-type')))) return false;
  if (payload instanceof Readable) return true;
  return (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length >= THRESHOLD;
}

function acceptsGzip({ headers }: FastifyRequest): boolean {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined) return false;
  return new Negotiator({ headers }).encoding(['gzip', 'identity']) === 'gzip';
}
