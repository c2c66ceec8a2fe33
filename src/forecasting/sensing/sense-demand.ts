import { negativeBinomialQuantiles } from '../../numeric/negative-binomial.js';
import { daysInMonth } from '../calendar.js';
import { NORMAL_QUANTILES } from '../quantiles/normal-quantiles.js';
import { type BuildUp, dispersionWithin, expectedShare } from './expected-share.js';
import { ALIVE, lateMonths, silentRest } from './silent-rest.js';
import { LEVELS, MEDIAN, type MonthNumber, QUANTILE_LEVELS } from '../types.js';

/** Steps that a smallest order of divisible demand is cut into for the quantiles of the remainder. */
const STEPS_OF_AN_ORDER = 20;
/** Dispersions below this are taken as this (in units of the month's mean): regular orders are not certain orders. */
const SMALLEST_RELATIVE_DISPERSION = 1e-6;

/** Share of the forecast's variance that is taken for the chance of single orders where no daily demand tells it. */
const ORDERS_SHARE = 0.5;
/** Share of the forecast's variance that is left to the month's rate at least. */
const SMALLEST_RATE_SHARE = 0.25;

/** What is known of one series in the middle of a month, in its own unit. */
export interface SensingInput extends BuildUp {
  /** The month in progress. */
  readonly month: MonthNumber;
  /** The run's forecast of the month in progress. */
  readonly prior: { readonly mean: number; readonly q10: number; readonly q50: number; readonly q90: number };
  /** Demand of the month so far. */
  readonly monthToDate: number;
  /** Share of the month that is over, 0..1: days complete over days of the month. */
  readonly elapsed: number;
  /** Whether demand comes in whole pieces only. */
  readonly wholeUnits: boolean;
}

/** Demand expected of the whole month, and what it was made of. */
export interface SensedDemand {
  /** The run's expected demand of the month. */
  readonly prior: number;
  readonly monthToDate: number;
  /** Share of a month's demand usually sold by now. */
  readonly expectedShare: number;
  /** Month to date over expected share; null at the very start of the month. */
  readonly runRate: number | null;
  /** Weight of the run rate against the prior in what the rest of the month is expected to bring, 0..1. */
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
 * and the remainder is negative binomial with that mean R and variance phi R + R^2 / (a + x/phi). v is the variance that the
 * prior's quantiles show less that of the orders, phi m, which is in them too (at least a quarter is left). With p = 1 the month
 * is known; with p = 0 the prior is returned as it is. Where an item should have sold by now and has not, that need
 * not be chance, see {@link silentRest}. Throws RangeError naming `elapsed` or `month_to_date` when it is not a number in its range.
 */
export function senseDemand(input: SensingInput): SensedDemand {
  const { prior, monthToDate, elapsed } = input;
  if (!(elapsed >= 0 && elapsed <= 1)) throw new RangeError(`elapsed: expected 0 to 1, got ${elapsed}`);
  if (!Number.isFinite(monthToDate)) throw new RangeError(`month_to_date: expected a number, got ${monthToDate}`);
  const share = expectedShare(input, input.month, elapsed);
  const mean = Math.max(prior.mean, 0);
  if (elapsed === 0) {
    const { q10, q50, q90 } = prior;
    return { prior: mean, monthToDate, expectedShare: share, runRate: null, weight: 0, mean, q10, q50, q90 };
  }
  const sigma = (prior.q90 - prior.q10) / (2 * NORMAL_QUANTILES[LEVELS - 1]!);
  const forecastVariance = sigma * sigma;
  const sold = Math.max(monthToDate, 0);
  const assumed = mean > 0 ? (ORDERS_SHARE * forecastVariance) / mean : 1;
  const fallback = input.wholeUnits ? Math.max(1, assumed) : assumed;
  const scale = Math.max(mean, sold);
  const smallest = Math.max(SMALLEST_RELATIVE_DISPERSION * scale, 1e-300);
  const phi = Math.max(dispersionWithin(input, scale, fallback), smallest);
  const variance = Math.max(forecastVariance - phi * mean, SMALLEST_RATE_SHARE * forecastVariance);

  // In terms of the prior's spread: b = m/v, so a certain prior has w = 0 and a prior without mean leaves all to the run rate.
  const precision = variance > 0 ? mean / variance : Infinity;
  const evidence = share / phi;
  const weight = precision === Infinity ? 0 : evidence / (precision + evidence);
  const runRate = share > 0 ? monthToDate / share : null;
  const rate = weight > 0 ? weight * (sold / share) + (1 - weight) * mean : mean;
  // The chance of no order so far is (b/(b + p/phi))^a; its limit where the prior is certain.
  const noOrder = precision === Infinity ? Math.exp(-mean * evidence) : (1 - weight) ** (mean * precision);
  const late = lateMonths(input.own, Math.round(elapsed * daysInMonth(input.month)));
  const { notByChance, nothing, returning } = sold > 0 ? ALIVE : silentRest(noOrder, late, elapsed);
  const toCome = Math.max(1 - share, 0);
  const remainder = toCome * ((1 - notByChance) * rate + notByChance * returning * mean);
  const usual = toCome * ((1 - notByChance) * rate + notByChance * mean);
  const shape = rate * (precision + evidence);
  // a month of more returns than demand counts as one without demand, as in the forecast
  const whole = (rest: number): number => Math.max(monthToDate + rest, 0);
  const [r10, r50, r90] = remainderQuantiles(
    remainder,
    { dispersion: phi + usual / shape, nothing },
    phi,
    input.wholeUnits,
  );
  return {
    prior: mean,
    monthToDate,
    expectedShare: share,
    runRate,
    weight,
    mean: whole(remainder),
    q10: whole(r10),
    q50: whole(r50),
    q90: whole(r90),
  };
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
  const levels = QUANTILE_LEVELS.map((level) => (level - nothing) / (1 - nothing));
  const quantiles = new Float64Array(LEVELS);
  negativeBinomialQuantiles(mean / (1 - nothing) / step, dispersion / step, levels, quantiles);
  return [quantiles[0]! * step, quantiles[MEDIAN]! * step, quantiles[LEVELS - 1]! * step];
}
