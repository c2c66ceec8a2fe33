/** Dense symmetric positive definite systems, row-major, lower triangle; small (n up to about 30), no allocation. */

/**
 * Factorises the lower triangle of `matrix` (n x n) plus `diag(ridge)` as L L' into `factor`. A pivot that rounding has
 * pushed below `1e-14` is raised to it, so that the factor always exists. Returns ln |L L'|.
 */
export function choleskyFactor(matrix: Float64Array, ridge: Float64Array, n: number, factor: Float64Array): number {
  let logDeterminant = 0;
  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let j = 0; j <= i; j++) {
      const other = j * n;
      let sum = matrix[row + j]!;
      if (i === j) sum += ridge[i]!;
      for (let k = 0; k < j; k++) sum -= factor[row + k]! * factor[other + k]!;
      if (i === j) {
        const pivot = sum > 1e-14 ? sum : 1e-14;
        factor[row + i] = Math.sqrt(pivot);
        logDeterminant += Math.log(pivot);
      } else {
        factor[row + j] = sum / factor[other + j]!;
      }
    }
  }
  return logDeterminant;
}

/** Solves L z = right-hand side by forward substitution; `out` may be the right-hand side itself. */
export function solveLower(factor: Float64Array, n: number, rhs: Float64Array, out: Float64Array): void {
  for (let i = 0; i < n; i++) {
    let sum = rhs[i]!;
    for (let k = 0; k < i; k++) sum -= factor[i * n + k]! * out[k]!;
    out[i] = sum / factor[i * n + i]!;
  }
}

/** Solves L' z = right-hand side by back substitution; `out` may be the right-hand side itself. */
export function solveUpper(factor: Float64Array, n: number, rhs: Float64Array, out: Float64Array): void {
  for (let i = n - 1; i >= 0; i--) {
    let sum = rhs[i]!;
    for (let k = i + 1; k < n; k++) sum -= factor[k * n + i]! * out[k]!;
    out[i] = sum / factor[i * n + i]!;
  }
}

/** Solves L L' z = right-hand side; `out` may be the right-hand side itself. */
export function solveCholesky(factor: Float64Array, n: number, rhs: Float64Array, out: Float64Array): void {
  solveLower(factor, n, rhs, out);
  solveUpper(factor, n, out, out);
}

/** Diagonal of (L L')^-1 into `out`; `scratch` holds n numbers. */
export function inverseDiagonal(factor: Float64Array, n: number, scratch: Float64Array, out: Float64Array): void {
  for (let i = 0; i < n; i++) {
    let total = 0;
    for (let j = i; j < n; j++) {
      let sum = j === i ? 1 : 0;
      for (let k = i; k < j; k++) sum -= factor[j * n + k]! * scratch[k]!;
      const value = sum / factor[j * n + j]!;
      scratch[j] = value;
      total += value * value;
    }
    out[i] = total;
  }
}
