import { only, type Queryable, type Transaction } from '../platform/database/database.js';
import type { SeriesFindings } from '../alerts/index.js';
import type { ErrorPool } from '../inventory/index.js';
import { publicationTime } from '../platform/database/publication.js';
import type { ChunkSummary } from './chunk-summary.js';
import type { RunMetrics } from './run.js';
import type { HeldChunk, LeasedRun } from './run-leases.queries.js';

// What workers commit under the leases of ./run-leases.queries.ts, and how runs end. As there, a run is named by its id alone.

/**
 * Stores the plan under the lease's epoch: what was learnt over the workspace, and the chunks.
 * @returns false when the lease was lost; nothing is stored then
 */
export async function storePlan(
  tx: Transaction,
  run: LeasedRun,
  plan: {
    /** As JSON. */
    readonly pooled: string;
    /** Last month that the run learns from, the same for all its chunks whatever is uploaded meanwhile. */
    readonly lastMonth: number;
    /** Ids of their series. */
    readonly chunks: readonly (readonly string[])[];
  },
): Promise<boolean> {
  const { runId, lease } = run;
  const total = plan.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const stored = await tx.execute(
    `UPDATE runs
        SET pooled = $4, last_month = $5, chunks_total = $6, series_total = $7, lease_owner = NULL, lease_expires_at = NULL
      WHERE id = $1 AND lease_owner = $2 AND lease_epoch = $3 AND status = 'running' AND chunks_total IS NULL`,
    [runId, lease.owner, lease.epoch, plan.pooled, plan.lastMonth, plan.chunks.length, total],
  );
  if (stored !== 1) return false;
  await tx.execute(
    // runs that wait take turns: each begins where the line stands, and goes one place back with each chunk. So a small run
    // passes between the chunks of large ones, which yet come to an end however many small ones follow
    `INSERT INTO run_chunks (run_id, position, organization_id, workspace_id, series_ids, turn_at)
     SELECT $1, chunk.position - 1, $2, $3, ARRAY(SELECT jsonb_array_elements_text(chunk.ids)::uuid),
            $5::timestamptz + (chunk.position - 1) * interval '1 second'
       FROM jsonb_array_elements($4::jsonb) WITH ORDINALITY AS chunk (ids, position)`,
    [runId, run.organizationId, run.workspaceId, JSON.stringify(plan.chunks), run.turnFrom],
  );
  return true;
}

/** What a chunk leaves for the completion of its run, beside the sums of its summary. */
export interface ChunkFindings {
  readonly series: readonly SeriesFindings[];
  readonly errorPool: ErrorPool;
}

export interface ChunkResult {
  /** Number of series. */
  readonly series: number;
  readonly summary: ChunkSummary;
  readonly findings: ChunkFindings;
}

/**
 * Marks a chunk done under its epoch and counts it. The counter, not a search for undone chunks, decides which commit is
 * the last: two concurrent commits cannot both see the other as undone.
 * @returns whether it was the last chunk; undefined when the lease was lost or the run has ended, and the caller must roll back
 */
export async function completeChunk(
  tx: Transaction,
  { runId, position, lease }: HeldChunk,
  result: ChunkResult,
): Promise<{ last: boolean } | undefined> {
  // the run before its chunk, as canceling and failing lock them: two orders would be a deadlock
  const running = await tx.query(`SELECT 1 FROM runs WHERE id = $1 AND status = 'running' FOR NO KEY UPDATE`, [runId]);
  if (running.length === 0) return undefined;
  const completed = await tx.execute(
    `UPDATE run_chunks SET done = true, summary = $5, findings = $6, lease_owner = NULL, lease_expires_at = NULL
      WHERE run_id = $1 AND position = $2 AND lease_owner = $3 AND lease_epoch = $4 AND NOT done`,
    [runId, position, lease.owner, lease.epoch, JSON.stringify(result.summary), JSON.stringify(result.findings)],
  );
  if (completed !== 1) return undefined;
  const [run] = await tx.query<{ last: boolean }>(
    `UPDATE runs SET chunks_done = chunks_done + 1, series_done = series_done + $2
      WHERE id = $1 AND status = 'running' RETURNING chunks_done = chunks_total AS last`,
    [runId, result.series],
  );
  return run;
}

/** Summaries of all chunks of a run, in order. */
export async function readChunkSummaries(db: Queryable, runId: string): Promise<ChunkSummary[]> {
  const rows = await db.query<{ summary: ChunkSummary }>(
    'SELECT summary FROM run_chunks WHERE run_id = $1 ORDER BY position',
    [runId],
  );
  return rows.map((row) => row.summary);
}

/** Findings of `count` chunks of a run from `position` on, in order; empty beyond the last. */
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

/** Removes the chunks of a run whose results are all merged. */
export async function discardChunks(tx: Transaction, runId: string): Promise<void> {
  await tx.execute('DELETE FROM run_chunks WHERE run_id = $1', [runId]);
}

/** Ends a run well. Of what it learnt the origin of the forecasts is kept, for their later explanation; those of the backtest go. */
export async function completeRun(
  tx: Transaction,
  runId: string,
  { metrics, errorPool, finishedAt }: RunOutcome,
): Promise<void> {
  const { seconds } = only(
    await tx.query<{ seconds: number }>(
      `UPDATE runs SET status = 'completed', finished_at = $2, error_pool = $3,
              pooled = jsonb_set(pooled, '{origins}', jsonb_build_array(pooled #> '{origins,0}'))
        WHERE id = $1
       RETURNING round(extract(epoch FROM finished_at - started_at)::numeric, 3)::float8 AS seconds`,
      [runId, finishedAt, JSON.stringify(errorPool)],
    ),
  );
  await tx.execute('UPDATE runs SET metrics = $2 WHERE id = $1', [
    runId,
    JSON.stringify({ ...metrics, duration_seconds: seconds }),
  ]);
}

export interface RunOutcome {
  readonly metrics: Omit<RunMetrics, 'duration_seconds'>;
  /** Backtest errors of all series, for safety stock. */
  readonly errorPool: ErrorPool;
  readonly finishedAt: Date;
}

/** What learnt parameters the chunks of a run share, as JSON; undefined when the run has ended without results. */
export async function readPooled(db: Queryable, runId: string): Promise<string | undefined> {
  const [row] = await db.query<{ pooled: string | null }>('SELECT pooled::text AS pooled FROM runs WHERE id = $1', [
    runId,
  ]);
  return row?.pooled ?? undefined;
}

/** Ends a run badly, once; returns its tenant and billing when this call ended it. */
export async function failRun(
  tx: Transaction,
  runId: string,
  code: string,
  message: string,
): Promise<{ organization_id: string; billed: 'quota' | 'overage'; created_at: Date } | undefined> {
  const [row] = await tx.query<{ organization_id: string; billed: 'quota' | 'overage'; created_at: Date }>(
    `UPDATE runs SET status = 'failed', error_code = $2, error_message = $3, pooled = NULL, lease_owner = NULL, lease_expires_at = NULL
      WHERE id = $1 AND status IN ('queued', 'running') RETURNING organization_id, billed, created_at`,
    [runId, code, message],
  );
  if (row) await endWithoutResults(tx, row.organization_id, runId);
  return row;
}

/** A run that did not complete has no results: what its chunks had stored goes. Returns when it ended. */
export async function endWithoutResults(tx: Transaction, organizationId: string, runId: string): Promise<Date> {
  await discardChunks(tx, runId);
  await tx.execute('DELETE FROM forecasts WHERE run_id = $1', [runId]);
  const finishedAt = await publicationTime(tx, organizationId);
  await tx.execute('UPDATE runs SET finished_at = $2 WHERE id = $1', [runId, finishedAt]);
  return finishedAt;
}
