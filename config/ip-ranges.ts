import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Parses a fully written address: dotted decimal or IPv6. Shorthand that other parsers interpret differently (`10.1`, octal,
 * hexadecimal) is rejected; IPv4-mapped IPv6 (`::ffff:10.0.0.1`) becomes the IPv4 address.
 */
export function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : undefined;
}

/** An address range: its first address and prefix length. */
export type IpRange = readonly [Address, number];

/**
 * Parses a CIDR range, or a single address as a range of one.
 * @returns undefined for anything else, such as `10.0.0.0/33`
 */
export function parseRange(text: string): IpRange | undefined {
  const [host = '', prefix, ...rest] = text.split('/');
  const address = parseAddress(host);
  if (!address || rest.length > 0) return undefined;
  const width = address.kind() === 'ipv4' ? 32 : 128;
  if (prefix === undefined) return [address, width];
  if (!/^\d{1,3}$/.test(prefix)) return undefined;
  // the prefix of a mapped range refers to 128 bits
  const length = Number(prefix) - (address.kind() === 'ipv4' && host.includes(':') ? 96 : 0);
  return length >= 0 && length <= width ? [address, length] : undefined;
}

/** The canonical form of a range: network address and prefix length. */
export function formatRange([address, length]: IpRange): string {
  const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(`${address.toString()}/${length}`).toString()}/${length}`;
}

/** Ranges in canonical form; the input has been validated. */
export function normalizeRanges(ranges: readonly string[]): string[] {
  return ranges.flatMap((text) => {
    const range = parseRange(text);
    return range ? [formatRange(range)] : [];
  });
}

function inRange(address: Address, [first, length]: IpRange): boolean {
  return address.kind() === first.kind() && address.match(first, length);
}

/** Whether the address is in one of the ranges. */
export function inRanges(address: string, ranges: readonly string[]): boolean {
  const parsed = parseAddress(address);
  if (!parsed) return false;
  return ranges.some((text) => {
    const range = parseRange(text);
    return range !== undefined && inRange(parsed, range);
  });
}
