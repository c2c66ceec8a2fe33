import type { FastifyRequest } from 'fastify';
import { ODATA_ROOT } from '../../platform/http/odata.js';

const HOST = /^[\w.:[\]-]+$/;

/**
 * The absolute address of the feed without a trailing slash, for the links of a reply: under PUBLIC_URL where the
 * installation has one, else under the address that the caller used.
 */
export function serviceRoot(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl + ODATA_ROOT;
  const { host } = request.headers;
  const { localAddress = 'localhost', localPort } = request.socket;
  return `http://${host !== undefined && HOST.test(host) ? host : `${localAddress}:${localPort}`}${ODATA_ROOT}`;
}
