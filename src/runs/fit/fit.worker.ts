import {
  type DemandHistory,
  forecastSeries,
  type PooledModel,
  poolWorkspace,
  QUANTILE_LEVELS,
  type SeriesForecast,
} from '../../forecasting/index.js';
import { comesInWholeUnits, type DemandForecast, poolErrors } from '../../inventory/index.js';
import { findChanges } from './find-changes.js';
import type { FitTask, FittedChunk, PoolTask } from './fit-tasks.js';

/** Longest backtest window, hence the longest lead time whose errors can be measured. */
const LONGEST_WINDOW = 12;

/** Entry of a worker thread: the engine, away from the event loop that answers requests. */
export default function work(task: PoolTask | FitTask): PooledModel | FittedChunk {
  return task.kind === 'pool' ? poolWorkspace(task.histories, task.settings) : fit(task);
}

function fit({ histories, pooled, settings, latestMonth }: FitTask): FittedChunk {
  const results = histories.map((history) => forecastSeries(history, pooled, settings));
  const forecasts = results.flatMap((result, at) =>
    result.kind === 'forecast' ? [demandForecast(result, histories[at]!)] : [],
  );
  return {
    results,
    findings: histories.flatMap((history) => findChanges(history, latestMonth) ?? []),
    errorPool: poolErrors(forecasts, Math.min(settings.horizon, LONGEST_WINDOW)),
  };
}

function demandForecast(forecast: SeriesForecast, history: DemandHistory): DemandForecast {
  return {
    mean: forecast.mean,
    quantiles: forecast.quantiles,
    levels: QUANTILE_LEVELS,
    backtest: forecast.backtest,
    demandPattern: forecast.pattern,
    wholeUnits: comesInWholeUnits(history.values),
  };
}
