import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  negativeBinomialProbabilities,
  negativeBinomialQuantile,
  negativeBinomialQuantiles,
} from './negative-binomial.js';

const DECILES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

describe('negativeBinomialQuantiles', () => {
  // scipy 1.17.1: nbinom.ppf(level, mean / (d - 1), 1 / d) at levels .1 .. .9.
  it.each([
    [0.3, 1.5, [0, 0, 0, 0, 0, 0, 0, 1, 1]],
    [2, 2, [0, 0, 1, 1, 1, 2, 3, 3, 5]],
    [7.5, 3.2, [2, 3, 4, 6, 7, 8, 9, 11, 14]],
    [120, 8, [82, 93, 102, 110, 118, 125, 134, 145, 161]],
    [0.5, 1.0005, [0, 0, 0, 0, 0, 0, 1, 1, 1]],
  ])('agrees with scipy for mean %p and dispersion %p', (mean, dispersion, expected) => {
    const out = new Float64Array(9);
    negativeBinomialQuantiles(mean, dispersion, DECILES, out);
    expect(Array.from(out)).toEqual(expected);
  });

  it.each([
    [5000, 10, [4716, 4811, 4880, 4940, 4997, 5054, 5115, 5187, 5289]],
    [501, 200, [161, 235, 301, 367, 436, 514, 608, 730, 925]],
    [501, 5000, [0, 0, 0, 0, 3, 19, 88, 349, 1335]],
    [10_000, 100_000, [0, 0, 0, 6, 59, 368, 1743, 6939, 26616]],
  ])('matches scipy within one piece for mean %p and dispersion %p', (mean, dispersion, expected) => {
    const out = new Float64Array(9);
    negativeBinomialQuantiles(mean, dispersion, DECILES, out);
    expected.forEach((count, j) => expect(Math.abs(out[j]! - count)).toBeLessThanOrEqual(1));
  });

  it('are finite, non-negative and increasing in the level over all magnitudes', () => {
    const exponents = fc.tuple(
      fc.double({ min: -250, max: 250, noNaN: true }),
      fc.double({ min: -3, max: 250, noNaN: true }),
    );
    fc.assert(
      fc.property(exponents, ([size, spread]) => {
        const out = new Float64Array(9);
        negativeBinomialQuantiles(10 ** size, 10 ** spread, DECILES, out);
        expect(out.every((count, j) => Number.isFinite(count) && count >= (j > 0 ? out[j - 1]! : 0))).toBe(true);
      }),
      { numRuns: 300, seed: 5 },
    );
  });

  it('are zero without demand', () => {
    const out = new Float64Array(9).fill(7);
    negativeBinomialQuantiles(0, 2, DECILES, out);
    expect(Array.from(out)).toEqual(new Array(9).fill(0));
  });
});

describe('negativeBinomialQuantile', () => {
  it('is the smallest count that reaches the level (mean 3, size 2: P(7) = .9295, P(8) = .9536)', () => {
    const { count, reached, below } = negativeBinomialQuantile(3, 2.5, 0.95);
    expect(count).toBe(8);
    expect(reached).toBeCloseTo(0.95364, 4);
    expect(below).toBeCloseTo(0.92947, 4);
  });

  it('counts a level as reached despite a rounding error (mean 1/9, size 1: P(0) = .9)', () => {
    expect(negativeBinomialQuantile(1 / 9, 10 / 9, 0.9).count).toBe(0);
  });

  it('falls back to the Poisson distribution when the variance is below the mean (mean 2: P(5) = .98344)', () => {
    const { count, reached } = negativeBinomialQuantile(2, 0.25, 0.95);
    expect(count).toBe(5);
    expect(reached).toBeCloseTo(0.98344, 2);
  });

  it.each([0.02, 0.4, 3, 60, 450].flatMap((mean) => [1.2, 3, 40].map((dispersion) => [mean, dispersion] as const)))(
    'is where the cumulative probabilities cross each level, for mean %p and dispersion %p',
    (mean, dispersion) => {
      const probabilities = negativeBinomialProbabilities(mean, dispersion, 4000);
      const upTo = (count: number): number => probabilities.subarray(0, count).reduce((sum, p) => sum + p, 0);
      for (const level of [0.05, 0.5, 0.9, 0.999]) {
        const { count, reached, below } = negativeBinomialQuantile(mean, dispersion, level);
        expect(below).toBeLessThan(level);
        expect(reached).toBeGreaterThanOrEqual(level);
        expect(below).toBeCloseTo(upTo(count), 10);
        expect(reached).toBeCloseTo(upTo(count + 1), 10);
      }
    },
  );

  // R: qnbinom(level, size = mean / (dispersion - 1), mu = mean)
  it.each([
    [3000, 1.2, [3000, 3099, 3187]],
    [1500, 1.0005, [1500, 1564, 1621]],
    [5000, 20, [4994, 5531, 6033]],
  ])(
    'of mean %p and dispersion %p, where the probability of none underflows or sums are long, is near that of R',
    (mean, dispersion, counts) => {
      [0.5, 0.95, 0.999].forEach((level, i) => {
        expect(Math.abs(negativeBinomialQuantile(mean, dispersion, level).count - counts[i]!)).toBeLessThanOrEqual(4);
      });
    },
  );

  it('stays close to the exact sum after switching to the gamma approximation', () => {
    const exact = negativeBinomialQuantile(2000, 20, 0.95).count;
    const approximate = negativeBinomialQuantile(2000.01, 20, 0.95).count;
    expect(Math.abs(approximate - exact)).toBeLessThanOrEqual(4);
  });
});

describe('negativeBinomialProbabilities', () => {
  it('are (k + 1) .4^2 .6^k for size 2, and sum to one', () => {
    const probabilities = negativeBinomialProbabilities(3, 2.5, 200);
    [0.16, 0.192, 0.1728, 0.13824].forEach((expected, k) => expect(probabilities[k]).toBeCloseTo(expected, 12));
    expect(probabilities.reduce((sum, probability) => sum + probability, 0)).toBeCloseTo(1, 12);
  });
});
