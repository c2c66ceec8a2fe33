import { describe, expect, it } from '@jest/globals';
import { mayReach } from './public-address.js';

describe('mayReach', () => {
  it.each(['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8'])('permits the public address %s', (address) => {
    expect(mayReach(address, [])).toBe(true);
  });

  it.each([
    ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '10.1.2.3', '172.16.0.1', '192.168.1.1', '100.64.0.1'],
    ...['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
    ...['192.0.2.1', '198.18.0.1', '203.0.113.9', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ...['::', '::1', 'fe80::1', 'fc00::1', 'fd00:ec2::254', 'fec0::1', 'ff02::1', '2001:db8::1'],
    ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:169.254.169.254', '::ffff:10.0.0.1'],
    ...['::7f00:1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001:0:7f00:1::'],
    ...['localhost', '', '1.2.3', 'example.com'],
  ])('refuses %s', (address) => {
    expect(mayReach(address, [])).toBe(false);
  });

  it('permits the ranges that the operator allows and nothing else', () => {
    const allowed = ['10.20.0.0/16', 'fd12::/32', '127.0.0.1', '::ffff:10.30.0.0/112'];
    for (const address of [
      '10.20.3.4',
      'fd12:0:1::9',
      '127.0.0.1',
      '::ffff:127.0.0.1',
      '::ffff:10.20.0.1',
      '10.30.9.9',
    ])
      expect([address, mayReach(address, allowed)]).toEqual([address, true]);
    for (const address of ['10.21.0.1', 'fd13::1', '127.0.0.2', '::1'])
      expect([address, mayReach(address, allowed)]).toEqual([address, false]);
  });
});
