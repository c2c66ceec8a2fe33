import type { SeriesFilter } from '../series/index.js';
import {
  DEFAULT_SETTINGS,
  type EngineSettings,
  type ModelName,
  type MonthNumber,
  type OutlierPolicy,
  parseMonth,
} from '../forecasting/index.js';

/** Which series a run covers: named ones, a category, or (absent) all of the workspace. */
export interface SeriesSelection {
  readonly unique_ids?: readonly string[];
  readonly category?: string;
}

/** Effective configuration of a run: the defaults with the caller's overrides applied. */
export interface RunConfig {
  readonly horizon: number;
  readonly models: readonly ModelName[];
  readonly backtest_windows: number;
  readonly min_history: number;
  /** Last month of history used (`YYYY-MM-01`); null: per series, the last month that is over and complete. */
  readonly cutoff: string | null;
  readonly series: SeriesSelection | null;
  readonly outliers: OutlierPolicy;
  readonly seed: number;
}

export const DEFAULT_RUN_CONFIG: RunConfig = {
  horizon: DEFAULT_SETTINGS.horizon,
  models: DEFAULT_SETTINGS.models,
  backtest_windows: DEFAULT_SETTINGS.backtestWindows,
  min_history: DEFAULT_SETTINGS.minHistory,
  cutoff: null,
  series: null,
  outliers: DEFAULT_SETTINGS.outliers,
  seed: DEFAULT_SETTINGS.seed,
};

/** The part of the configuration that the engine uses. */
export function engineSettings(config: RunConfig): EngineSettings {
  return {
    horizon: config.horizon,
    models: config.models,
    backtestWindows: config.backtest_windows,
    minHistory: config.min_history,
    outliers: config.outliers,
    seed: config.seed,
  };
}

/** The part that limits how much history is read. */
export function cutoff(config: RunConfig): MonthNumber | undefined {
  return config.cutoff === null ? undefined : parseMonth(config.cutoff);
}

/** The part that selects which series are read. */
export function selection({ series }: RunConfig): SeriesFilter {
  return { uniqueIds: series?.unique_ids, category: series?.category };
}
