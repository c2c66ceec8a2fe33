import { describe, expect, it } from '@jest/globals';
import { createRandom } from '../../numeric/random.js';
import { exposed } from '../testing/series.js';
import { DemandMonths } from './demand-chance.js';
import { pooledDispersion, seriesDispersion } from './dispersion.js';
import { FEATURES, writeFeatures } from './features.js';
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

describe('DemandMonths', () => {
  it('is the share of months with demand when all have equal exposure', () => {
    expect(new DemandMonths().add(exposed(Float64Array.of(0, 3, 0, 1, 0))).chance()).toBeCloseTo(0.4, 9);
    expect(new DemandMonths().add(exposed(new Float64Array(5))).chance()).toBe(0);
    expect(new DemandMonths().add(exposed(Float64Array.of(2, 3))).chance()).toBe(1);
    expect(new DemandMonths().chance()).toBe(0);
  });

  it('matches the expected number of months with demand to the actual one when exposures differ', () => {
    const exposure = Float64Array.of(0.2, 1.8, 0.6, 1.4, 0, 3);
    const chance = new DemandMonths().add(exposed(Float64Array.of(0, 1, 0, 0, 0, 2), exposure)).chance();
    expect(exposure.reduce((sum, f) => sum + 1 - (1 - chance) ** f, 0)).toBeCloseTo(2, 9);
    expect(new DemandMonths().add(exposed(Float64Array.of(2, 3), Float64Array.of(0.5, 1.5))).chance()).toBeCloseTo(
      0.999,
      9,
    );
  });
});

describe('logOdds', () => {
  it('is the logarithm of the odds, finite for chances of zero and one', () => {
    expect(logOdds(0.75)).toBeCloseTo(Math.log(3), 12);
    expect(logOdds(1)).toBeCloseTo(Math.log(999), 9);
    expect(logOdds(0)).toBeCloseTo(-Math.log(999), 9);
  });
});

describe('writeFeatures', () => {
  const rates = { demand: 0.5, chance: 0.3 };
  const features = (...demand: number[]) => {
    const out = new Float64Array(FEATURES + 2).fill(-1);
    writeFeatures({ ...exposed(Float64Array.from(demand)), scale: 2, measured: false }, rates, out, 1);
    expect([out[0], out.at(-1)]).toEqual([-1, -1]);
    return [...out.subarray(1, -1)];
  };
  /** Log rate of a sum over months, shrunk by half a month of the workspace's mean. */
  const rate = (sum: number, months: number) => Math.log((sum + 0.25) / (months + 0.5) / 0.5);

  it('gives the same mean size for all measured demand, whatever its first months were', () => {
    const sizeOf = (...demand: number[]) => {
      const out = new Float64Array(FEATURES);
      writeFeatures({ ...exposed(Float64Array.from(demand)), scale: 2, measured: true }, rates, out, 0);
      return out[6];
    };
    expect([sizeOf(9, 0, 11), sizeOf(14, 0, 0), sizeOf(0, 0, 0)]).toEqual([20, 20, 0]);
  });

  it('agrees with fourteen months computed by hand', () => {
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
      (4 + 0.25) / 1.5, // the last demand, shrunk likewise
      (6 + 0.5) / (0 + 0.5),
      rate(9, 13),
    ];
    expect(told).toHaveLength(FEATURES);
    told.forEach((value, j) => expect(value).toBeCloseTo(expected[j]!, 9));
  });

  it('uses the months there are when there are only two, or none with demand', () => {
    expect(features(0, 1).slice(3, 6)).toEqual([expect.closeTo(rate(1, 2), 9), 0.5, 0.5]);
    const unsold = features(0, 0, 0);
    expect(unsold.slice(1, 3)).toEqual([3, 3]);
    expect(unsold.slice(4, 8)).toEqual([0, 0, 0, 0]);
    expect(unsold[8]).toBeCloseTo(0.5 / 4 / 0.5, 9); // three months without demand, and none before
    expect(unsold[9]).toBeCloseTo(rate(0, 1), 9);
  });
});

describe('features for seasonal demand', () => {
  const rates = { demand: 0.5, chance: 0.3 };
  const features = (demand: Float64Array, exposure: Float64Array): Float64Array => {
    const out = new Float64Array(FEATURES);
    writeFeatures({ ...exposed(demand, exposure), scale: 1, measured: false }, rates, out, 0);
    return out;
  };

  it('ignore a month of zero exposure: neither silence nor an old sale', () => {
    const [, silent, before] = features(Float64Array.of(0, 2, 0, 0), Float64Array.of(0.5, 1.5, 0, 0.25));
    expect([before, silent]).toEqual([0.5, 0.25]);
  });

  it('equal those of even demand when demand is proportional to exposure', () => {
    const exposure = Float64Array.from({ length: 24 }, (_, t) => 0.5 + (t % 3) / 2);
    const seasonal = features(
      exposure.map((f) => 12 * f),
      exposure,
    );
    const even = features(new Float64Array(24).fill(12), new Float64Array(24).fill(1));
    // discounted rate, last three months, share of months with demand, half years, all since the first demand
    for (const j of [3, 4, 5, 8, 9]) expect(seasonal[j]).toBeCloseTo(even[j]!, 1);
  });
});

describe('dispersion', () => {
  const rates = { demand: 2, chance: 0.5 };
  /** Alternately 0 and 4: mean 2, variance 4. */
  const turning = Float64Array.from({ length: 400 }, (_, t) => 4 * (t % 2));

  it('is variance over mean: 2 when zero and four are equally likely', () => {
    expect(pooledDispersion([exposed(turning)], rates)).toBeCloseTo(2, 1);
    expect(seriesDispersion(exposed(turning), rates, 2)).toBeCloseTo(2, 1);
  });

  it('sums over series before dividing', () => {
    const steady = new Float64Array(400).fill(2);
    expect(pooledDispersion([exposed(turning), exposed(steady)], rates)).toBeCloseTo(1, 1);
    expect(
      pooledDispersion(
        [turning, turning, steady].map((one) => exposed(one)),
        rates,
      ),
    ).toBeCloseTo(4 / 3, 1);
  });

  it('is shrunk toward the pooled one by twenty months against some fifty of a long history', () => {
    const shrunk = seriesDispersion(exposed(turning), rates, 9);
    expect(shrunk).toBeCloseTo((50 * 2 + 20 * 9) / 70, 1);
    expect(seriesDispersion(exposed(Float64Array.of(2)), rates, 9)).toBeCloseTo((20 * 9) / 21, 1);
  });

  it('is that of a Poisson distribution when random orders follow their season', () => {
    const random = createRandom(3);
    const exposure = Float64Array.from({ length: 120 }, (_, t) => 1 + 0.9 * Math.cos((2 * Math.PI * t) / 12));
    const pieces = (mean: number): number =>
      Array.from({ length: 100 }, random).filter((one) => one < mean / 100).length;
    const all = Array.from({ length: 60 }, () =>
      exposed(
        Float64Array.from(exposure, (f) => pieces(2 * f)),
        exposure,
      ),
    );
    expect(Math.abs(pooledDispersion(all, rates) - 1)).toBeLessThan(0.05);
  });

  it('adds the variance lost to factors fitted to the months', () => {
    const fitted = { ...exposed(turning), uncertainty: new Float64Array(400).fill(0.25) };
    expect(seriesDispersion(fitted, rates, 2) - seriesDispersion(exposed(turning), rates, 2)).toBeCloseTo(
      (2 * 0.25 * 50) / 70,
      1,
    );
  });

  it('is that of slightly clustered orders when there is no demand', () => {
    expect(pooledDispersion([], rates)).toBe(1.5);
  });
});
