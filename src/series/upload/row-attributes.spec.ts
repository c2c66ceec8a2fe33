import { describe, expect, it } from '@jest/globals';
import { readAttributes } from './row-attributes.js';

describe('the stock target in a row', () => {
  it.each([
    ['1.5', 1.5],
    ['1,5', 1.5],
    [' .25 ', 0.25],
    ['3', 3],
    [2.75, 2.75],
  ])('is the number of %p', (written, leadTimeMonths) => {
    expect(readAttributes([['lead_time_months', written]])).toEqual({ leadTimeMonths });
  });

  it.each(['1 month', '1e1', '0x2', '-1', '1.2.3', true, [2], {}])('is no number of %p', (written) => {
    expect(readAttributes([['lead_time_months', written]])).toMatchObject({ field: 'lead_time_months' });
  });

  it.each(['', '  ', null, undefined])('is not given by %p', (written) => {
    expect(readAttributes([['target_service_level', written]])).toEqual({});
  });
});
