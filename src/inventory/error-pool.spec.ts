import { describe, expect, it } from '@jest/globals';
import { normalQuantile } from '../numeric/normal.js';
import { createRandom } from '../numeric/random.js';
import { mergeErrorPools, pooledRatio, pooledRelativeSpread, poolErrors } from './error-pool.js';
import type { DemandForecast } from './types.js';

const LEVELS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const MEAN = 1000;
const SIGMA = 50;

/** Forecasts with normal quantiles of standard deviation 50, each with one month and a normal error. */
function forecasts(count: number, errorSigma: number): DemandForecast[] {
  const random = createRandom(3);
  const quantiles = LEVELS.map((level) => MEAN + SIGMA * normalQuantile(level));
  return Array.from({ length: count }, () => ({
    mean: [MEAN],
    quantiles,
    levels: LEVELS,
    backtest: [{ actual: [MEAN + errorSigma * normalQuantile(random())], mean: [MEAN], quantiles }],
    demandPattern: 'smooth',
    wholeUnits: false,
  }));
}

describe('pooledRatio', () => {
  it.each([0.5, 1, 1.5])('is %p at every level for normal errors with that share of the forecast spread', (share) => {
    const pool = poolErrors(forecasts(20_000, share * SIGMA), 1).regular[0]!;
    for (const level of [0.8413, 0.9, 0.95, 0.99])
      expect(Math.abs(pooledRatio(pool, level) / share - 1)).toBeLessThan(0.03);
  });

  it('looks no further into the tail than five errors, and needs at least ten', () => {
    const pool = poolErrors(forecasts(50, SIGMA), 1).regular[0]!;
    expect(pooledRatio(pool, 0.999)).toBe(pooledRatio(pool, 0.95));
    expect(pooledRatio(pool, 0.95)).not.toBe(pooledRatio(pool, 0.949));
    expect(pooledRatio(poolErrors(forecasts(9, SIGMA), 1).regular[0]!, 0.9)).toBeNaN();
    expect(pooledRatio(poolErrors(forecasts(10, SIGMA), 1).regular[0]!, 0.9)).toBeGreaterThan(0);
  });
});

describe('pooledRelativeSpread', () => {
  it('is the standard deviation of normal errors relative to the forecast', () => {
    const pool = poolErrors(forecasts(20_000, SIGMA), 1).regular[0]!;
    expect(Math.abs(pooledRelativeSpread(pool) / (SIGMA / MEAN) - 1)).toBeLessThan(0.03);
  });
});

describe('poolErrors', () => {
  /** A forecast of 100 with a standard deviation of 10 and one backtest window with these errors. */
  function missing(errors: readonly number[], demandPattern = 'smooth'): DemandForecast {
    const mean = errors.map(() => 100);
    const quantiles = errors.flatMap(() => LEVELS.map((level) => 100 + 10 * normalQuantile(level)));
    const window = { actual: errors.map((error) => 100 + error), mean, quantiles };
    return { mean, quantiles, levels: LEVELS, backtest: [window], demandPattern, wholeUnits: false };
  }

  it('counts only the first error of a window, relative to its spread and to its forecast', () => {
    const pool = poolErrors([missing([14.5, 20]), missing([-24.5, NaN])], 2).regular;
    expect(pool[0]!.errors).toBe(2);
    const filled = pool[0]!.ratios.flatMap((count, bin) => (count > 0 ? [{ bin, count }] : []));
    expect(filled).toEqual([
      { bin: 14, count: 1 },
      { bin: 24, count: 1 },
    ]);
    expect(pool[0]!.squaredRatio).toBeCloseTo(1.45 ** 2 + 2.45 ** 2, 6);
    expect(pool[0]!.logRelative).toBeCloseTo(Math.log(0.145 ** 2) + Math.log(0.245 ** 2), 9);
    expect(pool[0]!.dispersion).toBeCloseTo(14.5 ** 2 / 100 + 24.5 ** 2 / 100, 9);
    // Over a lead time of two the months add up; a missing one excludes the error.
    expect(pool[1]!.errors).toBe(1);
    expect(pool[1]!.dispersion).toBeCloseTo(34.5 ** 2 / 200, 9);
  });

  it('limits the influence of a single error: at most six spreads, a dispersion of 100, and a thousandth for an exact hit', () => {
    const [far] = poolErrors([missing([900])], 1).regular;
    expect(far!.ratios.at(-1)).toBe(1);
    expect(far!.squaredRatio).toBeCloseTo(36, 9);
    expect(far!.dispersion).toBe(100);
    expect(poolErrors([missing([0])], 1).regular[0]!.logRelative).toBeCloseTo(2 * Math.log(0.001), 9);
  });

  it('separates regular and infrequent demand, and skips series without a forecast or spread', () => {
    const flat = { ...missing([5]), backtest: [{ actual: [105], mean: [100], quantiles: LEVELS.map(() => 100) }] };
    const none = { ...missing([5]), backtest: [{ ...missing([5]).backtest[0]!, mean: [0] }] };
    const { regular, infrequent } = poolErrors([missing([5]), missing([5], 'lumpy'), flat, none], 1);
    expect([regular[0]!.errors, infrequent[0]!.errors]).toEqual([1, 1]);
  });

  it('adds two pools, even of different lead times', () => {
    const series = Array.from({ length: 30 }, (_, i) => missing([i - 15, i], i % 3 ? 'smooth' : 'lumpy'));
    const merged = mergeErrorPools(poolErrors(series.slice(0, 11), 1), poolErrors(series.slice(11), 2));
    const [all, later] = [poolErrors(series, 2), poolErrors(series.slice(11), 2)];
    expect(mergeErrorPools(poolErrors(series, 2), poolErrors([], 1))).toEqual(all);
    for (const kind of ['regular', 'infrequent'] as const) {
      for (const [m, expected] of [all[kind][0]!, later[kind][1]!].entries()) {
        const { ratios, ...sums } = merged[kind][m]!;
        expect(ratios).toEqual(expected.ratios);
        for (const [name, sum] of Object.entries(sums)) {
          expect(sum).toBeCloseTo(expected[name as keyof typeof sums], 9);
        }
      }
    }
  });
});
