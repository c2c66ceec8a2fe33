import { describe, expect, it } from '@jest/globals';
import { normalQuantile } from '../numeric/normal.js';
import { createRandom } from '../numeric/random.js';
import { pooledRatio, pooledRelativeSpread, poolErrors } from './error-pool.js';
import type { DemandForecast } from './types.js';

const LEVELS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const MEAN = 1000;
const SIGMA = 50;

/** Forecasts whose normal quantiles have the standard deviation 50, each with one month missed by a normal error. */
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
  it.each([0.5, 1, 1.5])('is %p at every level where normal errors have that share of the forecast spread', (share) => {
    const pool = poolErrors(forecasts(20_000, share * SIGMA), 1).regular[0]!;
    for (const level of [0.8413, 0.9, 0.95, 0.99])
      expect(Math.abs(pooledRatio(pool, level) / share - 1)).toBeLessThan(0.03);
  });

  it('reads no further into the tail than five errors lie beyond, and nothing from fewer than ten', () => {
    const pool = poolErrors(forecasts(50, SIGMA), 1).regular[0]!;
    expect(pooledRatio(pool, 0.999)).toBe(pooledRatio(pool, 0.95));
    expect(pooledRatio(poolErrors(forecasts(9, SIGMA), 1).regular[0]!, 0.9)).toBeNaN();
  });
});

describe('pooledRelativeSpread', () => {
  it('is the standard deviation of normal errors relative to the forecast', () => {
    const pool = poolErrors(forecasts(20_000, SIGMA), 1).regular[0]!;
    expect(Math.abs(pooledRelativeSpread(pool) / (SIGMA / MEAN) - 1)).toBeLessThan(0.03);
  });
});
