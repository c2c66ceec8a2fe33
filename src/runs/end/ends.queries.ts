import type { ErrorPool } from '../../inventory/index.js';
import { one, oneOrNone, type Queryable, type Transaction } from '../../platform/database/database.js';
import type { Tenant } from '../../platform/database/scope.js';
import { publicationTime } from '../../platform/database/publication.js';
import type { Billed, RunRefund } from '../../usage/index.js';
import type { RunDto, RunMetricsDto } from '../dto/run.dto.js';
import { OF_SCOPE, RUN_COLUMNS } from '../runs.queries.js';
import type { ChunkSummary, PlannedRun } from '../work/chunk-summary.js';
import type { ChunkFindings } from '../work/commits.queries.js';
import { NO_LEASE } from '../work/leases.queries.js';

// How runs end. Like those of ../work, the statements that merge a run's chunks identify it by id alone.

/**
 * Summaries of all chunks of a run, in order. A run may skip a million series, so once `named` skipped series have been read,
 * further chunks come without their names.
 */
export async function readChunkSummaries(db: Queryable, runId: string, named: number): Promise<ChunkSummary[]> {
  const rows = await db.query<{ summary: ChunkSummary }>(
    `SELECT CASE WHEN skipped_before < $2 THEN summary ELSE jsonb_set(summary, '{skipped,first}', '[]') END AS summary
       FROM (SELECT position, summary,
                    coalesce(sum(jsonb_array_length(summary #> '{skipped,first}'))
                      OVER (ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS skipped_before
               FROM run_chunks WHERE run_id = $1) AS chunks
      ORDER BY position`,
    [runId, named],
  );
  return rows.map((row) => row.summary);
}

/** Findings of `count` chunks of a run starting at `position`, in order; empty past the last. */
export async function readChunkFindings(
  db: Queryable,
  runId: string,
  position: number,
  count: number,
): Promise<ChunkFindings[]> {
  const rows = await db.query<{ findings: ChunkFindings }>(
    'SELECT findings FROM run_chunks WHERE run_id = $1 AND position >= $2 AND position < $3 ORDER BY position',
    [runId, position, position + count],
  );
  return rows.map((row) => row.findings);
}

/** The parts of a run's plan that its metrics report. */
export function readPlanned(db: Queryable, runId: string): Promise<PlannedRun> {
  return one<PlannedRun>(
    db,
    `SELECT coalesce(unknown_series, '{}') AS unknown, incomplete_month AS "incompleteMonth",
              coalesce(missing_days, '[]') AS "missingDays"
         FROM runs WHERE id = $1`,
    [runId],
  );
}

/** Deletes the chunks of a run whose results have been merged or are no longer needed. */
export async function discardChunks(tx: Transaction, runId: string): Promise<void> {
  await tx.execute('DELETE FROM run_chunks WHERE run_id = $1', [runId]);
}

export interface RunOutcome {
  readonly metrics: Omit<RunMetricsDto, 'duration_seconds'>;
  /** Backtest errors of all series, for safety stock. */
  readonly errorPool: ErrorPool;
  readonly finishedAt: Date;
}

/** Marks a run as completed. Of its pooled models only the one behind the forecasts is kept, to explain them later. */
export async function markCompleted(
  tx: Transaction,
  runId: string,
  { metrics, errorPool, finishedAt }: RunOutcome,
): Promise<void> {
  const { seconds } = await one<{ seconds: number }>(
    tx,
    `UPDATE runs SET status = 'completed', finished_at = $2, error_pool = $3, unknown_series = NULL, missing_days = NULL,
              pooled = jsonb_set(pooled, '{origins}', jsonb_build_array(pooled #> '{origins,0}'))
        WHERE id = $1
       RETURNING round(greatest(0, extract(epoch FROM finished_at - started_at)), 3)::float8 AS seconds`,
    [runId, finishedAt, JSON.stringify(errorPool)],
  );
  await tx.execute('UPDATE runs SET metrics = $2 WHERE id = $1', [
    runId,
    JSON.stringify({ ...metrics, duration_seconds: seconds }),
  ]);
}

/** How a run ends without results. */
export type Abandonment =
  | { readonly status: 'canceled' }
  | { readonly status: 'failed'; readonly code: string; readonly message: string };

interface AbandonedRun {
  readonly run: RunDto;
  /** What it was charged to when it was started. */
  readonly charged: Billed;
  readonly endedAt: Date;
}

/** Keeps the workspace from being deleted until the transaction ends: the deletion locks forecasts before runs, this transaction after. */
async function holdWorkspaceOf(tx: Transaction, scope: Tenant, runId: string): Promise<void> {
  await tx.query(
    `SELECT id FROM workspaces WHERE organization_id = $2 AND id = (SELECT workspace_id FROM runs WHERE ${OF_SCOPE})
        FOR KEY SHARE`,
    [runId, scope.organizationId, scope.workspaceId],
  );
}

/**
 * Ends a run without results and deletes what its chunks have stored.
 * @returns undefined if it has already ended or does not exist
 */
export async function endWithoutResults(
  tx: Transaction,
  scope: Tenant,
  runId: string,
  end: Abandonment,
): Promise<AbandonedRun | undefined> {
  await holdWorkspaceOf(tx, scope, runId);
  const error = end.status === 'failed' ? [end.code, end.message] : [null, null];
  const abandoned = await oneOrNone<{ charged: Billed }>(
    tx,
    `UPDATE runs SET status = $4, error_code = $5, error_message = $6, pooled = NULL, unknown_series = NULL, missing_days = NULL, ${NO_LEASE}
      WHERE ${OF_SCOPE} AND status IN ('queued', 'running') RETURNING billed AS charged`,
    [runId, scope.organizationId, scope.workspaceId, end.status, ...error],
  );
  if (!abandoned) return undefined;
  await discardChunks(tx, runId);
  await tx.execute('DELETE FROM forecasts WHERE run_id = $1', [runId]);
  const finishedAt = await publicationTime(tx, scope.organizationId);
  const run = await one<RunDto>(tx, `UPDATE runs SET finished_at = $2 WHERE id = $1 RETURNING ${RUN_COLUMNS}`, [
    runId,
    finishedAt,
  ]);
  return { run, ...abandoned, endedAt: finishedAt };
}

/**
 * Cancels the runs that no worker has started, without publishing that to pollers: they are deleted next. Whoever starts or cancels
 * one either holds its workspace or finishes in a moment.
 * @returns their refunds in the order of their charges, so that everyone who refunds several locks the monthly counters in the same
 * order
 */
export function cancelQueuedRuns(tx: Transaction, { organizationId, workspaceId }: Tenant): Promise<RunRefund[]> {
  return tx.query<RunRefund>(
    `WITH canceled AS (
       UPDATE runs SET status = 'canceled', finished_at = clock_timestamp()
        WHERE organization_id = $1 AND ($2::uuid IS NULL OR workspace_id = $2) AND status = 'queued'
       RETURNING organization_id, id, billed, created_at, finished_at)
     SELECT organization_id AS "organizationId", id AS "runId", billed, created_at AS "chargedAt", finished_at AS "endedAt"
       FROM canceled ORDER BY created_at`,
    [organizationId, workspaceId],
  );
}
