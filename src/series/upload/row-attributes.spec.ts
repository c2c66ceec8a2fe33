import { describe, expect, it } from '@jest/globals';
import { readAttributes } from './row-attributes.js';

describe('the stock target in a row', () => {
  it('is a number', () => {
    expect(readAttributes([['lead_time_months', 2.75]])).toEqual({ leadTimeMonths: 2.75 });
  });

  it.each(['1.5', -1, NaN, true, [2], {}])('is not %p', (written) => {
    expect(readAttributes([['lead_time_months', written]])).toMatchObject({ field: 'lead_time_months' });
  });

  it.each(['', '  ', null, undefined])('is not given by %p', (written) => {
    expect(readAttributes([['target_service_level', written]])).toEqual({});
  });
});
