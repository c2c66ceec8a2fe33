import { choleskyFactor, solveLower, solveUpper } from '../numeric/cholesky.js';

const ITERATIONS = 30;
/** Linear predictors are kept within a factor of e^15 of one. */
const LARGEST_PREDICTOR = 15;

/**
 * Log-linear regression by Newton's method on quasi-likelihood with variance mu (1 + overdispersion mu) (Wedderburn,
 * Biometrika 61, 1974). `rows` holds `responses.length` rows of `columns` numbers, the first the intercept, which is not penalised by
 * `ridge`. Returns the coefficients.
 */
export function fitQuasiPoisson(
  rows: Float64Array,
  responses: Float64Array,
  columns: number,
  ridge: number,
  overdispersion: number,
): Float64Array {
  const count = responses.length;
  const beta = new Float64Array(columns);
  const gram = new Float64Array(columns * columns);
  const factor = new Float64Array(columns * columns);
  const gradient = new Float64Array(columns);
  const penalty = new Float64Array(columns).fill(ridge);
  penalty[0] = 1e-9;
  let mean = 0;
  for (let r = 0; r < count; r++) mean += responses[r]! / count;
  beta[0] = Math.log(Math.max(mean, 1e-9));
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    gram.fill(0);
    for (let i = 0; i < columns; i++) gradient[i] = i === 0 ? 0 : -ridge * beta[i]!;
    for (let r = 0; r < count; r++) {
      const at = r * columns;
      let predictor = 0;
      for (let i = 0; i < columns; i++) predictor += rows[at + i]! * beta[i]!;
      const mu = Math.exp(Math.max(-LARGEST_PREDICTOR, Math.min(LARGEST_PREDICTOR, predictor)));
      const weight = 1 / (1 + overdispersion * mu);
      const residual = (responses[r]! - mu) * weight;
      for (let i = 0; i < columns; i++) {
        const value = rows[at + i]!;
        gradient[i]! += value * residual;
        const scaled = value * mu * weight;
        for (let j = 0; j <= i; j++) gram[i * columns + j]! += scaled * rows[at + j]!;
      }
    }
    choleskyFactor(gram, penalty, columns, factor);
    solveLower(factor, columns, gradient, gradient);
    solveUpper(factor, columns, gradient, gradient);
    let moved = 0;
    for (let i = 0; i < columns; i++) {
      // A step of one in a log-linear coefficient is already a factor of e: longer ones overshoot.
      const step = Math.max(-1, Math.min(1, gradient[i]!));
      beta[i]! += step;
      moved = Math.max(moved, Math.abs(step));
    }
    if (moved < 1e-9) break;
  }
  return beta;
}
