import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { inRanges } from '../../../config/ip-ranges.js';

/** Public by their range, yet answered by the provider's own network: what a machine asks about itself. */
const METADATA = new Set(['168.63.129.16', '192.0.0.192']);
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address may be connected to. Only what is public by IANA's registries is, and what the operator allows;
 * an IPv4 address counts as itself in whatever IPv6 form it is written.
 * @param allowed addresses and CIDR ranges that are permitted although they are not public
 */
export function mayReach(address: string, allowed: readonly string[]): boolean {
  if (isIP(address) === 0) return false;
  if (inRanges(address, allowed)) return true;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || METADATA.has(parsed.toString())) return false;
  // what lies outside has no owner yet or, as `::/96`, carries an IPv4 address
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST);
}
