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
  /** Demand class as the engine names it. See {@link isInfrequent}. */
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
  /** How far the demand of a day takes stock below the reorder point; absent where demand is not known by day. */
  readonly undershoot?: Undershoot;
}

/** Mean and standard deviation of how far the demand of a day takes stock below the reorder point. */
export interface Undershoot {
  readonly mean: number;
  readonly sigma: number;
  /** Mean demand of a day that has some. */
  readonly dayDemand: number;
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
/** Classes by the length of the history alone. */
const YOUNG: ReadonlySet<string> = new Set(['new', 'short']);

/**
 * Whether demand is infrequent: by its class, or where it is too young for one, if the first month of the forecast is without demand
 * with a probability of a tenth or more.
 */
export function isInfrequent({
  demandPattern,
  quantiles,
}: Pick<DemandForecast, 'demandPattern' | 'quantiles'>): boolean {
  return INFREQUENT.has(demandPattern) || (YOUNG.has(demandPattern) && !(quantiles[0]! > 0));
}

/** Errors of many series over one lead time; plain numbers, so that pools can be stored and merged. */
export interface PooledErrors {
  /** Errors counted. */
  readonly errors: number;
  /** Counts of |error| / (sum of monthly spreads) in bins of one tenth. */
  readonly ratios: readonly number[];
  /** Sum of the squares of these ratios, each at most 36. */
  readonly squaredRatio: number;
  /** Sum of ln(error^2 / forecast^2). */
  readonly logRelative: number;
  /** Sum of error^2 / forecast: the dispersion of a count. */
  readonly dispersion: number;
}

/** Pooled errors of a workspace; entry `m - 1` belongs to a lead time of m months. Regular and infrequent demand apart. */
export interface ErrorPool {
  readonly regular: readonly PooledErrors[];
  readonly infrequent: readonly PooledErrors[];
}

/** One series, its lead time and the service asked for. */
export interface SafetyStockRequest {
  readonly forecast: DemandForecast;
  /** Months from order to delivery, 0 < lead time <= horizon; fractions allowed. */
  readonly leadTime: number;
  /** Standard deviation of lead times about it in months, independent of demand; 0 where absent. See `likelyLeadTimes` for its limits. */
  readonly leadTimeSd?: number | undefined;
  /** Cycle service: the probability that a replenishment cycle passes without a stockout, 0.5 .. 0.999. */
  readonly serviceLevel: number;
  /** Backtest errors of the workspace, from poolErrors; without them only the series' own evidence is used. */
  readonly pool?: ErrorPool | undefined;
}
