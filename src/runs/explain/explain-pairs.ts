import {
  type DemandHistory,
  type EngineSettings,
  explainChange,
  type ExplainedChange,
  type MonthNumber,
  type PooledModel,
  type SeriesForecast,
} from '../../forecasting/index.js';

/** What a run knows about a series. */
export interface RunOfSeries {
  readonly history: DemandHistory;
  readonly forecast: SeriesForecast;
}

/** What a run's series have in common. */
export interface RunBasis {
  readonly pooled: PooledModel;
  readonly settings: EngineSettings;
  /** Newest month of its data; absent if unknown. */
  readonly newestMonth?: MonthNumber | undefined;
}

/** Series to explain between two runs; a thread task, so compatible with structured cloning. */
export interface ExplainTask {
  readonly kind: 'explain';
  readonly prior: RunBasis;
  readonly current: RunBasis;
  readonly series: readonly { readonly prior: RunOfSeries; readonly current: RunOfSeries }[];
}

/** The change of each series, in the order of the task. */
export function explainPairs({ prior, current, series }: ExplainTask): ExplainedChange[] {
  return series.map((pair) => explainChange({ ...prior, ...pair.prior }, { ...current, ...pair.current }));
}
