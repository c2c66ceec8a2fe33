import { choleskyFactor, inverseDiagonal } from '../../numeric/cholesky.js';
import type { DemandHistory } from '../types.js';
import { unknownShape, usualPrior, variances, type CalendarPrior, type KnownPrior } from './calendar-prior.js';
import { writePrecision } from './marginal-likelihood.js';
import type { HolidayName } from './moving-holidays.js';
import { fitAtPrior } from './posterior.js';
import { DRIFT_COLUMN, SEASONAL_COLUMNS } from './regressors.js';
import { sharedHolidays } from './shared-holidays.js';
import { whiten, type WhitenedSeries } from './whitening.js';

/** Rounds of expectation-maximisation; the constants elsewhere were chosen with five. */
const ROUNDS = 5;
/** Fewer series than this cannot say how series differ; the usual prior then stands. */
const MIN_WORKSPACE = 8;
/** Shocks are common to the series of a workspace, so a pooled mean never counts as more than this many independent series. */
const MAX_EFFECTIVE_COUNT = 30;
/** Squared deviations are cut at this many prior variances: single odd series must not widen the prior for all. */
const OUTLYING = 9;
/** Variance of a holiday's effect that the rounds start from: effects of about 3 %. */
const HOLIDAY_VARIANCE = 1e-3;
/** All variances that they start from: seasons of about 10 %, all harmonics equally strong. */
const FLAT_VARIANCES = variances([0.01, 0.01, 0.01, 0.01, 0.01, 0.01], { drift: 1e-4, easter: HOLIDAY_VARIANCE });
/** Spread of a shared holiday's effect over the series that the rounds start from, as a share of the effect. */
const HOLIDAY_SPREAD = 0.5;
/** Floors of the variances, so that no coefficient is fixed for good by one round. */
const MIN_VARIANCE = 1e-6;
const MIN_DRIFT_VARIANCE = 1e-7;

/**
 * Empirical-Bayes prior of a workspace by expectation-maximisation (Dempster, Laird & Rubin, JRSS B 39, 1977): each round
 * computes every series' posterior and takes mean and spread of the coefficients over the series. Cosine and sine of a
 * harmonic share one variance; the mean is shrunk by its own uncertainty; the drift has mean zero.
 */
export function estimatePrior(histories: readonly DemandHistory[]): CalendarPrior {
  if (histories.length < MIN_WORKSPACE) return usualPrior();
  let prior = initialPrior(sharedHolidays(histories));
  const series = histories
    .map(({ values, startMonth }) => whiten(values, startMonth, prior.holidays))
    .filter((one) => one !== null);
  if (series.length < MIN_WORKSPACE) return usualPrior();
  for (let round = 0; round < ROUNDS; round++) prior = nextPrior(series, prior);
  const observed = series.reduce((sum, { rows }) => sum + rows + 1, 0);
  return { ...prior, months: observed / series.length };
}

/** Easter starts without an effect; other holidays with the one in the average course, since a few rounds would not get there. */
function initialPrior(shared: ReadonlyMap<HolidayName, number>): KnownPrior {
  const flat = unknownShape(FLAT_VARIANCES);
  const others = [...shared].filter(([name]) => !flat.holidays.includes(name));
  return {
    ...flat,
    mean: [...flat.mean, ...others.map(([, effect]) => effect)],
    variance: [
      ...flat.variance,
      ...others.map(([, effect]) => Math.max(HOLIDAY_VARIANCE, (HOLIDAY_SPREAD * effect) ** 2)),
    ],
    holidays: [...flat.holidays, ...others.map(([name]) => name)],
  };
}

function nextPrior(series: readonly WhitenedSeries[], prior: KnownPrior): KnownPrior {
  const count = series.length;
  const columns = prior.mean.length;
  const coefficients: Float64Array[] = [];
  const uncertainty = new Float64Array(columns);
  const mean = new Float64Array(columns);
  const precision = new Float64Array(columns);
  const factor = new Float64Array(columns * columns);
  const scratch = new Float64Array(columns);
  const diagonal = new Float64Array(columns);
  for (const one of series) {
    const posterior = fitAtPrior(one, prior);
    writePrecision(prior, posterior.noise, 1, precision);
    choleskyFactor(one.moments[posterior.filter]!.gram, precision, columns, factor);
    inverseDiagonal(factor, columns, scratch, diagonal);
    coefficients.push(posterior.coefficients);
    for (let i = 0; i < columns; i++) {
      mean[i]! += posterior.coefficients[i]! / count;
      uncertainty[i]! += (diagonal[i]! * posterior.noise) / count;
    }
  }
  const variance = Float64Array.from(uncertainty);
  for (const b of coefficients) {
    for (let i = 0; i < columns; i++) {
      variance[i]! += Math.min((b[i]! - mean[i]!) ** 2, OUTLYING * prior.variance[i]!) / count;
    }
  }
  for (let i = 0; i + 1 < SEASONAL_COLUMNS; i += 2) {
    variance[i] = variance[i + 1] = 0.5 * (variance[i]! + variance[i + 1]!);
  }
  const effective = Math.min(MAX_EFFECTIVE_COUNT, count);
  return {
    ...prior,
    mean: Array.from(mean, (m, i) => (i === DRIFT_COLUMN ? 0 : shrink(m, variance[i]! / effective))),
    variance: Array.from(variance, (v, i) => Math.max(v, i === DRIFT_COLUMN ? MIN_DRIFT_VARIANCE : MIN_VARIANCE)),
  };
}

/** Positive-part James-Stein shrinkage of a mean by its sampling variance. */
function shrink(mean: number, variance: number): number {
  const kept = 1 - variance / Math.max(1e-12, mean * mean);
  return kept > 0 ? mean * kept : 0;
}
