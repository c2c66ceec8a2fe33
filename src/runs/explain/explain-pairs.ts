import {
  type EngineSettings,
  explainChange,
  type ExplainedChange,
  type MonthNumber,
  restoreModel,
  type StoredModel,
} from '../../forecasting/index.js';
import type { ForecastDetail } from '../../forecasts/index.js';

/** What a run's series have in common. */
export interface RunBasis {
  readonly pooled: StoredModel;
  readonly settings: EngineSettings;
  /** Newest month of its data; absent if unknown. */
  readonly newestMonth?: MonthNumber | undefined;
}

/** Series to explain between two runs; a thread task, so compatible with structured cloning. */
export interface ExplainTask {
  readonly kind: 'explain';
  readonly prior: RunBasis;
  readonly current: RunBasis;
  readonly series: readonly { readonly prior: ForecastDetail; readonly current: ForecastDetail }[];
}

/** The change of each series, in the order of the task. */
export function explainPairs({ prior, current, series }: ExplainTask): ExplainedChange[] {
  const [before, after] = [prior, current].map((run) => ({ ...run, pooled: restoreModel(run.pooled) }));
  return series.map((pair) => explainChange({ ...before!, ...pair.prior }, { ...after!, ...pair.current }));
}
