/** One origin of a backtest: what was forecast month by month and what then happened. Structurally the engine's own window. */
export interface BacktestErrors {
  /** Observed demand, NaN where missing. */
  readonly actual: ArrayLike<number>;
  /** Forecast mean of the same months. */
  readonly mean: ArrayLike<number>;
  /** Forecast quantiles, row-major: `quantiles[month * levels + j]`. */
  readonly quantiles: ArrayLike<number>;
}

/** Forecast and backtest of one series: what its lead-time demand is derived from. */
export interface DemandForecast {
  /** Expected demand per month, length = horizon; never negative. */
  readonly mean: ArrayLike<number>;
  /** Forecast quantiles, row-major: `quantiles[month * levels + j]`. */
  readonly quantiles: ArrayLike<number>;
  /** Probability levels of the quantiles, ascending and symmetric about one half. */
  readonly levels: readonly number[];
  /** Rolling origins of the same method on the same series; may be empty. */
  readonly backtest: readonly BacktestErrors[];
  /** Demand class as the engine names it: `intermittent`, `lumpy` and `dead` are treated as infrequent demand. */
  readonly demandPattern: string;
  /** Whether demand is counted in pieces or packs, and so comes in whole units only. */
  readonly wholeUnits: boolean;
  /**
   * What mean, quantiles and backtest are counted in, in the unit of the series: of infrequent demand a piece, a pack, or the mean order
   * where that is of several of these or comes in none. 1 where absent.
   */
  readonly unit?: number;
  /** Size of the pieces or packs that orders come in, in the unit of the series, where orders are counted; absent where they come in none. */
  readonly piece?: number;
}

/** Lead-time demand, in the unit of the series. */
export interface LeadTimeDemand {
  readonly mean: number;
  /** Standard deviation of the forecast error over the lead time. */
  readonly sigma: number;
}

/** What the spread of lead-time demand was made of; the weights sum to 1, or are all 0 where nothing tells of it. */
export interface SpreadEvidence {
  /** Cumulative backtest errors of the series itself. */
  readonly ownErrors: number;
  readonly ownWeight: number;
  /** Weight of the forecast's own quantile spread, scaled by the pooled errors. */
  readonly quantileWeight: number;
  /** Weight of the pooled relative spread. */
  readonly pooledWeight: number;
  /** False when the lead time is longer than any backtest window, so that the longest measured one was extended. */
  readonly measured: boolean;
}

/** Names of the fitted distributions; `none` when no demand is expected. */
export const LEAD_TIME_DISTRIBUTIONS = ['gamma', 'negative_binomial', 'compound_poisson', 'none'] as const;
export type LeadTimeDistribution = (typeof LEAD_TIME_DISTRIBUTIONS)[number];

const INFREQUENT: ReadonlySet<string> = new Set(['intermittent', 'lumpy', 'dead']);

/** Whether a demand class is infrequent demand. */
export function isInfrequent(demandPattern: string): boolean {
  return INFREQUENT.has(demandPattern);
}
