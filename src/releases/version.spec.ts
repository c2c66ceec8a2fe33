import { describe, expect, it } from '@jest/globals';
import { isVersion } from './version.js';

describe('isVersion', () => {
  it.each(['0.0.1', '1.4.0', '10.20.30', '2.0.0-beta.1', '1.0.0-0.3.7', '1.0.0-x-y-z.-'])('accepts %s', (version) => {
    expect(isVersion(version)).toBe(true);
  });

  it.each([
    ...[
      '',
      '1',
      '1.2',
      '1.2.3.4',
      'v1.2.3',
      '=1.2.3',
      ' 1.2.3',
      '1.2.3\n',
      '01.2.3',
      '1.2.3-',
      '1.2.3-01',
      '1.2.x',
      'latest',
    ],
    ...['1.2.3+build', '99999999999999999999.0.0', `1.0.0-${'a'.repeat(100)}`],
  ])('rejects %j', (version) => {
    expect(isVersion(version)).toBe(false);
  });
});
