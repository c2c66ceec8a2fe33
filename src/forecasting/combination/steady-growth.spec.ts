import { describe, expect, it } from '@jest/globals';
import { steadyGrowth } from './steady-growth.js';

const months = (count: number, demand: (t: number) => number): Float64Array =>
  Float64Array.from({ length: count }, (_, t) => demand(t));
/** Yearly changes alternately `wobble / 2` above and below 24, with a season. */
const growing = (wobble: number, sign = 1): Float64Array =>
  months(60, (t) => 500 + sign * (2 * t + (Math.floor(t / 12) % 2 === t % 2 ? wobble / 2 : 0)) + 40 * (t % 12));

const withGaps = (missing: readonly number[]): Float64Array => months(60, (t) => (missing.includes(t) ? NaN : 100 + t));

describe('steadyGrowth', () => {
  it.each([
    ['a line', growing(0), 1],
    ['a falling line', growing(0, -1), 1],
    ['changes that vary by a sixth of their mean', growing(8), 1],
    ['changes that vary by a fifth', growing(9.6), 2 / 3],
    ['changes that vary by a third', growing(16), 0],
    ['noise', months(60, (t) => 100 + ((t * 7) % 11)), 0],
    ['a repeating year', months(60, (t) => 100 + (t % 12)), 0],
    ['no demand', months(60, () => 0), 0],
    ['less than four years', growing(0).subarray(13), 0],
    ['a line with three missing months', withGaps([30, 35, 40]), 1],
    ['a line with four missing months', withGaps([30, 33, 35, 40]), 0],
  ])('of %s', (_, values, expected) => {
    expect(steadyGrowth(values)).toBeCloseTo(expected, 9);
    expect(steadyGrowth(values.map((value) => value * 1e9))).toBeCloseTo(expected, 9);
  });

  it('considers only the last four years', () => {
    expect(steadyGrowth(Float64Array.of(...months(40, (t) => ((t * 7) % 11) * 50), ...growing(0)))).toBe(1);
  });
});
