import { formatRange, parseAddress } from '../../../config/ip-ranges.js';

/** The smallest IPv6 block assigned to a subscriber (RFC 6177), who can change addresses at will within it. */
const SUBSCRIBER_PREFIX = 64;

/** The key by which to count callers of whom only the address is known: an IPv4 address itself, or the /64 of an IPv6 address. */
export function addressBlock(address: string): string {
  const parsed = parseAddress(address);
  return parsed?.kind() === 'ipv6' ? formatRange([parsed, SUBSCRIBER_PREFIX]) : address;
}
