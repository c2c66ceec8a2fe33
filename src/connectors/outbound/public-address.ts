import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Public by their range, yet answered by the provider's own network: what a machine asks about itself. */
const METADATA = new Set(['168.63.129.16', '192.0.0.192']);
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * Whether an address may be connected to. Only what is public by IANA's registries is, and what the operator allows;
 * an IPv4 address counts as itself in whatever IPv6 form it is written.
 * @param allowed addresses and CIDR ranges that are permitted although they are not public
 */
export function mayReach(address: string, allowed: readonly string[]): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  if (allowed.some((range) => contains(range, parsed))) return true;
  if (parsed.range() !== 'unicast' || METADATA.has(parsed.toString())) return false;
  // what lies outside has no owner yet or, as `::/96`, carries an IPv4 address
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST);
}

function contains(range: string, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const [base, bits] = parse(range);
  return base.kind() === address.kind() && address.match([base, bits] as Range);
}

function parse(range: string): Range {
  if (range.includes('/')) return ipaddr.parseCIDR(range);
  const base = ipaddr.process(range);
  return [base, base.kind() === 'ipv4' ? 32 : 128];
}
