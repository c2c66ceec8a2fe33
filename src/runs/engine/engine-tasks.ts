import type { SeriesFindings } from '../../alerts/index.js';
import type { DemandHistory, EngineSettings, SeriesResult } from '../../forecasting/index.js';
import type { ErrorPool } from '../../inventory/index.js';
import type { ExplainTask } from '../explain/explain-pairs.js';

/** Tasks of the engine's threads and their results. Everything here is compatible with structured cloning. */
export interface PoolTask {
  readonly kind: 'pool';
  readonly histories: readonly DemandHistory[];
  readonly settings: EngineSettings;
}

export interface FitTask {
  readonly kind: 'fit';
  readonly histories: readonly DemandHistory[];
  /** Ids of the series that a planner marked as important. */
  readonly important: ReadonlySet<string>;
  /** The run's pooled model as JSON, so that each thread parses it once per run and the event loop never does. */
  readonly pooled: { readonly runId: string; readonly json: string };
  readonly settings: EngineSettings;
  /** Latest month of the workspace: series that ended long before it raise no alerts. */
  readonly latestMonth: number;
}

export type EngineTask = PoolTask | FitTask | ExplainTask;

export interface FittedChunk {
  readonly results: readonly SeriesResult[];
  /** For the series that have any observation. */
  readonly findings: readonly SeriesFindings[];
  /** Backtest errors of the chunk, for the safety stock of series with too few of their own. */
  readonly errorPool: ErrorPool;
}
