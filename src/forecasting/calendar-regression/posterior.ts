import { choleskyFactor, solveLower, solveUpper } from '../../numeric/cholesky.js';
import { usualPrior, type CalendarPrior } from './calendar-prior.js';
import { COLUMNS, EASTER_COLUMN, SEASONAL_COLUMNS } from './regressors.js';
import { FILTERS, type WhitenedMoments, type WhitenedSeries } from './whitening.js';

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

/**
 * The same over the usual variances, for an item whose season is unlike the workspace's, and the log odds against it (one item in twenty).
 * Where the others agree on their season, even a hundred times their small variance holds such an item back: one of 30 months with the
 * opposite season was given none.
 */
const UNLIKE_SCALES: readonly number[] = [1, 10, 100];
const AGAINST_UNLIKE_SEASON = 3;
/** Variance of an effect of Easter that is the item's own, and the log odds against it (one item in fifty). */
const OWN_EASTER = 0.1;
const AGAINST_OWN_EASTER = 4;
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

/** A prior that a series may have. */
interface Candidate {
  readonly prior: CalendarPrior;
  /** Of the variances of the season. */
  readonly scale: number;
  /** Log odds against it beforehand. */
  readonly against: number;
}

/** What was chosen for a series, and the logarithm of its likelihood. */
interface Choice extends CalendarPosterior {
  readonly candidate: Candidate;
  readonly logLikelihood: number;
}

/**
 * Posterior of the calendar regression, the filter and the prior chosen by integrated likelihood (type II maximum
 * likelihood; conjugate normal regression, O'Hagan, Bayesian Inference, 1994, chapter 11): the workspace's prior at some scale, or
 * one that knows nothing of its season, for the item that is unlike the others. Then the same with an Easter of its own.
 */
export function fitPosterior(series: WhitenedSeries, given: CalendarPrior): CalendarPosterior {
  const prior = withEaster(given);
  const unlike = withUnlikeSeason(prior);
  const choice = choose(series, [
    ...PRIOR_SCALES.map((scale) => ({ prior, scale, against: 0 })),
    ...UNLIKE_SCALES.map((scale) => ({ prior: unlike, scale, against: AGAINST_UNLIKE_SEASON })),
  ]);
  if (!knowsEaster(given)) return choice;
  const { candidate } = choice;
  const ownEaster = choose(series, [
    { ...candidate, prior: withOwnEaster(candidate.prior), against: candidate.against + AGAINST_OWN_EASTER },
  ]);
  return ownEaster.logLikelihood > choice.logLikelihood ? ownEaster : choice;
}

/** The same under the prior as it is, which is how the workspace's own is learnt. */
export function fitAtPrior(series: WhitenedSeries, prior: CalendarPrior): CalendarPosterior {
  return choose(series, [{ prior, scale: 1, against: 0 }]);
}

/** The noise variance that relates the prior to the errors is profiled: one pass to estimate it, one to score. */
function choose(series: WhitenedSeries, candidates: readonly Candidate[]): Choice {
  const work = createBuffers();
  const coefficients = new Float64Array(COLUMNS);
  let best = { noise: INITIAL_NOISE, filter: 0, candidate: candidates[0]!, logLikelihood: -Infinity };
  for (let filter = 0; filter < FILTERS.length; filter++) {
    const moments = series.moments[filter]!;
    const penalty = filter === FILTERS.length - 1 ? SLOWEST_FILTER_PENALTY : 0;
    for (const candidate of candidates) {
      const { noise } = solve(moments, series.rows, candidate, best.noise, work);
      const logLikelihood =
        solve(moments, series.rows, candidate, noise, work).logLikelihood - penalty - candidate.against;
      if (logLikelihood > best.logLikelihood) {
        best = { noise, filter, candidate, logLikelihood };
        solveUpper(work.factor, COLUMNS, work.solution, coefficients);
      }
    }
  }
  return { ...best, coefficients };
}

const knowsEaster = ({ variance }: CalendarPrior): boolean => variance.length > EASTER_COLUMN;

/** The prior with next to no effect of Easter where it knows none, as those that releases up to 0.17.0 stored. */
function withEaster(prior: CalendarPrior): CalendarPrior {
  if (knowsEaster(prior)) return prior;
  return { mean: [...prior.mean, 0], variance: [...prior.variance, NO_EASTER] };
}

/** The prior of an item whose season is unlike the workspace's: as strong as seasons usually are, of no known shape. */
function withUnlikeSeason({ mean, variance }: CalendarPrior): CalendarPrior {
  const usual = usualPrior();
  return {
    mean: mean.map((value, i) => (i < SEASONAL_COLUMNS ? 0 : value)),
    variance: variance.map((value, i) => (i < SEASONAL_COLUMNS ? usual.variance[i]! : value)),
  };
}

function withOwnEaster({ mean, variance }: CalendarPrior): CalendarPrior {
  return { mean, variance: variance.map((value, i) => (i === EASTER_COLUMN ? OWN_EASTER : value)) };
}

/** What a solution is worked out in: made once for all filters and candidates of a series. */
interface Buffers {
  readonly precision: Float64Array;
  readonly rhs: Float64Array;
  readonly solution: Float64Array;
  readonly factor: Float64Array;
}

function createBuffers(): Buffers {
  return {
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
  { prior, scale }: Candidate,
  noise: number,
  work: Buffers,
): { noise: number; logLikelihood: number } {
  const { precision, rhs, solution, factor } = work;
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
