import { describe, expect, it } from '@jest/globals';
import { choleskyFactor, inverseDiagonal, solveCholesky } from './cholesky.js';
import { commonDivisor } from './common-divisor.js';
import { linearTrend } from './linear-trend.js';
import { INFEASIBLE, nelderMead } from './nelder-mead.js';
import { createRandom } from './random.js';
import { median, sampleQuantile } from './sample-quantile.js';
import { isInWholeUnits } from './whole-units.js';

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

  /** The points evaluated in turn, starting with the simplex (0,0), (1,0), (0,1), for an objective that returns `values`. */
  function asked(...values: number[]): number[][] {
    const points: number[][] = [];
    const objective = (point: Float64Array) => {
      points.push([...point]);
      return values[points.length - 1] ?? 99;
    };
    const options = { maxEvaluations: values.length + 1, tolerance: 0 };
    nelderMead(objective, Float64Array.of(0, 0), Float64Array.of(1, 1), options);
    return points.slice(0, values.length + 1);
  }

  it.each([
    ['reflects the worst vertex through the centroid', [0, 1, 2], [1, -1]],
    ['expands twice as far when the reflection is best', [0, 1, 2, -1], [1.5, -2]],
    ['continues from the expansion', [0, 1, 2, -1, -2], [0.5, -2]],
    ['continues from the reflection when the expansion is worse', [0, 1, 2, -1, -0.5], [0, -1]],
    ['continues from a reflection better than the second worst', [0, 1, 2, 0.5], [0, -1]],
    ['contracts outside when the reflection is better than the worst', [0, 1, 2, 1.5], [0.75, -0.5]],
    ['contracts inside when the reflection is no better than the worst', [0, 1, 2, 3], [0.25, 0.5]],
    ['continues from a contraction that is better', [0, 1, 2, 3, 0.5], [-0.75, 0.5]],
    ['shrinks toward the best when the contraction is no better', [0, 1, 2, 3, 3], [0.5, 0]],
    ['shrinks all but the best', [0, 1, 2, 3, 3, 1], [0, 0.5]],
    ['continues from the shrunk simplex', [0, 1, 2, 3, 3, 1, 2], [0.5, -0.5]],
  ])('%s (Nelder & Mead, 1965)', (_, values, next) => {
    expect(asked(...values).at(-1)).toEqual(next);
  });

  it('stops when the simplex has converged', () => {
    let evaluations = 0;
    const bowl = (p: Float64Array): number => {
      evaluations++;
      return 1 + p[0]! ** 2 + p[1]! ** 2;
    };
    const options = { maxEvaluations: 10_000, tolerance: 1e-6 };
    expect(nelderMead(bowl, Float64Array.of(3, 4), Float64Array.of(1, 1), options).value).toBeCloseTo(1, 5);
    expect(evaluations).toBeLessThan(100);
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
  it('solves a system and computes the diagonal of its inverse', () => {
    const matrix = Float64Array.of(4, 0, 2, 3); // [[4, 2], [2, 3]], lower triangle
    const factor = new Float64Array(4);
    const logDeterminant = choleskyFactor(matrix, new Float64Array(2), 2, factor);
    const solution = Float64Array.of(10, 9);
    solveCholesky(factor, 2, solution, solution);
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
    solveCholesky(factor, n, solution, solution);
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
  ])('of %p and %p is %p, up to rounding errors', (a, b, expected) => {
    expect(commonDivisor(a, b, Math.max(a, b)) / expected).toBeCloseTo(1, 6);
    expect(commonDivisor(b, a, Math.max(a, b)) / expected).toBeCloseTo(1, 6);
  });
});

describe('sample quantiles', () => {
  it('interpolate like type 7 of Hyndman and Fan', () => {
    // R: quantile(c(1, 2, 4, 8), c(.1, .5, .9), type = 7)
    expect(sampleQuantile([8, 1, 4, 2], 0.1)).toBeCloseTo(1.3, 12);
    expect(median([8, 1, 4, 2])).toBe(3);
    expect(sampleQuantile([8, 1, 4, 2], 0.9)).toBeCloseTo(6.8, 12);
    expect([0, 1].map((level) => sampleQuantile([8, 1, 4, 2], level))).toEqual([1, 8]);
    expect(median([])).toBeNaN();
  });
});

describe('whole units', () => {
  it.each([
    [[3, 0, NaN, -2], true],
    [[3, 0.5], false],
    [[NaN, NaN], true],
    [[], true],
  ])('of %p: %p', (values, whole) => {
    expect(isInWholeUnits(Float64Array.from(values))).toBe(whole);
  });
});

describe('random numbers', () => {
  it.each([
    [0, [1144304738, 1416247, 958946056]],
    [1, [2693262067, 11749833, 2265367787]],
    [123456789, [1107202814, 4169434471, 3372958138]],
  ])('match mulberry32 in C for seed %d, since forecasts of stored runs depend on each', (seed, words) => {
    const random = createRandom(seed);
    expect(words.map(() => 2 ** 32 * random())).toEqual(words);
  });

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
  it('skips missing months', () => {
    const { intercept, slope } = linearTrend(Float64Array.of(3, NaN, 7, 9, NaN));
    expect(slope).toBeCloseTo(2, 12);
    expect(intercept).toBeCloseTo(1, 12);
  });
});
