import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { gammaCdf, gammaQuantile, logGamma } from './gamma.js';

describe('gamma distribution', () => {
  it('matches the gamma function of half integers', () => {
    expect(logGamma(0.5)).toBeCloseTo(0.5 * Math.log(Math.PI), 12);
    expect(logGamma(11)).toBeCloseTo(Math.log(3_628_800), 10);
  });

  it('agrees with chi-square tables: 95 % of 8 degrees of freedom is 15.50731', () => {
    // Mean 10 and sd 5 are shape 4 and scale 2.5, hence 2.5/2 times the chi-square quantile.
    expect(gammaQuantile(10, 5, 0.95)).toBeCloseTo((15.50731 * 2.5) / 2, 4);
    expect(gammaCdf(4, 15.50731 / 2)).toBeCloseTo(0.95, 6);
  });

  it('is an exponential distribution when sigma equals the mean', () => {
    expect(gammaQuantile(3, 3, 0.99)).toBeCloseTo(-3 * Math.log(0.01), 8);
  });

  // scipy 1.17.1: gamma.ppf(level, shape, scale=100 / shape)
  it.each([
    [0.05, 0.9, 152.6342278183781],
    [0.3, 0.5, 24.377045288983997],
    [1000, 0.3, 98.31784467578987],
    [30_000, 0.5, 99.99888889108371],
    [99_000, 0.3, 99.83309078198512],
    [99_000, 0.999, 100.98501962872312],
  ])('agrees with scipy for shape %p at %p', (shape, level, expected) => {
    expect(gammaQuantile(100, 100 / Math.sqrt(shape), level) / expected).toBeCloseTo(1, 9);
  });

  it.each([
    [1, 1e160, 0],
    [1e300, Infinity, 0],
    [1e83, 1e215, 0],
    [Infinity, Infinity, NaN],
    [Infinity, 1, NaN],
  ])('returns at once beyond the number range, mean %p and sigma %p', (mean, sigma, expected) => {
    expect(gammaQuantile(mean, sigma, 0.9)).toBe(expected);
  });

  it('is finite, non-negative and increasing in the level over all magnitudes', () => {
    const exponents = fc.tuple(
      fc.double({ min: -250, max: 250, noNaN: true }),
      fc.double({ min: -9, max: 250, noNaN: true }),
    );
    fc.assert(
      fc.property(exponents, ([size, variation]) => {
        const mean = 10 ** size;
        const quantiles = [0.1, 0.5, 0.9, 0.999].map((level) => gammaQuantile(mean, mean * 10 ** variation, level));
        expect(quantiles.every((quantile) => Number.isFinite(quantile) && quantile >= 0)).toBe(true);
        expect(quantiles).toEqual([...quantiles].sort((a, b) => a - b));
      }),
      { numRuns: 300, seed: 5 },
    );
  });

  it.each([
    [1e-9, 5e-9],
    [0.01, 2],
    [1e12, 1e5],
    [1e9, 5e8],
  ])('inverts its cumulative probability at mean %p and sigma %p', (mean, sigma) => {
    const shape = (mean / sigma) ** 2;
    const quantile = gammaQuantile(mean, sigma, 0.999);
    expect(Number.isFinite(quantile)).toBe(true);
    if (shape < 1e5) expect(gammaCdf(shape, (quantile * shape) / mean)).toBeCloseTo(0.999, 6);
    else expect((quantile - mean) / sigma).toBeCloseTo(3.0902, 2);
  });
});
