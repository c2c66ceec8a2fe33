import { describe, expect, it } from '@jest/globals';
import { parseInstant } from './instant.js';

const SIX = '2026-11-21T06:00:00.000Z';

describe('an ISO 8601 instant', () => {
  it.each([
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['20261121', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21T06:00:00Z', SIX],
    ['2026-11-21T06:00', SIX],
    ['2026-11-21T06Z', SIX],
    ['20261121T060000Z', SIX],
    ['20261121T0730+0130', SIX],
    ['2026-11-21T06:00:00+00', SIX],
    ['2026-11-21T00:30:00-05:30', SIX],
    ['2026-11-21T06:00:00.5Z', '2026-11-21T06:00:00.500Z'],
    ['2026-11-21T06:00:00,123456789012+00:00', '2026-11-21T06:00:00.123Z'],
    ['2026-11-20T24:00:00Z', '2026-11-21T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('can be written as %s', (text, instant) => {
    expect(parseInstant(text)?.toISOString()).toBe(instant);
  });

  it.each([
    ['a day that does not exist', '2026-02-30T06:00:00Z'],
    ['an hour that does not exist', '2026-11-21T25:00:00Z'],
    ['an offset that does not exist', '2026-11-21T06:00:00+25:00'],
    ['half a basic date', '2026-1121'],
    ['half a basic time', '2026-11-21T06:0000Z'],
    ['a T without a time', '2026-11-21T'],
    ['an offset without a time', '2026-11-21+01:00'],
    ['written with a space for the + of the offset', '2026-11-21T06:00:00 01:00'],
    ['after the year 9999 in UTC', '9999-12-31T23:59:59-23:59'],
    ['midnight at the end of the year 9999', '9999-12-31T24:00:00Z'],
    ['before the year 0 in UTC', '0000-01-01T00:00:00+00:01'],
    ['a month', '2026-11'],
    ['a week', '2026-W47-6'],
    ['seconds since 1970', '1795239600'],
  ])('cannot be %s', (_what, text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});
