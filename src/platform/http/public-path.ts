import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Characters of a host with its port: none that begins a path, a user or a tag. */
const HOST = /^[\w.:[\]-]+$/;

/**
 * The absolute address of the service without a trailing slash, for links in replies: PUBLIC_URL where the installation has one,
 * else the address that the caller used.
 */
export function addressOf(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  const { host } = request.headers;
  if (host !== undefined && HOST.test(host) && URL.canParse(`http://${host}`)) return `http://${host}`;
  const { localAddress = 'localhost', localPort } = request.socket;
  return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

/** The path of PUBLIC_URL, which the proxy takes off before a request arrives here; empty where it has none. */
export function publicPathOf(publicUrl: string | undefined): string {
  return publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}

/** Leads the addresses in `Location` and `Link` by the public path: handlers know their paths without it. */
export function tellPublicAddresses(fastify: FastifyInstance, publicPath: string): void {
  if (publicPath === '') return;
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    for (const name of ['location', 'link']) {
      const told = reply.getHeader(name);
      if (typeof told !== 'string') continue;
      const led = told.replace(/^<?(?=\/)/, (lead) => lead + publicPath);
      reply.header(name, led);
    }
    done();
  });
}
