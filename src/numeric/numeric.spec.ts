import { describe, expect, it } from '@jest/globals';
import { choleskyFactor, inverseDiagonal, solveLower, solveUpper } from './cholesky.js';
import { commonDivisor } from './common-divisor.js';
import { linearTrend } from './linear-trend.js';
import { INFEASIBLE, nelderMead } from './nelder-mead.js';
import { createRandom } from './random.js';
import { median, sampleQuantile } from './sample-quantile.js';

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

describe.each([1, 4, 12])('cholesky of a random positive definite matrix, n = %p', (n) => {
  const random = createRandom(n);
  const root = Float64Array.from({ length: n * n }, () => random() - 0.5);
  const ridge = Float64Array.from({ length: n }, () => 0.1 + random());
  const product = Float64Array.from({ length: n * n }, (_, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    return Array.from({ length: n }, (__, k) => root[i * n + k]! * root[j * n + k]!).reduce((sum, x) => sum + x, 0);
  });
  const factor = new Float64Array(n * n);
  choleskyFactor(product, ridge, n, factor);
  const solve = (rhs: Float64Array): Float64Array => {
    const solution = rhs.slice();
    solveLower(factor, n, solution, solution);
    solveUpper(factor, n, solution, solution);
    return solution;
  };

  it('solves every right-hand side', () => {
    const wanted = Float64Array.from({ length: n }, (_, i) => i - 3);
    const rhs = wanted.map((x, i) => ridge[i]! * x + wanted.reduce((sum, y, j) => sum + product[i * n + j]! * y, 0));
    solve(rhs).forEach((x, i) => expect(x).toBeCloseTo(wanted[i]!, 9));
  });

  it('has the diagonal of the inverse', () => {
    const diagonal = new Float64Array(n);
    inverseDiagonal(factor, n, new Float64Array(n), diagonal);
    diagonal.forEach((x, i) => {
      const unit = new Float64Array(n);
      unit[i] = 1;
      expect(x).toBeCloseTo(solve(unit)[i]!, 9);
    });
  });
});

describe('commonDivisor', () => {
  it.each([
    [18, 12, 6],
    [7, 0, 7],
    [0.3, 0.5, 0.1],
    [1e9, 3e9, 1e9],
    [12, 12 + 1e-6, 12],
  ])('of %p and %p is %p, but for errors of rounding', (a, b, expected) => {
    expect(commonDivisor(a, b, Math.max(a, b)) / expected).toBeCloseTo(1, 6);
    expect(commonDivisor(b, a, Math.max(a, b)) / expected).toBeCloseTo(1, 6);
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
});

describe('linearTrend', () => {
  it('leaves out missing months', () => {
    const { intercept, slope } = linearTrend(Float64Array.of(3, NaN, 7, 9, NaN));
    expect(slope).toBeCloseTo(2, 12);
    expect(intercept).toBeCloseTo(1, 12);
  });
});
