import { SEASON } from '../../types.js';
import { linearTrend } from '../../numeric/linear-trend.js';
import { INFEASIBLE, nelderMead } from '../../numeric/nelder-mead.js';
import { END_LEVEL, END_SLOPE, END_SQUARES, filterNonSeasonal, filterSeasonal } from './filter.js';
import { LARGEST_ALPHA, LARGEST_PHI, SMALLEST_PHI, SMALLEST_SMOOTHING, type EtsFit, type EtsForm } from './form.js';

/** Evaluations of the likelihood a form: the budget with which everything that builds on these fits was chosen. */
const MAX_EVALUATIONS = 150;
const TOLERANCE = 1e-6;
/** First guesses (alpha, beta, gamma, phi), of little smoothing, and the first simplex around them. */
const START = { alpha: 0.1, beta: 0.01, gamma: 0.02, phi: 0.95 };
const STEP = { alpha: 0.15, beta: 0.03, gamma: 0.08, phi: -0.05 };
/** Months whose straight line gives the first guess of level and slope: two seasons, the least that separates them. */
const INITIAL_MONTHS = 2 * SEASON;

/**
 * Maximum likelihood fit of one form to a series of mean absolute value about 1 (NaN = missing). `adjusted` is the series
 * without its season, for the first guess of level and slope; `initialSeason` holds the 12 initial seasonal states, which
 * stay fixed (empty without season). Null when the series is too short for the form or no feasible fit exists.
 */
export function fitEts(
  y: Float64Array,
  observed: number,
  form: EtsForm,
  adjusted: Float64Array,
  initialSeason: Float64Array,
): EtsFit | null {
  const hasTrend = form.trend !== 'none';
  const hasSeason = form.season !== 'none';
  const damped = form.trend === 'damped';
  const dimension = 2 + (hasTrend ? 2 : 0) + (hasSeason ? 1 : 0) + (damped ? 1 : 0);
  const parameters = dimension + (hasSeason ? SEASON - 1 : 0) + 1;
  if (observed - parameters - 1 <= 0) return null;

  const multiplicativeError = form.error === 'multiplicative';
  const multiplicativeSeason = form.season === 'multiplicative';
  const seasonal = new Float64Array(initialSeason.length);
  const end = new Float64Array(3);
  const at = layout(hasTrend, hasSeason, damped);

  const evaluate = (p: Float64Array): number => {
    const alpha = p[0]!;
    if (!(alpha > SMALLEST_SMOOTHING && alpha < LARGEST_ALPHA)) return INFEASIBLE;
    const beta = hasTrend ? p[at.beta]! : 0;
    if (hasTrend && !(beta > SMALLEST_SMOOTHING && beta < alpha)) return INFEASIBLE;
    const phi = damped ? p[at.phi]! : hasTrend ? 1 : 0;
    if (damped && !(phi >= SMALLEST_PHI && phi <= LARGEST_PHI)) return INFEASIBLE;
    const slope = hasTrend ? p[at.slope]! : 0;
    if (!hasSeason) {
      return filterNonSeasonal(y, observed, multiplicativeError, p[at.level]!, slope, alpha, beta, phi, end);
    }
    const gamma = p[at.gamma]!;
    if (!(gamma > SMALLEST_SMOOTHING && gamma < 1 - alpha)) return INFEASIBLE;
    seasonal.set(initialSeason);
    return filterSeasonal(
      y,
      observed,
      multiplicativeError,
      multiplicativeSeason,
      p[at.level]!,
      slope,
      alpha,
      beta,
      gamma,
      phi,
      seasonal,
      end,
    );
  };

  const { intercept, slope } = linearTrend(adjusted, Math.min(adjusted.length, INITIAL_MONTHS));
  const start = new Float64Array(dimension);
  const step = new Float64Array(dimension);
  start[0] = START.alpha;
  step[0] = STEP.alpha;
  start[at.level] = intercept;
  step[at.level] = 0.05 * Math.max(0.2, Math.abs(intercept));
  if (hasTrend) {
    start[at.beta] = START.beta;
    step[at.beta] = STEP.beta;
    start[at.slope] = slope;
    step[at.slope] = Math.max(0.002, 0.3 * Math.abs(slope));
  }
  if (hasSeason) {
    start[at.gamma] = START.gamma;
    step[at.gamma] = STEP.gamma;
  }
  if (damped) {
    start[at.phi] = START.phi;
    step[at.phi] = STEP.phi;
  }

  const minimum = nelderMead(evaluate, start, step, { maxEvaluations: MAX_EVALUATIONS, tolerance: TOLERANCE });
  if (!(minimum.value < INFEASIBLE)) return null;
  const p = minimum.point;
  evaluate(p);
  return {
    form,
    alpha: p[0]!,
    beta: hasTrend ? p[at.beta]! : 0,
    gamma: hasSeason ? p[at.gamma]! : 0,
    phi: damped ? p[at.phi]! : hasTrend ? 1 : 0,
    level: end[END_LEVEL]!,
    slope: end[END_SLOPE]!,
    seasonal,
    sigma: Math.sqrt(end[END_SQUARES]! / Math.max(1, observed - dimension)),
    aicc: minimum.value + 2 * parameters + (2 * parameters * (parameters + 1)) / (observed - parameters - 1),
  };
}

/** Where each parameter sits in the optimised vector: alpha, beta, gamma, phi, level, slope, absent ones left out. */
function layout(hasTrend: boolean, hasSeason: boolean, damped: boolean) {
  const beta = 1;
  const gamma = beta + (hasTrend ? 1 : 0);
  const phi = gamma + (hasSeason ? 1 : 0);
  const level = phi + (damped ? 1 : 0);
  return { beta, gamma, phi, level, slope: level + 1 };
}
