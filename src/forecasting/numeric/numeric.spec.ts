import { describe, expect, it } from '@jest/globals';
import { choleskyFactor, inverseDiagonal, solveLower, solveUpper } from './cholesky.js';
import { gaussianTable, MAX_STEPS, PATHS } from './gaussian-table.js';
import { linearTrend } from './linear-trend.js';
import { interpolateMissing } from './missing.js';
import { negativeBinomialQuantiles } from './negative-binomial.js';
import { INFEASIBLE, nelderMead } from './nelder-mead.js';
import { normalQuantile } from './normal.js';
import { createRandom } from './random.js';
import { median, sampleQuantile } from './sample-quantile.js';

describe('normalQuantile', () => {
  it.each([
    [0.25, -0.674489750196082],
    [0.001, -3.09023230616781],
    [1e-20, -9.26234008979841],
  ])('gives the test value of algorithm AS 241 at %p', (probability, expected) => {
    expect(normalQuantile(probability)).toBeCloseTo(expected, 13);
  });

  it('is odd around one half and unbounded at the ends', () => {
    expect(normalQuantile(0.975)).toBeCloseTo(-normalQuantile(0.025), 14);
    expect(normalQuantile(0)).toBe(-Infinity);
    expect(normalQuantile(1)).toBe(Infinity);
    expect(normalQuantile(1.5)).toBeNaN();
  });
});

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
    negativeBinomialQuantiles(mean, dispersion, out);
    expect(Array.from(out)).toEqual(expected);
  });

  it('approximates large means within one part in a thousand of scipy', () => {
    const out = new Float64Array(9);
    negativeBinomialQuantiles(5000, 10, out);
    [4716, 4811, 4880, 4940, 4997, 5054, 5115, 5187, 5289].forEach((expected, j) =>
      expect(Math.abs(out[j]! / expected - 1)).toBeLessThan(1e-3),
    );
  });

  it('gives zeros without demand', () => {
    const out = new Float64Array(9).fill(7);
    negativeBinomialQuantiles(0, 2, out);
    expect(Array.from(out)).toEqual(new Array(9).fill(0));
  });
});

describe('nelderMead', () => {
  it('finds the minimum of the Rosenbrock function', () => {
    const rosenbrock = (p: Float64Array): number => 100 * (p[1]! - p[0]! ** 2) ** 2 + (1 - p[0]!) ** 2;
    const start = Float64Array.of(-1.2, 1);
    const { point, value } = nelderMead(rosenbrock, start, Float64Array.of(0.5, 0.5), {
      maxEvaluations: 500,
      tolerance: 1e-14,
    });
    expect(value).toBeLessThan(1e-8);
    expect(point[0]).toBeCloseTo(1, 3);
  });

  it('stays inside the feasible region', () => {
    const objective = (p: Float64Array): number => (p[0]! >= 1 ? p[0]! : INFEASIBLE);
    const { point } = nelderMead(objective, Float64Array.of(3), Float64Array.of(0.5), {
      maxEvaluations: 200,
      tolerance: 1e-12,
    });
    expect(point[0]).toBeGreaterThanOrEqual(1);
    expect(point[0]).toBeCloseTo(1, 3);
  });
});

describe('cholesky', () => {
  it('solves a system and inverts its diagonal', () => {
    const matrix = Float64Array.of(4, 0, 2, 3); // [[4, 2], [2, 3]], lower triangle
    const factor = new Float64Array(4);
    const logDeterminant = choleskyFactor(matrix, new Float64Array(2), 2, factor);
    const solution = Float64Array.of(10, 9);
    solveLower(factor, 2, solution, solution);
    solveUpper(factor, 2, solution, solution);
    const diagonal = new Float64Array(2);
    inverseDiagonal(factor, 2, new Float64Array(2), diagonal);
    expect(logDeterminant).toBeCloseTo(Math.log(8), 12);
    expect(Array.from(solution, (x) => Number(x.toFixed(12)))).toEqual([1.5, 2]);
    expect(diagonal[0]).toBeCloseTo(3 / 8, 12);
    expect(diagonal[1]).toBeCloseTo(4 / 8, 12);
  });
});

describe('sample quantiles', () => {
  it('interpolate as type 7 of Hyndman and Fan', () => {
    // R: quantile(c(1, 2, 4, 8), c(.1, .5, .9), type = 7)
    expect(sampleQuantile([8, 1, 4, 2], 0.1)).toBeCloseTo(1.3, 12);
    expect(median([8, 1, 4, 2])).toBe(3);
    expect(sampleQuantile([8, 1, 4, 2], 0.9)).toBeCloseTo(6.8, 12);
    expect(median([])).toBeNaN();
  });
});

describe('random numbers', () => {
  it('repeat for a seed and differ between seeds', () => {
    const first = createRandom(5);
    const again = createRandom(5);
    const other = createRandom(6);
    const draws = Array.from({ length: 4 }, () => first());
    expect(Array.from({ length: 4 }, () => again())).toEqual(draws);
    expect(Array.from({ length: 4 }, () => other())).not.toEqual(draws);
  });

  it('form antithetic gaussian paths with unit variance', () => {
    const table = gaussianTable(3);
    let squares = 0;
    for (const z of table) squares += z * z;
    expect(squares / table.length).toBeGreaterThan(0.97);
    expect(squares / table.length).toBeLessThan(1.03);
    for (let k = 0; k < MAX_STEPS; k++) expect(table[(PATHS / 2) * MAX_STEPS + k]).toBe(-table[k]!);
  });
});

describe('missing months', () => {
  it('are interpolated between neighbours and held at the ends', () => {
    expect(Array.from(interpolateMissing(Float64Array.of(NaN, 2, NaN, NaN, 8, NaN)))).toEqual([2, 2, 4, 6, 8, 8]);
    expect(Array.from(interpolateMissing(Float64Array.of(NaN)))).toEqual([NaN]);
  });

  it('do not bend a straight line', () => {
    const { intercept, slope } = linearTrend(Float64Array.of(3, NaN, 7, 9, NaN));
    expect(slope).toBeCloseTo(2, 12);
    expect(intercept).toBeCloseTo(1, 12);
  });
});
