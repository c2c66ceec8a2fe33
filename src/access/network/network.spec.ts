import { describe, expect, it } from '@jest/globals';
import { addressBlock } from './address-block.js';
import { clientAddress } from './client-address.js';
import { formatRange, inRanges, parseRange } from '../../../config/ip-ranges.js';

describe('address ranges', () => {
  it.each([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['192.0.2.7', '::ffff:192.0.2.7', true],
    ['::ffff:192.0.2.0/120', '192.0.2.200', true],
    ['2001:db8::/32', '2001:db8:1::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['0.0.0.0/0', '203.0.113.9', true],
  ])('%s contains %s: %s', (range, address, expected) => {
    expect(inRanges(address, [range])).toBe(expected);
  });

  it.each([
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.1',
    '010.0.0.1',
    '0x0a.0.0.1',
    '10.0.0.0/8/8',
    '::/129',
    'host',
    '',
  ])('refuses %s', (text) => expect(parseRange(text)).toBeUndefined());

  it.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['10.1.2.3/13', '10.0.0.0/13'],
    ['10.9.2.3/13', '10.8.0.0/13'],
    ['192.0.2.7', '192.0.2.7/32'],
    ['2001:DB8:0:0::1/32', '2001:db8::/32'],
  ])('normalizes %s to %s', (text, expected) => expect(formatRange(parseRange(text)!)).toBe(expected));
});

describe("the caller's address", () => {
  const proxies = ['10.0.0.0/8', '2001:db8:f::/48'];

  it('is the peer, whatever X-Forwarded-For says, unless the peer is a trusted proxy', () => {
    expect(clientAddress('203.0.113.5', '192.0.2.1', proxies)).toBe('203.0.113.5');
    expect(clientAddress('203.0.113.5', '192.0.2.1', [])).toBe('203.0.113.5');
  });

  it('is the nearest address that is not a trusted proxy', () => {
    expect(clientAddress('10.0.0.1', '192.0.2.1', proxies)).toBe('192.0.2.1');
    expect(clientAddress('10.0.0.1', '192.0.2.66, 198.51.100.7, 10.0.0.2', proxies)).toBe('198.51.100.7');
    expect(clientAddress('::ffff:10.0.0.1', '198.51.100.7:50123', proxies)).toBe('198.51.100.7');
    expect(clientAddress('2001:db8:f::1', '[2001:db8::7]:443', proxies)).toBe('2001:db8::7');
    expect(clientAddress('2001:db8:f::1', '[2001:db8::7]', proxies)).toBe('2001:db8::7');
  });

  it('ignores everything beyond an invalid address', () => {
    expect(clientAddress('10.0.0.1', '192.0.2.66, unknown', proxies)).toBe('10.0.0.1');
    expect(clientAddress('10.0.0.1', '192.0.2.66, ', proxies)).toBe('10.0.0.1');
    for (const garbage of ['198.51.100.7:443x', '[2001:db8::7]x', '[2001:db8::7', 'x[2001:db8::7]', '[]'])
      expect(clientAddress('10.0.0.1', `192.0.2.66, ${garbage}`, proxies)).toBe('10.0.0.1');
    expect(clientAddress('', '192.0.2.66', proxies)).toBe('');
  });
});

describe('the address block that callers are counted by', () => {
  it.each([
    ['203.0.113.5', '203.0.113.5'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::9', '2001:db8:1:3::/64'],
    ['unknown', 'unknown'],
  ])('maps %s to %s', (address, expected) => expect(addressBlock(address)).toBe(expected));
});
