import { describe, expect, it } from '@jest/globals';
import { fasterFrom, growthFactor, NO_GROWTH } from './constant-growth.js';

describe('constant growth', () => {
  it('is a factor a year, counted from its month', () => {
    const growth = fasterFrom(NO_GROWTH, 24, Math.log(1.2));
    expect(growthFactor(growth, 24)).toBe(1);
    expect(growthFactor(growth, 36)).toBeCloseTo(1.2, 12);
    expect(growthFactor(growth, 12)).toBeCloseTo(1 / 1.2, 12);
  });

  it('goes on from where it is when its rate changes', () => {
    const before = fasterFrom(NO_GROWTH, 0, 0.2);
    const after = fasterFrom(before, 30, -0.5);
    expect(growthFactor(after, 30)).toBeCloseTo(growthFactor(before, 30), 12);
    expect(growthFactor(after, 42) / growthFactor(after, 30)).toBeCloseTo(Math.exp(-0.3), 12);
  });

  it('changes a root by a factor of e a year at most', () => {
    expect(fasterFrom(NO_GROWTH, 0, 7).rate).toBe(1);
    expect(fasterFrom(NO_GROWTH, 0, -7).rate).toBe(-1);
  });
});
