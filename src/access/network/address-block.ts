import { formatRange, parseAddress } from '../../../config/ip-ranges.js';

/** The smallest IPv6 block that a subscriber gets (RFC 6177), within which addresses can be changed at will. */
const SUBSCRIBER_PREFIX = 64;

/** The key to count callers by where only their address is known: an IPv4 address itself, or the /64 of an IPv6 address. */
export function addressBlock(address: string): string {
  const parsed = parseAddress(address);
  return parsed?.kind() === 'ipv6' ? formatRange([parsed, SUBSCRIBER_PREFIX]) : address;
}
