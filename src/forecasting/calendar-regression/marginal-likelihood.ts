import { choleskyFactor, solveLower, solveUpper } from '../../numeric/cholesky.js';
import type { CalendarPrior } from './calendar-prior.js';
import { SEASONAL_COLUMNS } from './regressors.js';
import { FILTERS, type WhitenedMoments } from './whitening.js';

/** A prior that a series may have. */
export interface Candidate {
  readonly prior: CalendarPrior;
  /** Of the variances of the season. */
  readonly scale: number;
  /** Log odds against it beforehand. */
  readonly against: number;
}

/** The candidate and the filter under which a series is most likely. */
export interface Choice {
  readonly candidate: Candidate;
  /** Index into `FILTERS`. */
  readonly filter: number;
  readonly logLikelihood: number;
  /** Variance of the whitened errors. */
  readonly noise: number;
  /** Posterior means of the coefficients, one a column. */
  readonly coefficients: Float64Array;
}

/** Error variance before any is estimated: relative changes of about 14 % a month. */
const INITIAL_NOISE = 0.02;
/** Floor of the error variance, so that a history without errors has a posterior too. */
const MIN_NOISE = 1e-10;
/** Prior log odds against the slowest filter, whose level is next to constant. */
const SLOWEST_FILTER_PENALTY = 0.3;
/** The prior mean is taken in full for scales from a third on, less for series that are less seasonal than the workspace. */
const MEAN_SCALE = 3;

/**
 * Compares candidates with the same columns by their integrated likelihood. The noise variance that relates the prior to the errors is
 * profiled: one pass to estimate it, one to score.
 * @param initialNoise error variance that the first pass starts from
 */
export function chooseMostLikely(
  filters: readonly WhitenedMoments[],
  rows: number,
  candidates: readonly Candidate[],
  initialNoise = INITIAL_NOISE,
): Choice {
  const columns = filters[0]!.moment.length;
  const work = createBuffers(columns);
  const coefficients = new Float64Array(columns);
  let best = { candidate: candidates[0]!, filter: 0, logLikelihood: -Infinity, noise: initialNoise };
  for (const moments of filters) {
    const { filter } = moments;
    const penalty = filter === FILTERS.length - 1 ? SLOWEST_FILTER_PENALTY : 0;
    for (const candidate of candidates) {
      const { noise } = solve(moments, rows, candidate, best.noise, work);
      const logLikelihood = solve(moments, rows, candidate, noise, work).logLikelihood - penalty - candidate.against;
      if (logLikelihood > best.logLikelihood) {
        best = { candidate, filter, logLikelihood, noise };
        solveUpper(work.factor, columns, work.solution, coefficients);
      }
    }
  }
  return { ...best, coefficients };
}

/** What a solution is worked out in: made once for all filters and candidates of a series. */
interface Buffers {
  readonly precision: Float64Array;
  readonly rhs: Float64Array;
  readonly solution: Float64Array;
  readonly factor: Float64Array;
}

function createBuffers(columns: number): Buffers {
  return {
    precision: new Float64Array(columns),
    rhs: new Float64Array(columns),
    solution: new Float64Array(columns),
    factor: new Float64Array(columns * columns),
  };
}

/** Precisions of the prior relative to the noise: noise / (scale * variance), unscaled for weekdays, drift and holidays. */
export function writePrecision(prior: CalendarPrior, noise: number, scale: number, out: Float64Array): void {
  for (let i = 0; i < prior.mean.length; i++)
    out[i] = noise / (prior.variance[i]! * (i < SEASONAL_COLUMNS ? scale : 1));
}

function solve(
  moments: WhitenedMoments,
  rows: number,
  { prior, scale }: Candidate,
  noise: number,
  work: Buffers,
): { noise: number; logLikelihood: number } {
  const columns = moments.moment.length;
  const { precision, rhs, solution, factor } = work;
  writePrecision(prior, noise, scale, precision);
  const logDeterminant = choleskyFactor(moments.gram, precision, columns, factor);
  const meanFactor = Math.min(1, MEAN_SCALE * scale);
  let squares = moments.squares;
  let logPrecision = 0;
  for (let i = 0; i < columns; i++) {
    const mean = prior.mean[i]! * (i < SEASONAL_COLUMNS ? meanFactor : 1);
    rhs[i] = moments.moment[i]! + precision[i]! * mean;
    squares += precision[i]! * mean * mean;
    logPrecision += Math.log(precision[i]!);
  }
  solveLower(factor, columns, rhs, solution);
  for (let i = 0; i < columns; i++) squares -= solution[i]! * solution[i]!;
  return {
    noise: Math.max(squares / rows, MIN_NOISE),
    logLikelihood: 0.5 * (logPrecision - logDeterminant - rows * Math.log(noise) - squares / noise),
  };
}
