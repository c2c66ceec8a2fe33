import {
  type AccuracySums,
  emptyAccuracy,
  finishAccuracy,
  formatDay,
  formatMonth,
  isStale,
  mergeAccuracy,
  type MonthNumber,
  type SeriesForecast,
  seriesAccuracy,
} from '../../forecasting/index.js';
import type { MissingDays } from '../../series/index.js';
import type { RunMetricsDto, RunSkipReason } from '../dto/run.dto.js';
import { accuracyFields } from '../run.js';

/** Number of skipped series that a run's metrics name; the rest are only counted. */
export const NAMED_SKIPS = 100;

/** What became of a series in a run. */
export type RunResult =
  | SeriesForecast
  | { readonly kind: 'skipped'; readonly id: string; readonly reason: RunSkipReason; readonly detail: string };

/** What a chunk contributes to its run's metrics: sums and counts, so that chunks can be merged in any order. */
export interface ChunkSummary {
  readonly accuracy: AccuracySums;
  readonly forecast: number;
  /** Newest month with data in the workspace; null without series. Absent in chunks computed by an earlier release. */
  readonly newestMonth?: MonthNumber | null;
  /** Last day in that month, 1 to 31, with daily demand in a series of the chunk; null if none. May be absent, as above. */
  readonly newestDay?: number | null;
  readonly stale?: number;
  readonly models: Readonly<Record<string, number>>;
  readonly patterns: Readonly<Record<string, number>>;
  readonly skipped: RunMetricsDto['skipped'];
}

/** Results of planning that the run's metrics report. */
export interface PlannedRun {
  /** Identifiers in the request that matched no series, in their order. */
  readonly unknown: readonly string[];
  /** The month that the run leaves out because its last days are missing; null if none. */
  readonly incompleteMonth: MonthNumber | null;
  readonly missingDays: readonly MissingDays[];
}

/**
 * Summarizes a chunk's results.
 * @param uniqueIds maps the engine's ids to the callers'
 * @param newest newest month with data in the workspace (null if the chunk has no series), and its last day with daily demand (null
 * if none has)
 */
export function summarizeChunk(
  results: readonly RunResult[],
  uniqueIds: ReadonlyMap<string, string>,
  { month: newestMonth, day: newestDay }: { readonly month: MonthNumber | null; readonly day: number | null },
): ChunkSummary {
  let accuracy = emptyAccuracy();
  let forecast = 0;
  const models: Record<string, number> = {};
  const patterns: Record<string, number> = {};
  const reasons: Record<string, number> = {};
  const first: RunMetricsDto['skipped']['first'][number][] = [];
  let skipped = 0;
  let stale = 0;
  for (const result of results) {
    if (result.kind === 'skipped') {
      skipped += 1;
      add(reasons, result.reason, 1);
      if (first.length < NAMED_SKIPS)
        first.push({ unique_id: uniqueIds.get(result.id) ?? result.id, reason: result.reason, detail: result.detail });
      continue;
    }
    forecast += 1;
    if (newestMonth !== null && isStale(result.firstMonth - 1, newestMonth)) stale += 1;
    add(models, result.model, 1);
    add(patterns, result.pattern, 1);
    accuracy = mergeAccuracy(accuracy, seriesAccuracy(result.backtest));
  }
  return {
    accuracy,
    forecast,
    newestMonth,
    newestDay,
    stale,
    models,
    patterns,
    skipped: { total: skipped, by_reason: reasons, first },
  };
}

/** Metrics of the whole run, merged from its chunks in the given order. */
export function mergeSummaries(
  summaries: readonly ChunkSummary[],
  { unknown, incompleteMonth, missingDays }: PlannedRun,
): Omit<RunMetricsDto, 'duration_seconds'> {
  const models: Record<string, number> = {};
  const patterns: Record<string, number> = {};
  const reasons: Record<string, number> = {};
  for (const summary of summaries) {
    for (const [name, count] of Object.entries(summary.models)) add(models, name, count);
    for (const [name, count] of Object.entries(summary.patterns)) add(patterns, name, count);
    for (const [name, count] of Object.entries(summary.skipped.by_reason)) add(reasons, name, count);
  }
  if (unknown.length > 0) add(reasons, 'unknown_series', unknown.length);
  const newest = Math.max(...summaries.map(({ newestMonth }) => newestMonth ?? -Infinity));
  const day = Math.max(...summaries.map(({ newestDay }) => newestDay ?? 0));
  return {
    ...accuracyFields(
      finishAccuracy(summaries.map((summary) => summary.accuracy).reduce(mergeAccuracy, emptyAccuracy())),
    ),
    series_forecast: summaries.reduce((sum, summary) => sum + summary.forecast, 0),
    newest_month: Number.isFinite(newest) ? formatMonth(newest) : null,
    newest_day: day > 0 ? formatDay(newest, day) : null,
    incomplete_month: incompleteMonth === null ? null : formatMonth(incompleteMonth),
    missing_days: missingDays,
    stale_series: summaries.reduce((sum, summary) => sum + (summary.stale ?? 0), 0),
    models,
    patterns,
    skipped: {
      total: summaries.reduce((sum, summary) => sum + summary.skipped.total, unknown.length),
      by_reason: reasons,
      first: [...unknown.map(unknownSeries), ...summaries.flatMap((summary) => summary.skipped.first)].slice(
        0,
        NAMED_SKIPS,
      ),
    },
  };
}

const unknownSeries = (uniqueId: string): RunMetricsDto['skipped']['first'][number] => ({
  unique_id: uniqueId,
  reason: 'unknown_series',
  detail: 'The series was not in the workspace when the run was planned.',
});

function add(counts: Record<string, number>, name: string, count: number): void {
  counts[name] = (counts[name] ?? 0) + count;
}
