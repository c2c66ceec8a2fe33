import { describe, expect, it } from '@jest/globals';
import { pooledDispersion, seriesDispersion } from './dispersion.js';
import { FEATURES, writeFeatures } from './features.js';
import { demandScale, discountedSums, logOdds, seriesRates, workspaceRates } from './rates.js';

describe('demandScale', () => {
  it('is a fifth of the mean size of a demand, in the first months only, and one at least', () => {
    const counts = Float64Array.of(0, 100, 0, 50, 0, 9000);
    expect(demandScale(counts, 5)).toBe(15);
    expect(demandScale(counts, 3)).toBe(20);
    expect(demandScale(Float64Array.of(0, 2, 4), 3)).toBe(1);
    expect(demandScale(counts, 1)).toBe(1);
  });
});

describe('workspaceRates', () => {
  it('are means over all months of all series', () => {
    const demands = [Float64Array.of(0, 3, 0, 0), Float64Array.of(2, 5, 0, 0, 0, 0)];
    expect(workspaceRates(demands)).toEqual({ demand: 1, chance: 0.3 });
  });

  it('have usual values where there is no demand', () => {
    expect(workspaceRates([new Float64Array(9)])).toEqual(workspaceRates([]));
    expect(workspaceRates([]).chance).toBeGreaterThan(0);
  });
});

describe('seriesRates', () => {
  it('discount months by .85 for each month of age, beside five months of the workspace', () => {
    const weight = 1 + 0.85 + 0.85 ** 2;
    const { demand, chance } = seriesRates(Float64Array.of(4, 0, 2), { demand: 1, chance: 0.3 });
    expect(demand).toBeCloseTo((4 * 0.85 ** 2 + 2 + 5 * 1) / (weight + 5), 12);
    expect(chance).toBeCloseTo((0.85 ** 2 + 1 + 5 * 0.3) / (weight + 5), 12);
    expect(discountedSums(Float64Array.of(4, 0, 2), 0.5)).toEqual({ value: 3, weight: 1.75 });
  });
});

describe('logOdds', () => {
  it('is the logarithm of the odds, finite for a chance of none and of certainty', () => {
    expect(logOdds(0.75)).toBeCloseTo(Math.log(3), 12);
    expect(logOdds(1)).toBeCloseTo(Math.log(999), 9);
    expect(logOdds(0)).toBeCloseTo(-Math.log(999), 9);
  });
});

describe('writeFeatures', () => {
  const rates = { demand: 0.5, chance: 0.3 };
  const features = (...demand: number[]) => {
    const out = new Float64Array(FEATURES + 2).fill(-1);
    writeFeatures({ demand: Float64Array.from(demand), scale: 2 }, rates, out, 1);
    expect([out[0], out.at(-1)]).toEqual([-1, -1]);
    return [...out.subarray(1, -1)];
  };
  /** Of a sum over months, shrunk by half a month of the workspace's mean. */
  const rate = (sum: number, months: number) => Math.log((sum + 0.25) / (months + 0.5) / 0.5);

  it('tells of fourteen months by hand', () => {
    const told = features(0, 3, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 4, 0);
    const discounts = (1 - 0.9 ** 14) / 0.1;
    const expected = [
      rate(3 * 0.9 ** 12 + 2 * 0.9 ** 5 + 4 * 0.9, discounts),
      1, // months since the last demand
      1, // months before the first
      rate(4, 3),
      2 / 12,
      3 / 14,
      (2 * 9) / 3, // mean size in steps: scale 2
      4,
      (6 + 0.5) / (0 + 0.5),
      rate(9, 13),
    ];
    expect(told).toHaveLength(FEATURES);
    told.forEach((value, j) => expect(value).toBeCloseTo(expected[j]!, 9));
  });

  it('tells of two months by what there is, and of none with demand', () => {
    expect(features(0, 1).slice(3, 6)).toEqual([expect.closeTo(rate(1, 2), 9), 0.5, 0.5]);
    const unsold = features(0, 0, 0);
    expect(unsold.slice(1, 3)).toEqual([3, 3]);
    expect(unsold.slice(4, 9)).toEqual([0, 0, 0, 0, 1]);
    expect(unsold[9]).toBeCloseTo(rate(0, 1), 9);
  });
});

describe('dispersion', () => {
  const rates = { demand: 2, chance: 0.5 };
  /** Sizes 0 and 4 in turn: mean 2, variance 4. */
  const turning = Float64Array.from({ length: 400 }, (_, t) => 4 * (t % 2));

  it('is variance over mean: 2 where none and four are as likely', () => {
    expect(pooledDispersion([turning], rates)).toBeCloseTo(2, 1);
    expect(seriesDispersion(turning, rates, 2)).toBeCloseTo(2, 1);
  });

  it('adds the series up before it divides', () => {
    const steady = new Float64Array(400).fill(2);
    expect(pooledDispersion([turning, steady], rates)).toBeCloseTo(1, 1);
    expect(pooledDispersion([turning, turning, steady], rates)).toBeCloseTo(4 / 3, 1);
  });

  it('leans towards the pooled one by twenty months beside some fifty of a long history', () => {
    const shrunk = seriesDispersion(turning, rates, 9);
    expect(shrunk).toBeCloseTo((50 * 2 + 20 * 9) / 70, 1);
    expect(seriesDispersion(Float64Array.of(2), rates, 9)).toBeCloseTo((20 * 9) / 21, 1);
  });

  it('is that of slightly clustered orders where there is no demand', () => {
    expect(pooledDispersion([], rates)).toBe(1.5);
  });
});
