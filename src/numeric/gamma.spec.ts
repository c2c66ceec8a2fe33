import { describe, expect, it } from '@jest/globals';
import { gammaCdf, gammaQuantile, logGamma } from './gamma.js';

describe('gamma distribution', () => {
  it('has the gamma function of half integers', () => {
    expect(logGamma(0.5)).toBeCloseTo(0.5 * Math.log(Math.PI), 12);
    expect(logGamma(11)).toBeCloseTo(Math.log(3_628_800), 10);
  });

  it('agrees with chi-square tables: 95 % of 8 degrees of freedom is 15.50731', () => {
    // Mean 10, sd 5 is shape 4, scale 2.5, so 2.5/2 times the chi-square quantile.
    expect(gammaQuantile(10, 5, 0.95)).toBeCloseTo((15.50731 * 2.5) / 2, 4);
    expect(gammaCdf(4, 15.50731 / 2)).toBeCloseTo(0.95, 6);
  });

  it('is an exponential distribution when sigma equals the mean', () => {
    expect(gammaQuantile(3, 3, 0.99)).toBeCloseTo(-3 * Math.log(0.01), 8);
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
