import { describe, expect, it } from '@jest/globals';
import { exposed } from '../testing/series.js';
import { FEATURES, writeFeatures } from './features.js';

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
