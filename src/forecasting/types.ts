/**
 * The vocabulary of the engine. Everything here is plain data: numbers in, numbers out, structured-clone safe, so that the
 * same values travel to threads and into storage unchanged.
 */

/** Probability levels of every quantile forecast, ascending. */
export const QUANTILE_LEVELS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as const;
/** Number of quantile levels (9). */
export const LEVELS = QUANTILE_LEVELS.length;
/** Index of the median in {@link QUANTILE_LEVELS}. */
export const MEDIAN = 4;
/** Season length of monthly demand. */
export const SEASON = 12;

/**
 * A month as a whole number: `12 * year + (month - 1)`; 2026-11 is 24322. Month arithmetic is then plain addition.
 */
export type MonthNumber = number;

/** Observed demand of one series, one value a month, oldest first. */
export interface DemandHistory {
  /** Identifier that results carry back; opaque to the engine. */
  readonly id: string;
  /** Month of `values[0]`. */
  readonly startMonth: MonthNumber;
  /** Demand per month in the series' unit; NaN where the month is missing (missing is not zero). The last entry is the latest complete month. */
  readonly values: Float64Array;
  /** Group to borrow shape from while the series is too short; absent when unknown. */
  readonly category?: string;
  /** What the values count, for sentences only; absent when unknown. */
  readonly unit?: string;
}

/** The demand of a history alone. */
export type MonthlyDemand = Pick<DemandHistory, 'values' | 'startMonth'>;

/** A probabilistic forecast over `horizon` months. */
export interface QuantileForecast {
  /** Expected demand, length `horizon`. */
  readonly mean: Float64Array;
  /** Quantiles, row-major: `quantiles[k * 9 + j]` is level `QUANTILE_LEVELS[j]` of step `k` (0-based). Ascending in j. */
  readonly quantiles: Float64Array;
}

/** Syntetos-Boylan-Croston classes plus the cases they leave out. */
export const DEMAND_PATTERNS = ['smooth', 'erratic', 'intermittent', 'lumpy', 'short', 'new', 'dead'] as const;
export type DemandPattern = (typeof DEMAND_PATTERNS)[number];

/** Methods a planner may name in a run's `models`. `auto` is the routed combination and the default. */
export const MODEL_NAMES = [
  'auto',
  'seasonal_naive',
  'auto_ets',
  'theta',
  'dynamic_theta',
  'ces',
  'stl_ets',
  'ridge_fourier',
  'croston',
  'sba',
  'tsb',
  'adida',
  'imapa',
] as const;
export type ModelName = (typeof MODEL_NAMES)[number];

/** What the routed combination names as the origin of a forecast, beside the methods of `MODEL_NAMES`. */
export const ROUTE_NAMES = [
  'combination',
  'network',
  'intermittent',
  'in_season',
  'order_cycle',
  'category_shape',
  'recent_mean',
] as const;
export type RouteName = (typeof ROUTE_NAMES)[number];

/** What to do with odd months before fitting (outliers/): draw them to what is usual, or take them as they are. */
export const OUTLIER_POLICIES = ['keep', 'dampen'] as const;
export type OutlierPolicy = (typeof OUTLIER_POLICIES)[number];

/** Effective settings of a run; every field decided. */
export interface EngineSettings {
  /** Months to forecast, 1..36. */
  readonly horizon: number;
  /**
   * Methods to use; `['auto']` is the routed combination. With one classical name that method alone is used; with several,
   * each series takes the one with the smallest absolute errors at the backtest origins they share (falling back to the first
   * where there is no backtest).
   */
  readonly models: readonly ModelName[];
  /** Rolling origins for the backtest, 0..6, each one horizon (at most 12 months) before the previous. */
  readonly backtestWindows: number;
  /** Observed months below which a series is skipped, 1..36. */
  readonly minHistory: number;
  readonly outliers: OutlierPolicy;
  /** Seed of every random number drawn; same seed, same forecasts to the bit. */
  readonly seed: number;
}

/** One rolling origin: what was forecast and what then happened. */
export interface BacktestWindow {
  /** First forecast month. */
  readonly firstMonth: MonthNumber;
  /** Observed demand, NaN where missing. Length = steps of the window. */
  readonly actual: Float64Array;
  readonly mean: Float64Array;
  /** Row-major as in {@link QuantileForecast}. */
  readonly quantiles: Float64Array;
  /** In-sample mean absolute error of the seasonal naive (the MASE scale); NaN when it cannot be formed. */
  readonly maseScale: number;
  /** In-sample root mean squared error of the seasonal naive (the RMSSE scale); NaN when it cannot be formed. */
  readonly rmsseScale: number;
  /** Seasonal-naive forecast of the same window, for forecast value added. */
  readonly naive: Float64Array;
}

/** The forecast of one series by a run. */
export interface SeriesForecast extends QuantileForecast {
  readonly kind: 'forecast';
  readonly id: string;
  /** Month of step 0: the month after the last of the history. */
  readonly firstMonth: MonthNumber;
  /** What produced it, for people: one of `ROUTE_NAMES`, or a classical method's name. */
  readonly model: string;
  readonly pattern: DemandPattern;
  /**
   * Oldest origin first; empty when the history is too short or `backtestWindows` is 0. Of several methods each window has the one
   * that is best on the others, which need not be the one that forecasts.
   */
  readonly backtest: readonly BacktestWindow[];
}

/** Why a series has no forecast. */
export const SKIP_REASONS = ['no_observations', 'insufficient_history', 'not_finite', 'no_recent_demand'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** A series that cannot be forecast. */
export interface SkippedSeries {
  readonly kind: 'skipped';
  readonly id: string;
  readonly reason: SkipReason;
  /** One sentence for people. */
  readonly detail: string;
}

/** What a run has of each series. */
export type SeriesResult = SeriesForecast | SkippedSeries;
