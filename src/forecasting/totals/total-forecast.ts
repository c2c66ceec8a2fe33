import { clamp } from '../../numeric/clamp.js';
import { gammaQuantile } from '../../numeric/gamma.js';
import { meanOfPositive } from '../../numeric/mean-of-positive.js';
import { negativeBinomialQuantiles } from '../../numeric/negative-binomial.js';
import { quantileSpread } from '../../numeric/quantile-spread.js';
import { isInWholeUnits } from '../../numeric/whole-units.js';
import { NORMAL_QUANTILES } from '../quantiles/normal-quantiles.js';
import { LEVELS, type MonthNumber, QUANTILE_LEVELS, type QuantileForecast, type SeriesForecast } from '../types.js';

/**
 * Correlation of the errors of two series in a month where nothing shows it, and the months of a backtest that it counts as. Chosen on
 * groups of series one and two horizons before the ends of the training parts (docs/engine-totals.md).
 */
const PRIOR_CORRELATION = 0.02;
const PRIOR_MONTHS = 12;
/** One error beyond this many spreads counts as one of this size: otherwise one mistyped month makes the range the sum of ranges. */
const MAX_RATIO = 10;
/**
 * Correlation of the errors of two months of a series: usually as over a lead time (src/inventory/lead-time-spread.ts), lower for rare
 * orders, whose q10 is zero in all months: with .25, totals of a year of carparts2509 are covered by 95 %.
 */
const SERIAL_CORRELATION = { frequent: 0.25, rare: 0.1 } as const;

/** Total demand of a period. */
export interface TotalDemand {
  readonly firstMonth: MonthNumber;
  readonly lastMonth: MonthNumber;
  /** Series whose forecast includes a month of it. */
  readonly series: number;
  readonly mean: number;
  /** As many as {@link QUANTILE_LEVELS}. */
  readonly quantiles: Float64Array;
}

/** What one or several series say of a period. */
interface Sums {
  firstMonth: MonthNumber;
  lastMonth: MonthNumber;
  series: number;
  mean: number;
  /** Of standard deviations: that of the total if all errors were the same. */
  spread: number;
  /** Of their squares: the variance of the total if the errors of different series were independent. */
  variance: number;
  /** Of the series and month added last. */
  quantiles: Float64Array;
}

/** Errors of a month of the backtest. */
interface PastErrors {
  /** Sum of demand less its forecast. */
  error: number;
  spread: number;
  variance: number;
}

/**
 * Forecast of the total demand of several series, and of several months. Means add up, quantiles do not: errors of different series
 * partly cancel out, and the sum of their q90 is exceeded far more rarely than in one case of ten. With sigma the standard deviations
 * of what is added up and rho the correlation of every two of them,
 *
 *   variance = (1 - rho) sum(sigma^2) + rho sum(sigma)^2
 *
 * first over the months of a series, whose sigma their quantiles tell, with {@link SERIAL_CORRELATION}, then over the series. Their
 * rho is estimated by the method of moments: a month of the backtest whose errors sum to E shows (E^2 - sum(sigma^2)) /
 * (sum(sigma)^2 - sum(sigma^2)), with the square of (sum(sigma)^2 - sum(sigma^2)) / sum(sigma)^2 as its weight: where one series has
 * nearly all of the spread, a month tells little of pairs. The mean of these is drawn toward {@link PRIOR_CORRELATION}. The total has
 * a gamma distribution with these moments, or a negative binomial one if it is a count that varies at least as much as a Poisson one.
 * The total of one series in one month is its forecast.
 */
export class TotalForecast {
  private readonly ahead = new Map<MonthNumber, Sums>();
  private readonly past = new Map<MonthNumber, PastErrors>();
  private isCount = true;

  /** @param periodOf what a month is added up with: the same number for all months of a period, undefined if it does not count */
  constructor(private readonly periodOf: (month: MonthNumber) => MonthNumber | undefined = (month) => month) {}

  /** @param history monthly demand that the forecast was made from, NaN where missing */
  add(forecast: SeriesForecast, history: Float64Array): void {
    const order = meanOfPositive(history) || 0; // none where nothing was ordered
    this.isCount &&= isInWholeUnits(history);
    for (const [period, sums] of this.periodsOf(forecast, order)) {
      const total = this.ahead.get(period);
      this.ahead.set(period, total ? addUp(total, sums) : sums);
    }
    for (const window of forecast.backtest) {
      window.actual.forEach((actual, k) => {
        if (Number.isNaN(actual)) return;
        const spread = spreadOf(window, k, order);
        const most = MAX_RATIO * spread;
        this.addError(window.firstMonth + k, clamp(actual - window.mean[k]!, -most, most), spread);
      });
    }
  }

  /** In the order of their first months. */
  totals(): TotalDemand[] {
    const correlation = this.correlation();
    return [...this.ahead.values()]
      .sort((a, b) => a.firstMonth - b.firstMonth)
      .map(({ spread, variance, ...sums }) => {
        const isForecast = sums.series === 1 && sums.firstMonth === sums.lastMonth;
        const total = varianceOfSum({ spread, variance }, correlation);
        return { ...sums, quantiles: isForecast ? sums.quantiles : this.quantilesOf(sums.mean, total) };
      });
  }

  private periodsOf(forecast: SeriesForecast, order: number): Map<MonthNumber, Sums> {
    const periods = new Map<MonthNumber, Sums>();
    forecast.mean.forEach((mean, k) => {
      const month = forecast.firstMonth + k;
      const period = this.periodOf(month);
      if (period === undefined) return;
      const sums = periods.get(period) ?? emptySums(month);
      const spread = spreadOf(forecast, k, order);
      sums.lastMonth = month;
      sums.mean += mean;
      sums.spread += spread;
      sums.variance += spread * spread;
      sums.quantiles = forecast.quantiles.subarray(k * LEVELS, (k + 1) * LEVELS);
      periods.set(period, sums);
    });
    const correlation = SERIAL_CORRELATION[isRare(forecast) ? 'rare' : 'frequent'];
    for (const sums of periods.values()) {
      sums.variance = varianceOfSum(sums, correlation);
      sums.spread = Math.sqrt(sums.variance);
    }
    return periods;
  }

  private addError(month: MonthNumber, error: number, spread: number): void {
    const sums = this.past.get(month) ?? { error: 0, spread: 0, variance: 0 };
    sums.error += error;
    sums.spread += spread;
    sums.variance += spread * spread;
    this.past.set(month, sums);
  }

  private correlation(): number {
    let months = PRIOR_MONTHS;
    let sum = PRIOR_MONTHS * PRIOR_CORRELATION;
    for (const { error, spread, variance } of this.past.values()) {
      const square = spread * spread;
      const share = (square - variance) / square; // that pairs of different series have in it
      if (!(share > 0)) continue;
      sum += (share * (error * error - variance)) / square;
      months += share * share;
    }
    return clamp(sum / months, 0, 1);
  }

  private quantilesOf(mean: number, variance: number): Float64Array {
    const quantiles = new Float64Array(LEVELS);
    if (this.isCount && variance >= mean) {
      negativeBinomialQuantiles(mean, variance / mean, QUANTILE_LEVELS, quantiles);
      return quantiles;
    }
    const sigma = Math.sqrt(variance);
    return quantiles.map((_, j) => (sigma > 0 ? gammaQuantile(mean, sigma, QUANTILE_LEVELS[j]!) : mean));
  }
}

function emptySums(month: MonthNumber): Sums {
  return {
    firstMonth: month,
    lastMonth: month,
    series: 1,
    mean: 0,
    spread: 0,
    variance: 0,
    quantiles: new Float64Array(),
  };
}

function addUp(a: Sums, b: Sums): Sums {
  return {
    firstMonth: Math.min(a.firstMonth, b.firstMonth),
    lastMonth: Math.max(a.lastMonth, b.lastMonth),
    series: a.series + b.series,
    mean: a.mean + b.mean,
    spread: a.spread + b.spread,
    variance: a.variance + b.variance,
    quantiles: b.quantiles,
  };
}

function varianceOfSum({ spread, variance }: Pick<Sums, 'spread' | 'variance'>, correlation: number): number {
  return (1 - correlation) * variance + correlation * spread * spread;
}

/** Whether q10 is zero in every month. */
function isRare({ mean, quantiles }: QuantileForecast): boolean {
  return mean.every((_, k) => !(quantiles[k * LEVELS]! > 0));
}

/**
 * Standard deviation of month `k` as its quantiles tell it. Rare orders, whose quantiles are mostly zero, vary at least as much as a
 * Poisson number of orders of mean size.
 */
function spreadOf({ mean, quantiles }: QuantileForecast, k: number, order: number): number {
  const spread = quantileSpread(quantiles, k * LEVELS, NORMAL_QUANTILES);
  return quantiles[k * LEVELS]! > 0 ? spread : Math.max(spread, Math.sqrt(mean[k]! * order));
}
