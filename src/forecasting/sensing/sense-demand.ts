import { negativeBinomialQuantiles } from '../../numeric/negative-binomial.js';
import { daysInMonth } from '../calendar.js';
import { NORMAL_QUANTILES } from '../quantiles/normal-quantiles.js';
import { type BuildUp, dispersionWithin, expectedShare } from './expected-share.js';
import { keptShare, returnDispersion } from './share-curve.js';
import { ALIVE, lateMonths, silentRest } from './silent-rest.js';
import { LEVELS, type MonthNumber } from '../types.js';

/** Levels of the quantiles of a month. */
const SENSED_LEVELS = [0.1, 0.5, 0.9] as const;
/** Steps that a smallest order of divisible demand is cut into for the quantiles of the remainder. */
const STEPS_OF_AN_ORDER = 20;
/** Dispersions below this are taken as this (in units of the month's mean): regular orders are not certain orders. */
const MIN_RELATIVE_DISPERSION = 1e-6;

/** Share of the forecast's variance that is attributed to the chance of single orders where no daily demand shows it. */
const ORDERS_SHARE = 0.5;
/** Share of the forecast's variance that is left to the month's rate at least. */
const MIN_RATE_SHARE = 0.25;

/** What is known of one series in the middle of a month, in its own unit. */
export interface SensingInput extends BuildUp {
  /** The month in progress. */
  readonly month: MonthNumber;
  /** The run's forecast of the month in progress. */
  readonly prior: { readonly mean: number; readonly q10: number; readonly q50: number; readonly q90: number };
  /** Demand of the month so far, less what came back. */
  readonly monthToDate: number;
  /** Demand of the month so far, returns apart: the sum of its days above 0. */
  readonly sold: number;
  /** Share of the month that is over, 0..1: days complete over days of the month. */
  readonly elapsed: number;
  /** The day in progress, where its demand so far is among the above. */
  readonly today?: DayInProgress | undefined;
  /** Whether demand comes in whole pieces only. */
  readonly wholeUnits: boolean;
}

/** What is known of the day in progress. */
export interface DayInProgress {
  /** Demand of the day so far, returns apart. */
  readonly sold: number;
  /** Share of the month that is over when the day begins, and when it ends. */
  readonly begins: number;
  readonly ends: number;
}

/** Demand expected of the whole month, and what it was made of. */
export interface SensedDemand {
  /** The run's expected demand of the month. */
  readonly prior: number;
  readonly monthToDate: number;
  /** Share of a month's demand usually sold by now. */
  readonly expectedShare: number;
  /** Month to date, returns beyond the usual apart, over expected share; null at the very start of the month. */
  readonly runRate: number | null;
  /**
   * Of the run rate against the prior, 0..1: mean = weight * runRate + (1 - weight) * prior, less returns beyond the usual, which are
   * runRate * expectedShare - monthToDate, and at least 0. Without a run rate mean = monthToDate + (1 - weight) * prior.
   */
  readonly weight: number;
  /** Expected demand of the whole month. */
  readonly mean: number;
  readonly q10: number;
  readonly q50: number;
  readonly q90: number;
}

/**
 * Demand of the month in progress from its forecast and its demand to date: the gamma-Poisson blend. The month's rate has a
 * gamma prior of mean m and variance v, a = m^2/v, b = m/v; demand to date x is Poisson with dispersion phi about p times the
 * rate, p the share usually sold by now. Then
 *
 *   E D = x + (1 - p) (a + x/phi) / (b + p/phi) = x + (1 - p) (w x/p + (1 - w) m),   w = (p/phi) / (b + p/phi)
 *
 * so the run rate x/p has the weight p + (1 - p) w in the month, and the remainder is negative binomial with that mean R and
 * variance (phi + rho) R + R^2 / (a + x/phi), rho the dispersion of what comes back. v is the variance that the prior's quantiles
 * show less that of orders and returns, (phi + rho) m, which are in them too (at least a quarter is left). With p = 1 the month is
 * known; with p = 0 the prior is returned as it is. Where an item should have sold by now and has not, that need not be chance, see
 * {@link silentRest}; some demand is no worse a sign than none, so the rest is no less than it would be then. Returns beyond the
 * usual are of earlier sales: they lower the month, not its rate, for which x is what is usually kept of the demand sold where that
 * is more. Of the day in progress, see {@link shareSoFar}.
 * Throws RangeError naming `elapsed`, `month_to_date` or `sold` when it is not a number in its range.
 */
export function senseDemand(input: SensingInput): SensedDemand {
  const { prior, monthToDate, elapsed } = input;
  if (!(elapsed >= 0 && elapsed <= 1)) throw new RangeError(`elapsed: expected 0 to 1, got ${elapsed}`);
  if (!Number.isFinite(monthToDate)) throw new RangeError(`month_to_date: expected a number, got ${monthToDate}`);
  if (!(input.sold >= 0 && input.sold < Infinity)) throw new RangeError(`sold: expected 0 or more, got ${input.sold}`);
  const mean = Math.max(prior.mean, 0);
  if (elapsed === 0) {
    const { q10, q50, q90 } = prior;
    return { prior: mean, monthToDate, expectedShare: 0, runRate: null, weight: 0, mean, q10, q50, q90 };
  }
  const sold = Math.max(monthToDate, input.sold * keptShare(input.own));
  const known = shareSoFar(input, sold);
  const { share } = known;
  const rest = restOfMonth(input, known, sold);
  const least = restOfMonth(input, known, 0);
  // a month of more returns than demand counts as one without demand, as in the forecast
  const whole = (part: 'mean' | 'q10' | 'q50' | 'q90'): number =>
    Math.max(monthToDate + Math.max(rest[part], least[part]), 0);
  const runRate = share > 0 ? sold / share : null;
  // the rest without demand so far, in terms of the run rate, which is below the prior where that is more
  const inRest = rest.mean < least.mean ? (least.weight * mean) / (mean - runRate!) : rest.weight;
  return {
    prior: mean,
    monthToDate,
    expectedShare: share,
    runRate,
    weight: 1 - Math.max(1 - share, 0) * (1 - inRest),
    mean: whole('mean'),
    q10: whole('q10'),
    q50: whole('q50'),
    q90: whole('q90'),
  };
}

/** What part of a month's demand is usually sold by now. */
interface KnownShare {
  readonly share: number;
  /** The part of it that makes the rate of the month more certain. */
  readonly certain: number;
}

/**
 * Daily demand has no hours: by now, today may usually have brought all that it brings (a day's orders booked at midnight, a system in a time
 * zone ahead) or, up to noon, nothing yet (a shop that opens in the morning). Between these, today's demand counts as that of as much
 * of the day as would bring it at the rate of the days before, and makes the rate no more certain. By the clock, a usual day that is on
 * record in its first minutes would be the first minutes of an enormous month, and the first orders of a morning those of a poor one.
 */
function shareSoFar(input: SensingInput, sold: number): KnownShare {
  const { month, elapsed, today } = input;
  if (!today) {
    const share = expectedShare(input, month, elapsed);
    return { share, certain: share };
  }
  const before = expectedShare(input, month, today.begins);
  // nothing of the day in its first half, and all of it in the second
  const least = expectedShare(input, month, Math.max(today.begins, 2 * elapsed - today.ends));
  const most = Math.max(least, expectedShare(input, month, today.ends));
  const ofToday = Math.min(today.sold, sold);
  if (ofToday === 0) return { share: least, certain: least };
  const { rate } = blend(input, before, sold - ofToday, spreadOf(input, sold));
  const reached = before + ofToday / rate;
  if (reached > least && reached < most) return { share: reached, certain: before };
  return { share: reached < most ? least : most, certain: least };
}

/** What is uncertain of the month. */
interface Spread {
  /** Variance over mean of its independent orders. */
  readonly phi: number;
  /** The same of what comes back, about its usual share. */
  readonly returned: number;
  /** b = m/v: a certain prior has Infinity, one without mean 0. */
  readonly precision: number;
}

function spreadOf(input: SensingInput, sold: number): Spread {
  const { prior } = input;
  const mean = Math.max(prior.mean, 0);
  const sigma = (prior.q90 - prior.q10) / (2 * NORMAL_QUANTILES[LEVELS - 1]!);
  const forecastVariance = sigma * sigma;
  const assumed = mean > 0 ? (ORDERS_SHARE * forecastVariance) / mean : 1;
  const fallback = input.wholeUnits ? Math.max(1, assumed) : assumed;
  const scale = Math.max(mean, sold);
  const smallest = Math.max(MIN_RELATIVE_DISPERSION * scale, 1e-300);
  const phi = Math.max(dispersionWithin(input, scale, fallback), smallest);
  const returned = returnDispersion(input.own);
  const variance = Math.max(forecastVariance - (phi + returned) * mean, MIN_RATE_SHARE * forecastVariance);
  return { phi, returned, precision: variance > 0 ? mean / variance : Infinity };
}

/**
 * The month's rate after demand `sold`, `share` of a month being usually sold by now. In terms of the prior's spread a certain prior
 * has w = 0, and a prior without mean leaves all to the run rate.
 */
function blend(
  { prior }: SensingInput,
  share: number,
  sold: number,
  { phi, precision }: Spread,
): { weight: number; rate: number } {
  const mean = Math.max(prior.mean, 0);
  const evidence = share / phi;
  const weight = precision === Infinity || evidence === 0 ? 0 : evidence / (precision + evidence);
  return { weight, rate: weight > 0 ? weight * (sold / share) + (1 - weight) * mean : mean };
}

/** What the rest of the month brings after demand `sold`; `weight` is that of the run rate in the rest alone. */
function restOfMonth(
  input: SensingInput,
  { share, certain }: KnownShare,
  sold: number,
): Pick<SensedDemand, 'weight' | 'mean' | 'q10' | 'q50' | 'q90'> {
  const { prior, elapsed } = input;
  const mean = Math.max(prior.mean, 0);
  const spread = spreadOf(input, sold);
  const { phi, returned, precision } = spread;
  const { weight, rate } = blend(input, sold > 0 ? share : certain, sold, spread);
  const evidence = certain / phi;
  // The chance of no order so far is (b/(b + p/phi))^a; its limit where the prior is certain.
  const noOrder = precision === Infinity ? Math.exp(-mean * evidence) : (1 - weight) ** (mean * precision);
  const late = lateMonths(input.own, Math.round(elapsed * daysInMonth(input.month)));
  const { notByChance, nothing, returning } = sold > 0 ? ALIVE : silentRest(noOrder, late, elapsed);
  const toCome = Math.max(1 - share, 0);
  const remainder = toCome * ((1 - notByChance) * rate + notByChance * returning * mean);
  const usual = toCome * ((1 - notByChance) * rate + notByChance * mean);
  const shape = rate * (precision + evidence);
  const [q10, q50, q90] = remainderQuantiles(
    remainder,
    { dispersion: phi + returned + usual / shape, nothing },
    phi,
    input.wholeUnits,
  );
  const ofPrior = (1 - notByChance) * (1 - weight) + notByChance * returning;
  return { weight: 1 - ofPrior, mean: remainder, q10, q50, q90 };
}

/**
 * q10, q50 and q90 of a remainder with `mean` that is zero with probability `nothing` and else negative binomial; demand that can
 * be divided is counted in small steps.
 */
function remainderQuantiles(
  mean: number,
  { dispersion, nothing }: { readonly dispersion: number; readonly nothing: number },
  phi: number,
  wholeUnits: boolean,
): readonly [number, number, number] {
  if (!(mean > 0)) return [0, 0, 0];
  const step = wholeUnits ? 1 : Math.min(phi, mean) / STEPS_OF_AN_ORDER;
  const levels = SENSED_LEVELS.map((level) => (level - nothing) / (1 - nothing));
  const counts = new Float64Array(levels.length);
  negativeBinomialQuantiles(mean / (1 - nothing) / step, dispersion / step, levels, counts);
  return [counts[0]! * step, counts[1]! * step, counts[2]! * step];
}
