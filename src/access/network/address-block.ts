import { formatRange, parseAddress } from './ip-ranges.js';

/** What one subscriber is given at the least (RFC 6177), and may change addresses within at will. */
const SUBSCRIBER_PREFIX = 64;

/** What callers are counted by where they are known by address only: an IPv4 address itself, the /64 of an IPv6 one. */
export function addressBlock(address: string): string {
  const parsed = parseAddress(address);
  return parsed?.kind() === 'ipv6' ? formatRange([parsed, SUBSCRIBER_PREFIX]) : address;
}
