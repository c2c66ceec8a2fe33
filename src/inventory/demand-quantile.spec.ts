import { describe, expect, it } from '@jest/globals';
import { demandQuantile, leadTimeDistribution } from './demand-quantile.js';
import type { DemandForecast } from './types.js';

/** Two months of which quantiles tell that there may be no demand. */
function forecastOf(demandPattern: string, wholeUnits: boolean): DemandForecast {
  return {
    mean: [1, 1],
    quantiles: [0, 0, 1, 0, 0, 1],
    levels: [0.1, 0.5, 0.9],
    backtest: [],
    demandPattern,
    wholeUnits,
  };
}

describe('leadTimeDistribution', () => {
  it.each([
    ['few whole pieces that vary more than a Poisson count', 29, 29.1, 'smooth', true, 'negative_binomial'],
    ['few whole pieces that vary like a Poisson count', 25, 25, 'smooth', true, 'negative_binomial'],
    ['few whole pieces that vary less than a Poisson count', 29, 28.9, 'smooth', true, 'gamma'],
    ['many whole pieces', 30, 90, 'smooth', true, 'gamma'],
    ['few divisible units', 5, 10, 'smooth', false, 'gamma'],
    ['infrequent whole pieces that vary less than a Poisson count', 29, 3, 'lumpy', true, 'negative_binomial'],
    ['any number of infrequent whole pieces', 300, 900, 'intermittent', true, 'negative_binomial'],
    ['orders that come by chance', 2, 4, 'lumpy', false, 'compound_poisson'],
    ['orders that come by chance but vary less than a Poisson count', 2, 1, 'lumpy', false, 'compound_poisson'],
  ])(
    'chooses the right distribution for %s (mean %d, variance %d)',
    (_, mean, variance, pattern, wholeUnits, expected) => {
      expect(leadTimeDistribution({ mean, sigma: Math.sqrt(variance) }, forecastOf(pattern, wholeUnits), 2)).toBe(
        expected,
      );
    },
  );

  it('is a gamma distribution for orders of which one is certain, as in the season of goods', () => {
    const forecast = { ...forecastOf('lumpy', false), quantiles: [0, 0, 0, 0.8, 1, 1.2] };
    expect(leadTimeDistribution({ mean: 0.3, sigma: 1 }, forecast, 1)).toBe('compound_poisson');
    expect(leadTimeDistribution({ mean: 1.3, sigma: 1 }, forecast, 2)).toBe('gamma');
  });
});

describe('demandQuantile', () => {
  it('reads whole pieces from the negative binomial distribution with these moments', () => {
    // Mean 2 and variance 6: failures before a success of probability 1/3, which are at most 7 with 1 - (2/3)^8 = .961.
    const { quantile, reached } = demandQuantile({ mean: 2, sigma: Math.sqrt(6) }, 'negative_binomial', 0.95);
    expect(quantile).toBe(7);
    expect(reached).toBeCloseTo(1 - (2 / 3) ** 8, 9);
  });

  it('is the smallest number of pieces that covers orders at the level', () => {
    // a mean of .3 orders of ten pieces
    const demand = { mean: 0.3, sigma: Math.sqrt(0.45) };
    const exact = demandQuantile(demand, 'compound_poisson', 0.9).quantile;
    const { quantile, reached } = demandQuantile(demand, 'compound_poisson', 0.9, 0.1);
    expect(10 * quantile).toBeCloseTo(Math.round(10 * quantile), 9);
    expect(Math.abs(quantile - exact)).toBeLessThanOrEqual(0.05);
    expect(reached).toBeGreaterThan(0.9);
    expect(reached).toBeLessThan(0.92);
    expect(demandQuantile({ mean: 1, sigma: 0.3 }, 'gamma', 0.9, 0.1).quantile).toBeCloseTo(1.4, 9);
  });

  it.each([0.8, 0.85, 0.9, 0.95, 0.98, 0.99])(
    'is the number of pieces nearest to the quantile of %d, and reaches all that is rounded to it',
    (level) => {
      const demand = { mean: 0.3, sigma: Math.sqrt(0.45) };
      const exactAt = (share: number) => demandQuantile(demand, 'compound_poisson', share).quantile;
      const { quantile, reached } = demandQuantile(demand, 'compound_poisson', level, 0.1);
      expect(quantile).toBeCloseTo(0.1 * Math.round(10 * exactAt(level)), 9);
      expect(exactAt(reached)).toBeCloseTo(quantile + 0.05, 6);
    },
  );

  it('is no demand where no order is more likely than the level', () => {
    const { quantile, reached } = demandQuantile({ mean: 0.05, sigma: 0.3 }, 'compound_poisson', 0.9);
    expect(quantile).toBe(0);
    expect(reached).toBeCloseTo(Math.exp(-0.05), 9);
  });

  it('is the mean when there is no variation', () => {
    expect(demandQuantile({ mean: 50, sigma: 0 }, 'gamma', 0.99)).toEqual({ quantile: 50, reached: 0.99 });
  });
});
