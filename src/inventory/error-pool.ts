import { type CumulativeError, cumulativeErrors } from './cumulative-errors.js';
import { normalQuantile } from '../numeric/normal.js';
import { type DemandForecast, type ErrorPool, isInfrequent, type PooledErrors } from './types.js';

/** Width of the bins in which error ratios are counted. */
const BIN_WIDTH = 0.1;
/** Bins per lead time; the last one also holds everything beyond six spreads. */
const BINS = 60;
/** One series may not decide the dispersion of infrequent demand: squared error over forecast counts at most this much. */
const MAX_DISPERSION = 100;
/** E[ln(z^2)] of a standard normal z, negated: turns a mean of logarithms of squared errors into that of a variance. */
const LOG_CHI_SQUARE = 1.2704;

/**
 * Pools the first cumulative error of every backtest window for lead times of 1 .. `maxMonths` months. The first only: it
 * starts at its origin, as a lead time does.
 */
export function poolErrors(forecasts: Iterable<DemandForecast>, maxMonths: number): ErrorPool {
  const regular = Array.from({ length: maxMonths }, startSums);
  const infrequent = Array.from({ length: maxMonths }, startSums);
  for (const forecast of forecasts) {
    const pool = isInfrequent(forecast) ? infrequent : regular;
    const errorsOver = cumulativeErrors(forecast);
    for (let months = 1; months <= maxMonths; months++) {
      for (const error of errorsOver(months)) {
        if (!error.later) count(pool[months - 1]!, error);
      }
    }
  }
  return { regular, infrequent };
}

/** Sum of two pools, of chunks of one run for instance; the longer one decides the number of lead times. */
export function mergeErrorPools(a: ErrorPool, b: ErrorPool): ErrorPool {
  return { regular: mergeLists(a.regular, b.regular), infrequent: mergeLists(a.infrequent, b.infrequent) };
}

/**
 * The (2 level - 1) quantile of the pooled |error| / spread over the standard normal quantile of `level` (0.5 < level < 1): 1 where
 * errors are normal with the spread as their sigma. Absolute errors are taken because series of a workspace share shocks: the
 * bias of one backtest is not that of the next month. Levels are cut where five errors lie beyond; NaN for fewer than ten errors.
 */
export function pooledRatio(pool: PooledErrors, level: number): number {
  if (pool.errors < 10) return NaN;
  const measurable = Math.min(level, 1 - 2.5 / pool.errors);
  const target = (2 * measurable - 1) * pool.errors;
  let below = 0;
  for (let bin = 0; bin < BINS; bin++) {
    const inBin = pool.ratios[bin]!;
    if (below + inBin >= target) {
      return (BIN_WIDTH * (bin + (target - below) / inBin)) / normalQuantile(measurable);
    }
    below += inBin;
  }
  return (BIN_WIDTH * BINS) / normalQuantile(measurable);
}

/** Geometric mean over series of the sigma of error / forecast, for normal errors. The pool is not empty. */
export function pooledRelativeSpread(pool: PooledErrors): number {
  return Math.exp(0.5 * (pool.logRelative / pool.errors + LOG_CHI_SQUARE));
}

interface RunningSums {
  errors: number;
  ratios: number[];
  squaredRatio: number;
  logRelative: number;
  dispersion: number;
}

function startSums(): RunningSums {
  return { errors: 0, ratios: new Array<number>(BINS).fill(0), squaredRatio: 0, logRelative: 0, dispersion: 0 };
}

function count(sums: RunningSums, { size, forecast, spread }: CumulativeError): void {
  if (!(spread > 0 && forecast > 0)) return;
  const ratio = Math.min(size / spread, BIN_WIDTH * BINS);
  sums.errors++;
  sums.ratios[Math.min(Math.floor(ratio / BIN_WIDTH), BINS - 1)]!++;
  sums.squaredRatio += ratio * ratio;
  // An exact hit has no logarithm; a thousandth of the forecast stands in for it.
  sums.logRelative += 2 * Math.log(Math.max(size / forecast, 1e-3));
  sums.dispersion += Math.min((size * size) / forecast, MAX_DISPERSION);
}

function mergeLists(a: readonly PooledErrors[], b: readonly PooledErrors[]): PooledErrors[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => {
    const first = a[i] ?? startSums();
    const second = b[i] ?? startSums();
    return {
      errors: first.errors + second.errors,
      ratios: first.ratios.map((value, bin) => value + second.ratios[bin]!),
      squaredRatio: first.squaredRatio + second.squaredRatio,
      logRelative: first.logRelative + second.logRelative,
      dispersion: first.dispersion + second.dispersion,
    };
  });
}
