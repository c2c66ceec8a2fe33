import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { inRanges } from '../../../config/ip-ranges.js';

/** Public by range, but answered by the cloud provider's own network: a machine's instance metadata. */
const METADATA = new Set(['168.63.129.16', '192.0.0.192']);
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether connections to an address are permitted: only if it is public according to IANA's registries or allowed by the operator. An IPv4
 * address is judged as such in whatever IPv6 form it is written.
 * @param allowed addresses and CIDR ranges that are permitted although they are not public
 */
export function mayReach(address: string, allowed: readonly string[]): boolean {
  if (isIP(address) === 0) return false;
  if (inRanges(address, allowed)) return true;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || METADATA.has(parsed.toString())) return false;
  // anything else is unallocated or, like `::/96`, embeds an IPv4 address
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST);
}
