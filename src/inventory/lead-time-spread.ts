import { cumulativeErrors } from './cumulative-errors.js';
import { pooledRatio, pooledRelativeSpread } from './error-pool.js';
import { monthlySpread } from './monthly-spread.js';
import { type LeadTime, sumOverLeadTime, toWholeMonths, varianceOverLeadTime } from './lead-time.js';
import { type DemandForecast, type ErrorPool, isInfrequent, type PooledErrors, type SpreadEvidence } from './types.js';

/**
 * The forecast's own quantile spread counts as this many errors: with fewer, stock moves from month to month with the errors that
 * happen to be in the backtest, and fits demand less well (docs/engine-trials.md). This and the constants below were
 * chosen on the training parts of the benchmark sets, one and two horizons before their ends.
 */
const QUANTILE_WEIGHT = 24;
/** The pooled relative spread counts as this many errors: it ignores how variable the series itself is. */
const RELATIVE_WEIGHT = 0.2;
/** One error beyond this many spreads counts as one of this size. */
const MAX_RATIO = 2;
/** Correlation between the errors of two months of a lead time that a backtest is to correct. */
const DEFAULT_CORRELATION = 0.25;
/** The same of frequent demand where no backtest corrects it: with .25, m3 would attain 88 % for .90 over three months, 87 % over six. */
const UNTESTED_CORRELATION = 0.35;
/**
 * The same by demand class where a history is young: its level, which is the same in all months, is what is least known of it
 * (docs/engine-change-and-stock.md).
 */
const YOUNG_CORRELATION: Readonly<Record<string, number>> = { new: 0.75, short: 0.5 };
/** Pooled errors at which the pool has half of its full strength. */
const POOL_HALF_TRUST = 50;
/** Full strength of a pool, as an exponent of its correction: errors of one origin share shocks that the next origin does not. */
const POOL_STRENGTH = 0.25;
/**
 * The same for the ratio of tail to spread, on which origins agree more. With .25, the attained service at .99 was .5 points too
 * low on average over the last two training origins of m3 and hospital.
 */
const TAIL_STRENGTH = 0.5;
/** Level at which a quantile lies one standard deviation above the mean of a normal distribution. */
const ONE_SIGMA_LEVEL = 0.8413;
/** Levels at which the pooled tail is read. */
const TAIL_LEVELS = [0.9, 0.95, 0.975, 0.99] as const;

/** Spread of lead-time demand and where it comes from. */
export interface LeadTimeSpread {
  /** Standard deviation of the error over the lead time. */
  readonly sigma: number;
  /** The same of the lead time, or the next longer one of whole months. */
  readonly sigmaOfWholeMonths: number;
  readonly evidence: SpreadEvidence;
  /** Factor (>= 1) on sigma at `level`: how much heavier the pooled errors' tail is there than that of the distribution. */
  tailFactor(level: number): number;
}

/**
 * Standard deviation of the demand of a lead time, from cumulative errors and never from a monthly one times the root of the
 * lead time (Saoud, Kourentzes & Boylan, Omega 110, 2022). With S the sum of the monthly spreads that the forecast's quantiles
 * give and e / S the series' own cumulative errors over theirs, for every whole number of months
 *
 *   variance = (sum (e/S)^2 S^2 + 24 (r S)^2 + .2 (c mean)^2) / (n + 24 + .2)
 *
 * n is the number of these errors, 12 for a lead time of a month and a window of twelve; r is the workspace's typical |e| / S
 * (a quarter of the way, geometrically, from the value that a correlation of .25 between months would give); c is the workspace's
 * typical relative error; for infrequent demand, which is counted in pieces, packs or orders, (c mean)^2 is replaced by dispersion x mean.
 * Of young series that correlation is .5, or .75 for new items; of frequent demand without a pool .35.
 * The variance of a lead time is never below that of a shorter one.
 * @returns the spread by lead time, up to the longest
 */
export function leadTimeSpreads(
  forecast: DemandForecast,
  longest: LeadTime,
  pool: ErrorPool | undefined,
): (leadTime: LeadTime) => LeadTimeSpread {
  const infrequent = isInfrequent(forecast);
  const spreads = monthlySpread(forecast, forecast);
  const pooled = pool && (infrequent ? pool.infrequent : pool.regular);
  const known = { forecast, spreads, errorsOver: cumulativeErrors(forecast), pooled, infrequent };
  const months = Array.from({ length: toWholeMonths(longest).whole }, (_, k) => varianceOfMonths(known, k + 1));
  const variances = neverFalling(months.map(({ variance }) => variance));
  const tailOf = (count: number, level: number): number => {
    const entry = pooled && entryFor(pooled, count);
    return infrequent || !entry ? 1 : pooledTailFactor(entry, level);
  };
  return (leadTime) => {
    const { whole, fraction } = leadTime;
    const last = toWholeMonths(leadTime).whole - 1;
    return {
      sigma: Math.sqrt(varianceOverLeadTime(variances, leadTime)),
      sigmaOfWholeMonths: Math.sqrt(variances[last]!),
      evidence: months[last]!.evidence,
      // Between whole months like the variance: a day more does not change the pool.
      tailFactor: (level) => (1 - fraction) * tailOf(Math.max(whole, 1), level) + fraction * tailOf(whole + 1, level),
    };
  };
}

/** What the variances of a series are made of, whatever the lead time. */
interface KnownSeries {
  readonly forecast: DemandForecast;
  /** Of its months, as its quantiles tell them. */
  readonly spreads: Float64Array;
  readonly errorsOver: ReturnType<typeof cumulativeErrors>;
  readonly pooled: readonly PooledErrors[] | undefined;
  readonly infrequent: boolean;
}

/**
 * Variances of lead times of 1, 2, ... months, each no less than that of a shorter one. A longer one is measured on fewer errors, and
 * by chance may come out the smaller; to keep less stock because the delivery takes longer would be to trust that chance.
 */
function neverFalling(variances: readonly number[]): number[] {
  let largest = 0;
  return variances.map((variance) => (largest = Math.max(largest, variance)));
}

function varianceOfMonths(known: KnownSeries, months: number): { variance: number; evidence: SpreadEvidence } {
  const { forecast, spreads, pooled, infrequent } = known;
  const lead: LeadTime = { whole: months, fraction: 0 };
  const spread = sumOverLeadTime(spreads, lead);
  const mean = sumOverLeadTime(forecast.mean, lead);
  const own = ownEvidence(known, months, spread);
  const entry = pooled && entryFor(pooled, months);
  const correction = entry ? poolCorrection(entry, months, infrequent) : 1;
  const usual = entry || infrequent ? DEFAULT_CORRELATION : UNTESTED_CORRELATION;
  const ratio = correction * ratioFor(YOUNG_CORRELATION[forecast.demandPattern] ?? usual, months);
  const fromQuantiles = ratio * spread * (ratio * spread);
  const relative = entry ? relativeVariance(entry, mean, infrequent) : 0;
  const relativeWeight = entry ? RELATIVE_WEIGHT : 0;
  const quantileWeight = spread > 0 ? QUANTILE_WEIGHT : 0;
  const total = own.errors + quantileWeight + relativeWeight;
  const sum = own.sum + quantileWeight * fromQuantiles + relativeWeight * relative;
  const shareOf = (weight: number): number => (total > 0 ? weight / total : 0);
  return {
    variance: total > 0 ? sum / total : 0,
    evidence: {
      ownErrors: own.errors,
      ownWeight: shareOf(own.errors),
      quantileWeight: shareOf(quantileWeight),
      pooledWeight: shareOf(relativeWeight),
      measured: own.measured,
    },
  };
}

/** What the series' own backtest says of the variance of so many months. */
interface OwnEvidence {
  readonly errors: number;
  /** Of their squares. */
  readonly sum: number;
  /** Whether some window is as long. */
  readonly measured: boolean;
}

/** @param spread sum of the monthly spreads over the lead time */
function ownEvidence({ forecast, errorsOver }: KnownSeries, months: number, spread: number): OwnEvidence {
  const measuredMonths = Math.min(months, longestWindow(forecast));
  const errors = errorsOver(measuredMonths);
  // A shorter window still measures the ratio of errors to spreads; it is carried on to the lead time by the default correlation.
  const extension = ratioFor(DEFAULT_CORRELATION, months) / ratioFor(DEFAULT_CORRELATION, measuredMonths);
  let sum = 0;
  for (const error of errors) {
    const ratio = Math.min(error.size / error.spread, MAX_RATIO);
    const scaled = error.spread > 0 && spread > 0 ? ratio * spread * extension : error.size;
    sum += scaled * scaled;
  }
  return { errors: errors.length, sum, measured: measuredMonths === months };
}

/** Cumulative sigma over the sum of the monthly ones when every two months are equally correlated: sqrt((1 + (L - 1) rho) / L). */
function ratioFor(correlation: number, months: number): number {
  return Math.sqrt((1 + (months - 1) * correlation) / months);
}

/**
 * Factor on the ratio for the default correlation: how much more the pool shows, at its strength. A pool of fewer months than the lead time
 * has counts as one of the lead time: with the default of its own months beside it, lead times of 13 to 18 months would attain up to
 * .2 points less on m3 (1h, 2h), which is further from the level.
 */
function poolCorrection(entry: PooledErrors, months: number, infrequent: boolean): number {
  // Ratios of counts are mostly zero or large: their root mean square is what the variance of a count needs.
  const observed = infrequent ? Math.sqrt(entry.squaredRatio / entry.errors) : pooledRatio(entry, ONE_SIGMA_LEVEL);
  return observed > 0 ? (observed / ratioFor(DEFAULT_CORRELATION, months)) ** poolStrength(entry, POOL_STRENGTH) : 1;
}

function pooledTailFactor(entry: PooledErrors, level: number): number {
  const atOneSigma = pooledRatio(entry, ONE_SIGMA_LEVEL);
  if (!(atOneSigma > 0)) return 1;
  let factor = 1;
  for (const tail of TAIL_LEVELS) {
    if (level < tail) {
      // Between two levels the factor of the upper one is phased in, so that the quantile never falls as the level rises.
      const before = TAIL_LEVELS[TAIL_LEVELS.indexOf(tail) - 1] ?? ONE_SIGMA_LEVEL;
      const share = Math.max((level - before) / (tail - before), 0);
      return factor + share * (Math.max(tailAt(entry, tail, atOneSigma), factor) - factor);
    }
    factor = Math.max(factor, tailAt(entry, tail, atOneSigma));
  }
  return factor;
}

function tailAt(entry: PooledErrors, level: number, atOneSigma: number): number {
  return (pooledRatio(entry, level) / atOneSigma) ** poolStrength(entry, TAIL_STRENGTH);
}

/** Exponent of a correction by the pool: rises to `full` with the number of pooled errors. */
function poolStrength(entry: PooledErrors, full: number): number {
  return (full * entry.errors) / (entry.errors + POOL_HALF_TRUST);
}

function relativeVariance(entry: PooledErrors, mean: number, areCounts: boolean): number {
  return areCounts ? (entry.dispersion / entry.errors) * mean : (pooledRelativeSpread(entry) * mean) ** 2;
}

/** The pool of a lead time, or of the longest one that any backtest covered. */
function entryFor(pooled: readonly PooledErrors[], months: number): PooledErrors | undefined {
  for (let m = Math.min(months, pooled.length); m >= 1; m--) if (pooled[m - 1]!.errors > 0) return pooled[m - 1];
  return undefined;
}

function longestWindow(forecast: DemandForecast): number {
  return forecast.backtest.reduce((longest, window) => Math.max(longest, window.actual.length), 0);
}
