import { describe, expect, it } from '@jest/globals';
import { InfrequentSeason } from './infrequent-season.js';

const JANUARY = 24_240;

function seasonOf(months: number, demand: (t: number) => number): InfrequentSeason {
  const season = new InfrequentSeason(JANUARY);
  for (let t = 0; t < months; t++) if (Number.isFinite(demand(t))) season.record(t, demand(t));
  return season;
}

/** Four orders a month from January to June, none in the other months. */
const halfYear = (t: number) => (t % 12 < 6 ? 4 : 0);
const yearOf = (season: InfrequentSeason, from: number, unit = 1) =>
  Array.from({ length: 12 }, (_, m) => season.factor(from + m, unit));

describe('InfrequentSeason', () => {
  it('is flat in the first year, for steady demand and before the first demand', () => {
    expect(yearOf(seasonOf(12, halfYear), 12)).toEqual(new Array(12).fill(1));
    for (const factor of yearOf(
      seasonOf(60, () => 3),
      60,
    ))
      expect(factor).toBeCloseTo(1, 10);
    expect(seasonOf(36, () => 0).factor(36, Infinity)).toBe(1);
  });

  it('finds the selling months, with factors that average one over the year', () => {
    const factors = yearOf(seasonOf(72, halfYear), 72);
    expect(factors.reduce((sum, factor) => sum + factor, 0)).toBeCloseTo(12, 10);
    for (const month of [1, 2, 3, 4]) expect(factors[month]).toBeGreaterThan(1.8);
    for (const month of [7, 8, 9, 10]) expect(factors[month]).toBeLessThan(0.2);
  });

  it('is weaker when based on few orders', () => {
    const season = seasonOf(36, halfYear);
    expect(season.factor(38, 1)).toBeGreaterThan(season.factor(38, 20) + 0.3);
    expect(season.factor(38, 20)).toBeGreaterThan(1);
  });

  it('does not mistake a rise in the latest half year for season', () => {
    const before = yearOf(seasonOf(48, halfYear), 60);
    const after = yearOf(
      seasonOf(54, (t) => (t >= 48 ? 9 * halfYear(t) : halfYear(t))),
      60,
    );
    for (const month of [0, 1, 2, 3, 4, 5]) expect(after[month]).toBeLessThan(1.2 * before[month]!);
  });

  it('estimates a month only from the same months of other years', () => {
    const once = seasonOf(60, (t) => (t === 38 ? 40 : 1));
    expect(once.factor(38, 1)).toBeLessThan(1.3);
    expect(once.factor(26, 1)).toBeGreaterThan(2);
  });

  it('skips missing months and follows a changing level', () => {
    const gaps = seasonOf(72, (t) => (t % 7 === 3 ? NaN : halfYear(t)));
    const doubled = seasonOf(72, (t) => halfYear(t) * (t < 36 ? 1 : 2));
    for (const season of [gaps, doubled]) {
      expect(season.factor(74, 1)).toBeGreaterThan(1.6);
      expect(season.factor(80, 1)).toBeLessThan(0.3);
    }
  });
});
