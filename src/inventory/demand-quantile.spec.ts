import { describe, expect, it } from '@jest/globals';
import { demandQuantile, leadTimeDistribution } from './demand-quantile.js';

describe('leadTimeDistribution', () => {
  it.each([
    ['few whole pieces that vary more than a Poisson count', 29, 29.1, 'smooth', true, 'negative_binomial'],
    ['few whole pieces that vary like a Poisson count', 25, 25, 'smooth', true, 'negative_binomial'],
    ['few whole pieces that vary less than a Poisson count', 29, 28.9, 'smooth', true, 'gamma'],
    ['many whole pieces', 30, 90, 'smooth', true, 'gamma'],
    ['few divisible units', 5, 10, 'smooth', false, 'gamma'],
    ['infrequent whole pieces that vary less than a Poisson count', 29, 3, 'lumpy', true, 'negative_binomial'],
    ['any number of infrequent whole pieces', 300, 900, 'intermittent', true, 'negative_binomial'],
    ['infrequent divisible demand', 2, 4, 'lumpy', false, 'gamma'],
  ])(
    'chooses the right distribution for %s (mean %d, variance %d)',
    (_, mean, variance, pattern, wholeUnits, expected) => {
      const sigma = Math.sqrt(variance);
      expect(leadTimeDistribution({ mean, sigma }, pattern, wholeUnits)).toBe(expected);
    },
  );
});

describe('demandQuantile', () => {
  it('reads whole pieces from the negative binomial distribution with these moments', () => {
    // Mean 2 and variance 6: failures before a success of probability 1/3, which are at most 7 with 1 - (2/3)^8 = .961.
    const { quantile, reached } = demandQuantile({ mean: 2, sigma: Math.sqrt(6) }, 'negative_binomial', 0.95);
    expect(quantile).toBe(7);
    expect(reached).toBeCloseTo(1 - (2 / 3) ** 8, 9);
  });

  it('is the mean when there is no variation', () => {
    expect(demandQuantile({ mean: 50, sigma: 0 }, 'gamma', 0.99)).toEqual({ quantile: 50, reached: 0.99 });
  });
});
