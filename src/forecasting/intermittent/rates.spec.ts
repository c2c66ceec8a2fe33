import { describe, expect, it } from '@jest/globals';
import { exposed } from '../testing/series.js';
import {
  demandScale,
  discountedSums,
  largestRate,
  logOdds,
  seriesChance,
  seriesRate,
  workspaceRates,
} from './rates.js';

describe('demandScale', () => {
  it('is a fifth of the mean demand size in the first months only, and at least one', () => {
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
    expect(workspaceRates(demands.map((demand) => exposed(demand)))).toEqual({
      demand: 1,
      chance: expect.closeTo(0.3, 9),
    });
  });

  it('have default values when there is no demand', () => {
    expect(workspaceRates([exposed(new Float64Array(9))])).toEqual(workspaceRates([]));
    expect(workspaceRates([]).chance).toBeGreaterThan(0);
  });
});

describe('the rates of a series', () => {
  it('discount months by .85 per month of age, shrunk by five months of the workspace', () => {
    const weight = 1 + 0.85 + 0.85 ** 2;
    const series = exposed(Float64Array.of(4, 0, 2));
    const workspace = { demand: 1, chance: 0.3 };
    expect(seriesRate(series, workspace.demand)).toBeCloseTo((4 * 0.85 ** 2 + 2 + 5 * 1) / (weight + 5), 12);
    expect(seriesChance(series, workspace)).toBeCloseTo((0.85 ** 2 + 1 + 5 * 0.3) / (weight + 5), 9);
    expect(discountedSums(series, 0.5)).toEqual({ demand: 3, exposure: 1.75 });
  });

  it('are at most two standard deviations above the total orders of the series', () => {
    const rare = Float64Array.from({ length: 60 }, (_, t) => (t % 20 === 10 ? 2 : 0));
    expect(largestRate(exposed(rare))).toBeCloseTo((2 * (Math.sqrt(3 + 1) + 1) ** 2) / 50, 12);
    expect(largestRate(exposed(new Float64Array(60)))).toBe(Infinity);
  });

  it('are demand over exposure, and a missing month only makes the others older', () => {
    const series = exposed(Float64Array.of(4, 0, 2), Float64Array.of(2, 0, 0.5));
    const weight = 2 * 0.85 ** 2 + 0.5;
    expect(seriesRate(series, 1)).toBeCloseTo((4 * 0.85 ** 2 + 2 + 5) / (weight + 5), 12);
  });
});

describe('logOdds', () => {
  it('is the logarithm of the odds, finite for chances of zero and one', () => {
    expect(logOdds(0.75)).toBeCloseTo(Math.log(3), 12);
    expect(logOdds(1)).toBeCloseTo(Math.log(999), 9);
    expect(logOdds(0)).toBeCloseTo(-Math.log(999), 9);
  });
});
