import { choleskyFactor, solveLower, solveUpper } from '../../numeric/cholesky.js';
import { COLUMNS, EASTER_COLUMN, SEASONAL_COLUMNS } from './regressors.js';
import { FILTERS, type WhitenedMoments, type WhitenedSeries } from './whitening.js';

/** Normal prior of the regression coefficients over a workspace; plain numbers, stored with the pooled model. */
export interface CalendarPrior {
  /** Prior means, one a column. */
  readonly mean: readonly number[];
  /** Prior variances, one a column. */
  readonly variance: readonly number[];
}

/** What the regression of one series found. */
export interface CalendarPosterior {
  /** Posterior means of the coefficients. */
  readonly coefficients: Float64Array;
  /** Variance of the whitened errors. */
  readonly noise: number;
  /** Index into `FILTERS`. */
  readonly filter: number;
}

/**
 * How strongly a series' season may differ from the workspace's: factors on the prior variance. Up to 100, or short
 * histories with strong seasons are held back (m3 cut to 35 months: MASE .855 against .776).
 */
const PRIOR_SCALES: readonly number[] = [0.03, 0.1, 0.3, 1, 3, 10, 30, 100];

/** Error variance before any is estimated: relative changes of about 14 % a month. */
const INITIAL_NOISE = 0.02;
/** Floor of the error variance, so that a history without errors has a posterior too. */
const SMALLEST_NOISE = 1e-10;
/** Prior log odds against the slowest filter, whose level is next to constant. */
const SLOWEST_FILTER_PENALTY = 0.3;
/** Variance of an effect of Easter of which nothing is known. */
const NO_EASTER = 1e-8;
/** The prior mean is taken in full for scales from a third on, less for series that are less seasonal than the workspace. */
const MEAN_SCALE = 3;

/**
 * Posterior of the calendar regression, the filter and the prior's scale chosen by integrated likelihood (type II maximum
 * likelihood; conjugate normal regression, O'Hagan, Bayesian Inference, 1994, chapter 11). The noise variance that relates
 * the prior to the errors is profiled: one pass to estimate it, one to score.
 */
export function fitPosterior(
  series: WhitenedSeries,
  given: CalendarPrior,
  scales: readonly number[] = PRIOR_SCALES,
): CalendarPosterior {
  const work = createBuffers(withEaster(given));
  const coefficients = new Float64Array(COLUMNS);
  let bestLikelihood = -Infinity;
  let bestNoise = INITIAL_NOISE;
  let bestFilter = 0;
  for (let filter = 0; filter < FILTERS.length; filter++) {
    const moments = series.moments[filter]!;
    const penalty = filter === FILTERS.length - 1 ? SLOWEST_FILTER_PENALTY : 0;
    for (const scale of scales) {
      const noise = solve(moments, series.rows, scale, bestNoise, work).noise;
      const result = solve(moments, series.rows, scale, noise, work);
      if (result.logLikelihood - penalty > bestLikelihood) {
        bestLikelihood = result.logLikelihood - penalty;
        bestNoise = noise;
        bestFilter = filter;
        solveUpper(work.factor, COLUMNS, work.solution, coefficients);
      }
    }
  }
  return { coefficients, noise: bestNoise, filter: bestFilter };
}

/** The prior with next to no effect of Easter where it knows none, as those that releases up to 0.17.0 stored. */
function withEaster(prior: CalendarPrior): CalendarPrior {
  if (prior.variance.length > EASTER_COLUMN) return prior;
  return { mean: [...prior.mean, 0], variance: [...prior.variance, NO_EASTER] };
}

/** What a solution is worked out in: made once for all filters and scales of a series. */
interface Buffers {
  readonly prior: CalendarPrior;
  readonly precision: Float64Array;
  readonly rhs: Float64Array;
  readonly solution: Float64Array;
  readonly factor: Float64Array;
}

function createBuffers(prior: CalendarPrior): Buffers {
  return {
    prior,
    precision: new Float64Array(COLUMNS),
    rhs: new Float64Array(COLUMNS),
    solution: new Float64Array(COLUMNS),
    factor: new Float64Array(COLUMNS * COLUMNS),
  };
}

/** Precisions of the prior relative to the noise: noise / (scale * variance), unscaled for weekdays, drift and Easter. */
export function writePrecision(prior: CalendarPrior, noise: number, scale: number, out: Float64Array): void {
  for (let i = 0; i < COLUMNS; i++) out[i] = noise / (prior.variance[i]! * (i < SEASONAL_COLUMNS ? scale : 1));
}

function solve(
  moments: WhitenedMoments,
  rows: number,
  scale: number,
  noise: number,
  work: Buffers,
): { noise: number; logLikelihood: number } {
  const { prior, precision, rhs, solution, factor } = work;
  writePrecision(prior, noise, scale, precision);
  const logDeterminant = choleskyFactor(moments.gram, precision, COLUMNS, factor);
  const meanFactor = Math.min(1, MEAN_SCALE * scale);
  let squares = moments.squares;
  let logPrecision = 0;
  for (let i = 0; i < COLUMNS; i++) {
    const mean = prior.mean[i]! * (i < SEASONAL_COLUMNS ? meanFactor : 1);
    rhs[i] = moments.moment[i]! + precision[i]! * mean;
    squares += precision[i]! * mean * mean;
    logPrecision += Math.log(precision[i]!);
  }
  solveLower(factor, COLUMNS, rhs, solution);
  for (let i = 0; i < COLUMNS; i++) squares -= solution[i]! * solution[i]!;
  return {
    noise: Math.max(squares / rows, SMALLEST_NOISE),
    logLikelihood: 0.5 * (logPrecision - logDeterminant - rows * Math.log(noise) - squares / noise),
  };
}
