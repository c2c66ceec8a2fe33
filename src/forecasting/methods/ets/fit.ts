import { SEASON } from '../../types.js';
import { linearTrend } from '../../../numeric/linear-trend.js';
import { INFEASIBLE, nelderMead } from '../../../numeric/nelder-mead.js';
import { countObserved, meanAbsolute } from '../../missing.js';
import { type EtsParameters, type FilterEnd, filterNonSeasonal, filterSeasonal } from './filter.js';
import {
  MAX_ALPHA,
  MAX_PHI,
  MAX_RELATIVE_SIGMA,
  MIN_PHI,
  MIN_SMOOTHING,
  withoutSeason,
  type EtsFit,
  type EtsForm,
  type SeasonStart,
} from './form.js';

/** Evaluations of the likelihood a form: the budget with which everything that builds on these fits was chosen. */
const MAX_EVALUATIONS = 150;
/** Relative difference between worst and best vertex at which a search ends before. */
const TOLERANCE = 1e-6;
/** First guesses (alpha, beta, gamma, phi), of little smoothing, and the first simplex around them. */
const START = { alpha: 0.1, beta: 0.01, gamma: 0.02, phi: 0.95 };
const STEP = { alpha: 0.15, beta: 0.03, gamma: 0.08, phi: -0.05 };
/** Months whose straight line gives the first guess of level and slope: two seasons, the least that separates them. */
const INITIAL_MONTHS = 2 * SEASON;

/**
 * Maximum likelihood fit of one form to a series of mean absolute value between a half and two (NaN = missing), which starts from
 * what `start` says of its season. Null when the series is too short for the form or no feasible fit exists.
 *
 * The search ends before it has converged, so its steps and the likelihood it compares are in units of the series' mean absolute
 * value: demand in pieces and in dozens is the same problem.
 */
export function fitEts(y: Float64Array, form: EtsForm, start: SeasonStart = withoutSeason(y)): EtsFit | null {
  const observed = countObserved(y);
  const at = layoutOf(form);
  const freedom = at.length + (form.season === 'none' ? 0 : SEASON - 1) + 1;
  if (observed - freedom - 1 <= 0) return null;

  const size = meanAbsolute(y) || 1;
  const unit = 2 * observed * Math.log(size);
  const seasonal = new Float64Array(start.seasonal.length);
  const parameters: EtsParameters = { alpha: 0, beta: 0, gamma: 0, phi: 0, level: 0, slope: 0 };
  const end: FilterEnd = { level: 0, slope: 0, squares: 0 };
  const evaluate = (point: Float64Array): number => {
    readParameters(point, at, form, parameters);
    if (!isFeasible(parameters, form)) return INFEASIBLE;
    if (form.season === 'none') return filterNonSeasonal(y, form, parameters, end) - unit;
    seasonal.set(start.seasonal);
    return filterSeasonal(y, form, parameters, seasonal, end) - unit;
  };

  const { point: first, step } = firstGuess(start.adjusted, at, size);
  const minimum = nelderMead(evaluate, first, step, { maxEvaluations: MAX_EVALUATIONS, tolerance: TOLERANCE });
  if (!(minimum.value < INFEASIBLE)) return null;
  evaluate(minimum.point);
  const { alpha, beta, gamma, phi } = parameters;
  const sigma = Math.sqrt(end.squares / Math.max(1, observed - at.length));
  if (form.error === 'multiplicative' && sigma > MAX_RELATIVE_SIGMA) return null;
  return {
    form,
    months: y.length,
    alpha,
    beta,
    gamma,
    phi,
    level: end.level,
    slope: end.slope,
    seasonal,
    sigma,
    aicc: minimum.value + 2 * freedom + (2 * freedom * (freedom + 1)) / (observed - freedom - 1),
  };
}

/** Where each parameter sits in the optimized point; undefined where the form has none. */
interface Layout {
  readonly beta: number | undefined;
  readonly gamma: number | undefined;
  readonly phi: number | undefined;
  readonly level: number;
  readonly slope: number | undefined;
  readonly length: number;
}

/** In the order alpha, beta, gamma, phi, level, slope. */
function layoutOf(form: EtsForm): Layout {
  let length = 1;
  const place = (present: boolean): number | undefined => (present ? length++ : undefined);
  const hasTrend = form.trend !== 'none';
  const beta = place(hasTrend);
  const gamma = place(form.season !== 'none');
  const phi = place(form.trend === 'damped');
  const level = length++;
  const slope = place(hasTrend);
  return { beta, gamma, phi, level, slope, length };
}

function readParameters(point: Float64Array, at: Layout, form: EtsForm, out: EtsParameters): void {
  out.alpha = point[0]!;
  out.beta = at.beta === undefined ? 0 : point[at.beta]!;
  out.gamma = at.gamma === undefined ? 0 : point[at.gamma]!;
  out.phi = at.phi === undefined ? Number(form.trend !== 'none') : point[at.phi]!;
  out.level = point[at.level]!;
  out.slope = at.slope === undefined ? 0 : point[at.slope]!;
}

function isFeasible({ alpha, beta, gamma, phi }: EtsParameters, form: EtsForm): boolean {
  if (!(alpha > MIN_SMOOTHING && alpha < MAX_ALPHA)) return false;
  if (form.trend !== 'none' && !(beta > MIN_SMOOTHING && beta < alpha)) return false;
  if (form.trend === 'damped' && !(phi >= MIN_PHI && phi <= MAX_PHI)) return false;
  return form.season === 'none' || (gamma > MIN_SMOOTHING && gamma < 1 - alpha);
}

/** Where the search begins, and the first simplex around it; `size` is the mean absolute value of the series. */
function firstGuess(adjusted: Float64Array, at: Layout, size: number): { point: Float64Array; step: Float64Array } {
  const point = new Float64Array(at.length);
  const step = new Float64Array(at.length);
  const guess = (place: number | undefined, value: number, width: number): void => {
    if (place === undefined) return;
    point[place] = value;
    step[place] = width;
  };
  const { intercept, slope } = linearTrend(adjusted, Math.min(adjusted.length, INITIAL_MONTHS));
  guess(0, START.alpha, STEP.alpha);
  guess(at.beta, START.beta, STEP.beta);
  guess(at.gamma, START.gamma, STEP.gamma);
  guess(at.phi, START.phi, STEP.phi);
  guess(at.level, intercept, 0.05 * Math.max(0.2 * size, Math.abs(intercept)));
  guess(at.slope, slope, Math.max(0.002 * size, 0.3 * Math.abs(slope)));
  return { point, step };
}
