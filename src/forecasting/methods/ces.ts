import { gaussianTable, PATHS } from '../quantiles/gaussian-table.js';
import { countObserved, meanAbsolute, meanOfFirst } from '../missing.js';
import { INFEASIBLE, nelderMead } from '../../numeric/nelder-mead.js';
import { writePathQuantiles } from '../quantiles/path-quantiles.js';
import { MAX_HORIZON } from '../settings.js';
import type { QuantileForecast } from '../types.js';
import { forecastAdjusted } from './decomposition/seasonal-adjustment.js';
import { emptyForecast, type Forecaster } from './forecaster.js';

/** Budget of the search over four parameters, and the relative difference between its worst and best vertex at which it stops. */
const MAX_EVALUATIONS = 400;
const TOLERANCE = 1e-6;
/** Months whose mean starts the level. */
const INITIAL_MONTHS = 10;
/**
 * The region of stability bounds how errors are forgotten, not where paths go: one outlier at the end of a history can make
 * least squares prefer states that grow by half every month. Paths may grow by .3 % a month, a trend for the next year or two,
 * and no faster. Chosen at the last training origins of m3 and hospital (MASE .9312 and .8275 without a bound, .9135 and .8102
 * at 1.005, .9039 and .8042 at 1.003; at 1 no series could grow at all, and m3 is back at .9220).
 */
const MAX_RADIUS = 1.003;

/**
 * Complex exponential smoothing without season (Svetunkov, Kourentzes & Ord, Naval Research Logistics 69, 2022) on the
 * seasonally adjusted series:
 *
 *   y_t = l_{t-1} + e_t,   l_t = l_{t-1} - (1 - a1) c_{t-1} + (a0 - a1) e_t,   c_t = l_{t-1} + (1 - a0) c_{t-1} + (a0 + a1) e_t.
 *
 * Parameters and first states by least squares inside the stability region of that paper, with a bounded spectral radius of
 * the states; simulated quantiles; a missing month has error zero.
 */
export const ces: Forecaster = {
  minObservations: 6,
  forecast: (values, horizon, seed) => forecastAdjusted(values, (adjusted) => forecastCes(adjusted, horizon, seed)),
};

function forecastCes(adjusted: Float64Array, horizon: number, seed: number): QuantileForecast {
  const end = new Float64Array(2);
  const objective = (p: Float64Array): number =>
    isStable(p[0]!, p[1]!) && spectralRadius(p[0]!, p[1]!) <= MAX_RADIUS ? filter(adjusted, p, end) : INFEASIBLE;
  const level = meanOfFirst(adjusted, INITIAL_MONTHS);
  const start = Float64Array.of(1.3, 1, level, level / 1.1);
  const size = meanAbsolute(adjusted);
  const step = Float64Array.of(0.1, 0.05, 0.1 * size, 0.1 * size);
  const { point } = nelderMead(objective, start, step, { maxEvaluations: MAX_EVALUATIONS, tolerance: TOLERANCE });
  const a0 = point[0]!;
  const a1 = point[1]!;
  const squares = filter(adjusted, point, end);
  const sigma = Math.sqrt(squares / Math.max(1, countObserved(adjusted) - 5));

  const forecast = emptyForecast(horizon);
  // path -1 is the one without errors: the mean of a linear model
  const paths = new Float64Array(horizon * PATHS);
  const table = gaussianTable(seed);
  for (let path = -1; path < PATHS; path++) {
    let l = end[0]!;
    let c = end[1]!;
    for (let k = 0; k < horizon; k++) {
      const error = path < 0 ? 0 : sigma * table[path * MAX_HORIZON + k]!;
      if (path < 0) forecast.mean[k] = l;
      else paths[k * PATHS + path] = l + error;
      const next = l - (1 - a1) * c + (a0 - a1) * error;
      c = l + (1 - a0) * c + (a0 + a1) * error;
      l = next;
    }
  }
  writePathQuantiles(paths, horizon, forecast.quantiles);
  return forecast;
}

/** Stability region of the non-seasonal model, equation 15 of the paper. */
function isStable(a0: number, a1: number): boolean {
  return (
    (a0 - 2.5) ** 2 + a1 ** 2 > 1.25 &&
    (a0 - 0.5) ** 2 + (a1 - 1) ** 2 > 0.25 &&
    (a0 - 1.5) ** 2 + (a1 - 0.5) ** 2 < 1.5
  );
}

/** Larger modulus of the eigenvalues of the state recursion without errors, the roots of x^2 - (2 - a0) x + (2 - a0 - a1). */
function spectralRadius(a0: number, a1: number): number {
  const half = (2 - a0) / 2;
  const product = 2 - a0 - a1;
  const discriminant = half * half - product;
  return discriminant < 0 ? Math.sqrt(product) : Math.abs(half) + Math.sqrt(discriminant);
}

/**
 * Runs the recursion over `y` with a0, a1 and the first states l, c in `point`; leaves the last states in `end` and returns the
 * sum of the squared one-step errors.
 */
function filter(y: Float64Array, point: Float64Array, end: Float64Array): number {
  const [a0, a1] = [point[0]!, point[1]!];
  let l = point[2]!;
  let c = point[3]!;
  let squares = 0;
  for (let t = 0; t < y.length; t++) {
    let error = y[t]! - l;
    if (Number.isNaN(error)) error = 0;
    squares += error * error;
    const next = l - (1 - a1) * c + (a0 - a1) * error;
    c = l + (1 - a0) * c + (a0 + a1) * error;
    l = next;
  }
  end[0] = l;
  end[1] = c;
  return squares < INFEASIBLE ? squares : INFEASIBLE;
}
