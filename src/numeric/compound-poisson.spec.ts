import { describe, expect, it } from '@jest/globals';
import { compoundPoisson } from './compound-poisson.js';

describe('compoundPoisson', () => {
  it.each([
    [0.3, 0.45],
    [0.3, 0.6],
    [4, 4.4],
    [4, 20],
    [99, 150],
  ])('has the mean %d and the variance %d', (mean, variance) => {
    const { quantile } = compoundPoisson(mean, variance);
    const levels = 2000;
    const sample = Array.from({ length: levels }, (_, i) => quantile((i + 0.5) / levels));
    const average = sample.reduce((sum, value) => sum + value, 0) / levels;
    const spread = sample.reduce((sum, value) => sum + (value - average) ** 2, 0) / levels;
    expect(average / mean).toBeCloseTo(1, 2);
    expect(spread / variance).toBeGreaterThan(0.97);
    expect(spread / variance).toBeLessThan(1.001);
  });

  it('adds orders of exponential sizes as their waiting times', () => {
    // At most x with n orders is at least n events within x: the sum of the products of the Poisson probabilities of both.
    const [mean, x] = [1.5, 2];
    const poisson = (rate: number, count: number): number => {
      let probability = Math.exp(-rate);
      for (let k = 1; k <= count; k++) probability *= rate / k;
      return probability;
    };
    let expected = 0;
    for (let events = 0; events < 40; events++) {
      for (let orders = 0; orders <= events; orders++) expected += poisson(x, events) * poisson(mean, orders);
    }
    expect(compoundPoisson(mean, 2 * mean).cdf(x)).toBeCloseTo(expected, 12);
  });

  it('is 0 up to the probability of no order, and rises with the level from there', () => {
    const { cdf, quantile } = compoundPoisson(0.2, 0.3);
    expect(cdf(0)).toBeCloseTo(Math.exp(-0.2), 12);
    expect(quantile(Math.exp(-0.2))).toBe(0);
    const levels = [0.82, 0.9, 0.95, 0.99, 0.999];
    const quantiles = levels.map((level) => quantile(level));
    expect(quantiles[0]).toBeGreaterThan(0);
    expect(quantiles).toEqual([...quantiles].sort((a, b) => a - b));
    quantiles.forEach((value, i) => expect(cdf(value)).toBeCloseTo(levels[i]!, 8));
  });

  it('has sizes that vary by a third where the variance leaves none for them', () => {
    expect(compoundPoisson(1, 0.2).quantile(0.9)).toBeCloseTo(compoundPoisson(1, 1.1).quantile(0.9), 9);
    expect(compoundPoisson(150, 30).quantile(0.9)).toBeCloseTo(compoundPoisson(150, 165).quantile(0.9), 9);
  });

  it('goes over into the gamma distribution for many orders', () => {
    const [few, many] = [compoundPoisson(100, 180), compoundPoisson(100.001, 180.002)];
    for (const level of [0.5, 0.9, 0.99]) expect(many.quantile(level) / few.quantile(level)).toBeCloseTo(1, 1.5);
    expect(many.cdf(many.quantile(0.9))).toBeCloseTo(0.9, 9);
  });
});
