import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * An address written in full: dotted decimal or IPv6. Shorthand that other parsers read differently (`10.1`, octal,
 * hexadecimal) is refused; IPv4-mapped IPv6 (`::ffff:10.0.0.1`) becomes the IPv4 address it stands for.
 */
export function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : undefined;
}

/** An address range as its first address and prefix length. */
export type IpRange = readonly [Address, number];

/**
 * A CIDR range, or a single address as a range of one.
 * @returns undefined for anything else, such as `10.0.0.0/33`
 */
export function parseRange(text: string): IpRange | undefined {
  const [host = '', prefix, ...rest] = text.split('/');
  const address = parseAddress(host);
  if (!address || rest.length > 0) return undefined;
  const width = address.kind() === 'ipv4' ? 32 : 128;
  if (prefix === undefined) return [address, width];
  if (!/^\d{1,3}$/.test(prefix)) return undefined;
  // a mapped range counts its prefix over 128 bits
  const length = Number(prefix) - (address.kind() === 'ipv4' && host.includes(':') ? 96 : 0);
  return length >= 0 && length <= width ? [address, length] : undefined;
}

/** The range in one spelling: network address and prefix length. */
export function formatRange([address, length]: IpRange): string {
  const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(`${address.toString()}/${length}`).toString()}/${length}`;
}

/** Ranges in one spelling; the input has been validated. */
export function normalizeRanges(ranges: readonly string[]): string[] {
  return ranges.flatMap((text) => {
    const range = parseRange(text);
    return range ? [formatRange(range)] : [];
  });
}

function inRange(address: Address, [first, length]: IpRange): boolean {
  return address.kind() === first.kind() && address.match(first, length);
}

/** Whether the address lies in one of the ranges. */
export function inRanges(address: string, ranges: readonly string[]): boolean {
  const parsed = parseAddress(address);
  if (!parsed) return false;
  return ranges.some((text) => {
    const range = parseRange(text);
    return range !== undefined && inRange(parsed, range);
  });
}
