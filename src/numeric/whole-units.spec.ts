import { describe, expect, it } from '@jest/globals';
import { isInWholeUnits } from './whole-units.js';

describe('whole units', () => {
  it.each([
    [[3, 0, NaN, -2], true],
    [[3, 0.5], false],
    [[NaN, NaN], true],
    [[], true],
  ])('of %p: %p', (values, whole) => {
    expect(isInWholeUnits(Float64Array.from(values))).toBe(whole);
  });
});
