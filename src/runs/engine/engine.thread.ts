import { threadId } from 'node:worker_threads';
import {
  type ExplainedChange,
  forecastSeries,
  type PooledModel,
  poolWorkspace,
  QUANTILE_LEVELS,
  restoreModel,
  type StoredModel,
  windowMonths,
} from '../../forecasting/index.js';
import { demandForecast, poolErrors } from '../../inventory/index.js';
import { explainPairs } from '../explain/explain-pairs.js';
import { findChanges } from './find-changes.js';
import type { EngineTask, FitTask, FittedChunk } from './engine-tasks.js';
import type { ThreadTask } from './thread-pool.js';

/** Thread entry point: runs the engine off the event loop that serves requests. */
export default function work({ task, thread }: ThreadTask<EngineTask>): string | FittedChunk | ExplainedChange[] {
  thread[0] = threadId;
  switch (task.kind) {
    case 'pool':
      return JSON.stringify(poolWorkspace(task.histories, task.settings));
    case 'fit':
      return fit(task);
    case 'explain':
      return explainPairs(task);
  }
}

/** The pooled model of the last chunk's run, kept since the next chunk probably belongs to the same run. */
let known: { readonly runId: string; readonly model: PooledModel } | undefined;

function pooledModel({ runId, json }: FitTask['pooled']): PooledModel {
  if (known?.runId !== runId) known = { runId, model: restoreModel(JSON.parse(json) as StoredModel) };
  return known.model;
}

function fit({ histories, important, pooled, settings, latestMonth }: FitTask): FittedChunk {
  const model = pooledModel(pooled);
  const results = histories.map((history) => forecastSeries(history, model, settings));
  const forecasts = results.flatMap((result, at) =>
    result.kind === 'forecast' ? [demandForecast(result, QUANTILE_LEVELS, histories[at]!.values)] : [],
  );
  return {
    results,
    findings: histories.flatMap((history) => findChanges(history, latestMonth, important.has(history.id)) ?? []),
    errorPool: poolErrors(forecasts, windowMonths(settings)), // errors of longer lead times cannot be measured
  };
}
