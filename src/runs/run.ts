import {
  type AccuracyMetrics,
  type DemandPattern,
  type MonthNumber,
  parseMonth,
  SKIP_REASONS,
} from '../forecasting/index.js';
import type { Tenant } from '../platform/database/scope.js';
import type { MissingDays, RunScope } from '../series/index.js';
import type { Billed } from '../usage/index.js';
import type { AccuracyDto } from './dto/accuracy.dto.js';
import type { RunConfig } from './run-config.js';

export const RUN_STATUSES = ['queued', 'running', 'completed', 'failed', 'canceled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];
export const RUN_TRIGGERS = ['api', 'schedule', 'app'] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

/** Why a run did not forecast a series: a reason of the engine, that the workspace has no such series, or that another replaces it. */
export const RUN_SKIP_REASONS = [...SKIP_REASONS, 'unknown_series', 'replaced'] as const;
export type RunSkipReason = (typeof RUN_SKIP_REASONS)[number];

/** Series that were not forecast: counts by reason, and the names of the first few. */
export interface SkippedSummary {
  readonly total: number;
  readonly by_reason: Partial<Record<RunSkipReason, number>>;
  readonly first: readonly { unique_id: string; reason: RunSkipReason; detail: string }[];
}

/** Metrics of a completed run. Ratios are null if the backtest had no data to compute them from. */
export interface RunMetrics extends Readonly<AccuracyDto> {
  readonly backtest_months: number;
  readonly series_forecast: number;
  /** Newest month with data in any series, `YYYY-MM-01`; null without data. Absent in runs of earlier releases. */
  readonly newest_month?: string | null;
  /** Last day in that month with daily demand, `YYYY-MM-DD`; null if it has only monthly values. May be absent, as above. */
  readonly newest_day?: string | null;
  /**
   * The past month that was left out because its last days are still to be uploaded, `YYYY-MM-01`; null if none. May be absent, as
   * above.
   */
  readonly incomplete_month?: string | null;
  /** Days of its last three months that were probably not uploaded. May be absent, as above. */
  readonly missing_days?: readonly MissingDays[];
  /** Number of forecast series whose data ends more than three months before the newest. May be absent, as above. */
  readonly stale_series?: number;
  readonly models: Readonly<Record<string, number>>;
  readonly patterns: Partial<Record<DemandPattern, number>>;
  readonly skipped: SkippedSummary;
  readonly duration_seconds: number;
}

/** A run as returned to callers (contract section 4). */
export interface Run {
  readonly id: string;
  readonly status: RunStatus;
  readonly workspace_id: string;
  readonly trigger: RunTrigger;
  readonly progress: { readonly series_total: number; readonly series_done: number };
  readonly config: RunConfig;
  readonly metrics: RunMetrics | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Null if the charge was refunded. */
  readonly billed: Billed | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
}

/** The scope of queries about a run's results: the run and its workspace, within the reader's organization. */
export const scopeOf = ({ organizationId }: Pick<Tenant, 'organizationId'>, run: Run): RunScope => ({
  organizationId,
  workspaceId: run.workspace_id,
  runId: run.id,
});

export const isFinished = (status: RunStatus): boolean =>
  status === 'completed' || status === 'failed' || status === 'canceled';

/** When the run finished; an unfinished one counts as of its creation. */
export const finishOf = (run: Run): Date => run.finished_at ?? run.created_at;

/**
 * Milliseconds from the first work on a run to its end; 0 if the clock was set back by more than that in between.
 * @returns undefined if the run has not begun or not ended
 */
export function durationOf({ started_at: from, finished_at: to }: Run): number | undefined {
  return from !== null && to !== null ? Math.max(0, to.getTime() - from.getTime()) : undefined;
}

/** Newest month in the data of a completed run; undefined if the run did not record it. */
export function newestMonthOf({ metrics }: Run): MonthNumber | undefined {
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
