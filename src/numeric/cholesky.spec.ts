import { describe, expect, it } from '@jest/globals';
import { choleskyFactor, inverseDiagonal, solveCholesky } from './cholesky.js';
import { createRandom } from './random.js';

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
