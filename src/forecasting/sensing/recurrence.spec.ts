import { describe, expect, it } from '@jest/globals';
import { Recurrence } from './recurrence.js';

/** Two years with months alternately .1 above and below even days, in the second year `factor` times that. */
const repeatedTimes = (factor: number) =>
  new Recurrence(
    Array.from({ length: 24 }, (_, month) => {
      const excess = (month % 2 ? -0.1 : 0.1) * (month < 12 ? 1 : factor);
      return { month, excess: [excess, 0, -excess] };
    }),
  );

describe('the pattern of a calendar month from year to year', () => {
  it.each([
    ['recurs by two thirds when repeated exactly, given twelve pairs of months', 1, 12 / 18],
    ['recurs less the weaker it was in the second year', 0.5, 0.5 * (12 / 18)],
    ['recurs at most once, even if stronger in the second year', 2, 12 / 18],
    ['does not recur when the second year showed the opposite', -1, 0],
    ['does not recur when the second year showed nothing', 0, 0],
  ])('%s', (_, factor, strength) => {
    expect(repeatedTimes(factor).strength).toBeCloseTo(strength, 12);
  });

  it('is what the same month of the year before showed, when known', () => {
    const recurrence = repeatedTimes(1);
    expect([0, 1, 2].map((quarter) => recurrence.excessAt(26, quarter))).toEqual([
      expect.closeTo(0.1 * (12 / 18), 12),
      0,
      expect.closeTo(-0.1 * (12 / 18), 12),
    ]);
    expect([11, 12, 35, 36].map((month) => recurrence.knows(month))).toEqual([false, true, true, false]);
    expect(recurrence.excessAt(36, 0)).toBe(0);
  });
});
