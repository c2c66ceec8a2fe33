import type { SeriesFindings } from '../../alerts/index.js';
import type { ErrorPool } from '../../inventory/index.js';
import { oneOrNone, type Queryable, type Transaction } from '../../platform/database/database.js';
import type { HistoryEnd, MissingDays } from '../../series/index.js';
import type { ChunkSummary } from './chunk-summary.js';
import { type LeasedChunk, type LeasedRun, NO_LEASE } from './leases.queries.js';

// What workers commit under their leases. As in ./leases.queries.ts, a run is identified by its id alone.

/** Decided once for all chunks of a run, so that uploads in the meantime change nothing. */
export interface RunPlan extends HistoryEnd {
  /** The pooled model of the workspace, as JSON. */
  readonly pooled: string;
  /** Ids of the series in each chunk. */
  readonly chunks: readonly (readonly string[])[];
  /** Days of its last months that were probably not uploaded. */
  readonly missingDays: readonly MissingDays[];
  /** Identifiers in the request that match no series, in their order. */
  readonly unknown: readonly string[];
}

/**
 * Stores the plan under the lease's epoch.
 * @returns false if the lease was lost; then nothing is stored
 */
export async function storePlan(tx: Transaction, run: LeasedRun, plan: RunPlan): Promise<boolean> {
  const { runId, lease } = run;
  const total = plan.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const stored = await tx.execute(
    `UPDATE runs
        SET pooled = $4, last_month = $5, incomplete_month = $6, chunks_total = $7, series_total = $8,
            unknown_series = $9, missing_days = $10, ${NO_LEASE}
      WHERE id = $1 AND lease_owner = $2 AND lease_epoch = $3 AND status = 'running' AND chunks_total IS NULL`,
    [
      runId,
      lease.owner,
      lease.epoch,
      plan.pooled,
      plan.lastMonth,
      plan.incompleteMonth,
      plan.chunks.length,
      total,
      plan.unknown,
      JSON.stringify(plan.missingDays),
    ],
  );
  if (stored !== 1) return false;
  await tx.execute(
    // runs take turns: the first chunk's turn is the current head of the line, and each further chunk's is one place further back.
    // So a small run passes between the chunks of large ones, and large ones still end however many small ones follow
    `INSERT INTO run_chunks (run_id, position, organization_id, workspace_id, series_ids, turn_at)
     SELECT $1, chunk.position - 1, $2, $3, ARRAY(SELECT jsonb_array_elements_text(chunk.ids)::uuid),
            $5::timestamptz + (chunk.position - 1) * interval '1 second'
       FROM jsonb_array_elements($4::jsonb) WITH ORDINALITY AS chunk (ids, position)`,
    [runId, run.organizationId, run.workspaceId, JSON.stringify(plan.chunks), run.turnFrom],
  );
  return true;
}

/** What completing a run needs from its chunks besides their summaries. */
export interface ChunkFindings {
  readonly series: readonly SeriesFindings[];
  readonly errorPool: ErrorPool;
}

export interface ChunkResult {
  readonly seriesCount: number;
  readonly summary: ChunkSummary;
  readonly findings: ChunkFindings;
}

/**
 * Marks a chunk done under its epoch and counts it. The counter, rather than a search for unfinished chunks, determines which
 * commit is the last: two concurrent commits cannot each see the other as unfinished.
 * @returns whether it was the last chunk; undefined if the lease was lost or the run has ended, and the caller must roll back
 */
export async function completeChunk(
  tx: Transaction,
  { runId, position, lease }: LeasedChunk,
  result: ChunkResult,
): Promise<{ last: boolean } | undefined> {
  // the run before its chunk, as canceling and failing lock them: any other order could deadlock
  const running = await tx.query(`SELECT 1 FROM runs WHERE id = $1 AND status = 'running' FOR NO KEY UPDATE`, [runId]);
  if (running.length === 0) return undefined;
  const completed = await tx.execute(
    `UPDATE run_chunks SET done = true, summary = $5, findings = $6, ${NO_LEASE}
      WHERE run_id = $1 AND position = $2 AND lease_owner = $3 AND lease_epoch = $4 AND NOT done`,
    [runId, position, lease.owner, lease.epoch, JSON.stringify(result.summary), JSON.stringify(result.findings)],
  );
  if (completed !== 1) return undefined;
  return oneOrNone<{ last: boolean }>(
    tx,
    `UPDATE runs SET chunks_done = chunks_done + 1, series_done = series_done + $2
      WHERE id = $1 AND status = 'running' RETURNING chunks_done = chunks_total AS last`,
    [runId, result.seriesCount],
  );
}

/** The pooled model shared by the chunks of a run, as JSON; undefined if the run has ended without results. */
export async function readPooled(db: Queryable, runId: string): Promise<string | undefined> {
  const row = await oneOrNone<{ pooled: string | null }>(db, 'SELECT pooled::text AS pooled FROM runs WHERE id = $1', [
    runId,
  ]);
  return row?.pooled ?? undefined;
}
