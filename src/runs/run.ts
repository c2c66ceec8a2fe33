import { type AccuracyMetrics, type MonthNumber, parseMonth } from '../forecasting/index.js';
import type { Tenant } from '../platform/database/scope.js';
import type { RunScope } from '../series/index.js';
import type { AccuracyDto } from './dto/accuracy.dto.js';
import type { RunDto, RunStatus } from './dto/run.dto.js';

/** The scope of queries about a run's results: the run and its workspace, within the reader's organization. */
export const scopeOf = ({ organizationId }: Pick<Tenant, 'organizationId'>, run: RunDto): RunScope => ({
  organizationId,
  workspaceId: run.workspace_id,
  runId: run.id,
});

export const isFinished = (status: RunStatus): boolean =>
  status === 'completed' || status === 'failed' || status === 'canceled';

/** When the run finished; an unfinished one counts as of its creation. */
export const finishOf = (run: RunDto): Date => run.finished_at ?? run.created_at;

/**
 * Milliseconds from the first work on a run to its end; 0 if the clock was set back by more than that in between.
 * @returns undefined if the run has not begun or not ended
 */
export function durationOf({ started_at: from, finished_at: to }: RunDto): number | undefined {
  return from !== null && to !== null ? Math.max(0, to.getTime() - from.getTime()) : undefined;
}

/** Newest month in the data of a completed run; undefined if the run did not record it. */
export function newestMonthOf({ metrics }: RunDto): MonthNumber | undefined {
  return metrics?.newest_month ? parseMonth(metrics.newest_month) : undefined;
}

/** Accuracy metrics of a backtest, as named in the API. */
export const accuracyFields = (accuracy: AccuracyMetrics) => ({
  ...errorFields(accuracy),
  backtest_months: accuracy.months,
});

/** {@link accuracyFields} without the number of values compared. */
export function errorFields(accuracy: AccuracyMetrics): AccuracyDto {
  return {
    wape: accuracy.wape,
    mase: accuracy.mase,
    rmsse: accuracy.rmsse,
    bias: accuracy.bias,
    mean_weighted_quantile_loss: accuracy.meanWeightedQuantileLoss,
    coverage: accuracy.coverage,
    skill: accuracy.skill,
  };
}
