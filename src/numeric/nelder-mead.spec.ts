import { describe, expect, it } from '@jest/globals';
import { INFEASIBLE, nelderMead } from './nelder-mead.js';

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
