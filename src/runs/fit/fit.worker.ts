import { forecastSeries, type PooledModel, poolWorkspace, type SeriesResult } from '../../forecasting/index.js';
import type { FitTask, PoolTask } from './fit-tasks.js';

/** Entry of a worker thread: the engine, away from the event loop that answers requests. */
export default function work(task: PoolTask | FitTask): PooledModel | SeriesResult[] {
  if (task.kind === 'pool') return poolWorkspace(task.histories, task.settings);
  return task.histories.map((history) => forecastSeries(history, task.pooled, task.settings));
}
