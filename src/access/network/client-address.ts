import { isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { inRanges, parseAddress } from '../../../config/ip-ranges.js';

/**
 * The caller's address: the socket's peer or, if the peer is a trusted proxy, the nearest address in X-Forwarded-For that is not
 * one. Read from right to left, because every proxy appends what it saw: entries further left were written by the caller.
 * @param peer remote address of the socket
 * @param forwarded the X-Forwarded-For header, with multiple lines joined by commas
 * @param trusted addresses and CIDR ranges of this installation's proxies
 */
export function clientAddress(peer: string, forwarded: string | undefined, trusted: readonly string[]): string {
  let address = isIPv4(peer) ? peer : (parseAddress(peer)?.toString() ?? peer);
  const hops = forwarded === undefined ? [] : forwarded.split(',').reverse();
  for (const hop of hops) {
    if (!inRanges(address, trusted)) return address;
    const next = parseAddress(withoutPort(hop.trim()));
    if (!next) return address; // garbage: nothing from here on can be trusted
    address = next.toString();
  }
  return address;
}

/** {@link clientAddress} of a request. */
export function addressOfRequest({ socket, headers }: FastifyRequest, trusted: readonly string[]): string {
  const forwarded = headers['x-forwarded-for'] as string | undefined; // Node joins repeated lines of this header
  return clientAddress(socket.remoteAddress ?? '', forwarded, trusted);
}

/** Some proxies append the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
}
