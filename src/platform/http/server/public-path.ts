import type { FastifyInstance, FastifyRequest } from 'fastify';
import { withoutTrailingSlashes } from '../../../../config/trailing-slashes.js';

/** A host with its port: without characters that start a path, user info or an HTML tag. */
const HOST = /^[\w.:[\]-]+$/;

/**
 * The absolute address of the service without a trailing slash, for links in replies: PUBLIC_URL if set, else the address that the
 * caller used.
 */
export function serviceAddress(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  const { host } = request.headers;
  if (host !== undefined && HOST.test(host) && URL.canParse(`http://${host}`)) return `http://${host}`;
  const { localAddress = 'localhost', localPort } = request.socket;
  return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

/** The path of PUBLIC_URL, which the proxy strips before a request arrives here; empty if there is none. */
export function publicPathOf(publicUrl: string | undefined): string {
  return publicUrl === undefined ? '' : withoutTrailingSlashes(new URL(publicUrl).pathname);
}

/** Prefixes the addresses in `Location` and `Link` with the public path, which handlers do not know. */
export function prefixPublicPath(fastify: FastifyInstance, publicPath: string): void {
  if (publicPath === '') return;
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    for (const name of ['location', 'link']) {
      const value = reply.getHeader(name);
      if (typeof value !== 'string') continue;
      const prefixed = value.replace(/^<?(?=\/)/, (start) => start + publicPath);
      reply.header(name, prefixed);
    }
    done();
  });
}
