import { only, type Queryable, type Transaction } from '../platform/database/database.js';
import type { SeriesFindings } from '../alerts/index.js';
import type { ErrorPool } from '../inventory/index.js';
import { publicationTime } from '../platform/database/publication.js';
import type { RunConfig } from './run-config.js';
import type { ChunkSummary } from './chunk-summary.js';
import type { RunMetrics } from './run.js';

/**
 * The protocol by which any number of workers, on any number of machines, compute a run exactly once
 * (docs/architecture.md, "The life of a run"). All times are the database's (`clock_timestamp()`): workers' clocks may
 * differ. These statements name a run by its id alone: they serve the service, never a caller, and what they read or
 * write carries its tenant with it.
 */

/** Right to work on a run or a chunk, until it expires or is renewed. */
export interface Lease {
  readonly owner: string;
  readonly epoch: number;
}

export interface LeasedRun {
  readonly runId: string;
  readonly lease: Lease;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly config: RunConfig;
  /** Turn of the first chunk that is not done, of whichever run, else now: where the turns of this run begin. */
  readonly turnFrom: Date;
}

export interface LeasedChunk {
  readonly runId: string;
  readonly position: number;
  readonly lease: Lease;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly config: RunConfig;
  readonly seriesIds: readonly string[];
}

/** Takes the lease on the run that has waited longest to be planned; undefined when none is free. */
export async function leaseNextRun(db: Queryable, owner: string, leaseMs: number): Promise<LeasedRun | undefined> {
  const [row] = await db.query<{
    id: string;
    organization_id: string;
    workspace_id: string;
    config: RunConfig;
    lease_epoch: number;
    turn_from: Date;
  }>(LEASE_NEXT_RUN, [owner, leaseMs]);
  return (
    row && {
      runId: row.id,
      lease: { owner, epoch: row.lease_epoch },
      organizationId: row.organization_id,
      workspaceId: row.workspace_id,
      config: row.config,
      turnFrom: row.turn_from,
    }
  );
}

const LEASE_NEXT_RUN = {
  name: 'lease-next-run',
  text: `UPDATE runs
        SET status = 'running',
            started_at = coalesce(started_at, clock_timestamp()),
            lease_owner = $1,
            lease_epoch = lease_epoch + 1,
            lease_expires_at = clock_timestamp() + $2 * interval '1 millisecond',
            wake_at = clock_timestamp() + $2 * interval '1 millisecond'
      WHERE id = (
        SELECT id FROM runs
         WHERE status IN ('queued', 'running') AND chunks_total IS NULL AND wake_at <= clock_timestamp()
           AND (lease_expires_at IS NULL OR lease_expires_at < clock_timestamp())
         ORDER BY wake_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, organization_id, workspace_id, config, lease_epoch,
          (SELECT coalesce(min(waiting.turn_at), clock_timestamp())
             FROM run_chunks AS waiting JOIN runs AS begun ON begun.id = waiting.run_id AND begun.status = 'running'
            WHERE NOT waiting.done) AS turn_from`,
};

/**
 * Takes the lease on a free chunk of a running run; undefined when there is none. The one whose turn comes first,
 * whichever run it is of: neither waits a small run for the whole of a large one, nor the large one for all small ones.
 */
export async function leaseNextChunk(db: Queryable, owner: string, leaseMs: number): Promise<LeasedChunk | undefined> {
  const [row] = await db.query<{
    run_id: string;
    position: number;
    organization_id: string;
    workspace_id: string;
    config: RunConfig;
    series_ids: string[];
    lease_epoch: number;
  }>(LEASE_NEXT_CHUNK, [owner, leaseMs]);
  return (
    row && {
      runId: row.run_id,
      position: row.position,
      lease: { owner, epoch: row.lease_epoch },
      organizationId: row.organization_id,
      workspaceId: row.workspace_id,
      config: row.config,
      seriesIds: row.series_ids,
    }
  );
}

const LEASE_NEXT_CHUNK = {
  name: 'lease-next-chunk',
  text: `UPDATE run_chunks AS chunk
        SET lease_owner = $1,
            lease_epoch = chunk.lease_epoch + 1,
            lease_expires_at = clock_timestamp() + $2 * interval '1 millisecond',
            wake_at = clock_timestamp() + $2 * interval '1 millisecond'
       FROM runs AS run
      WHERE (chunk.run_id, chunk.position) = (
              SELECT free.run_id, free.position
                FROM run_chunks AS free JOIN runs ON runs.id = free.run_id AND runs.status = 'running'
               WHERE NOT free.done AND free.wake_at <= clock_timestamp()
                 AND (free.lease_expires_at IS NULL OR free.lease_expires_at < clock_timestamp())
               ORDER BY free.turn_at, free.run_id, free.position LIMIT 1 FOR UPDATE OF free SKIP LOCKED)
        AND run.id = chunk.run_id
      RETURNING chunk.run_id, chunk.position, chunk.organization_id, chunk.workspace_id, run.config, chunk.series_ids, chunk.lease_epoch`,
};

/** Keeps the lease alive; false when it was lost to another worker or the run has ended. */
export async function renewRunLease(db: Queryable, runId: string, lease: Lease, leaseMs: number): Promise<boolean> {
  const renewed = await db.execute(
    `UPDATE runs
        SET lease_expires_at = clock_timestamp() + $4 * interval '1 millisecond', wake_at = clock_timestamp() + $4 * interval '1 millisecond'
      WHERE id = $1 AND lease_owner = $2 AND lease_epoch = $3 AND status = 'running' AND chunks_total IS NULL`,
    [runId, lease.owner, lease.epoch, leaseMs],
  );
  return renewed === 1;
}

/** Keeps the lease on a chunk alive; false when it was lost. */
export async function renewChunkLease(
  db: Queryable,
  runId: string,
  position: number,
  lease: Lease,
  leaseMs: number,
): Promise<boolean> {
  const renewed = await db.execute(
    `UPDATE run_chunks
        SET lease_expires_at = clock_timestamp() + $5 * interval '1 millisecond', wake_at = clock_timestamp() + $5 * interval '1 millisecond'
      WHERE run_id = $1 AND position = $2 AND lease_owner = $3 AND lease_epoch = $4 AND NOT done`,
    [runId, position, lease.owner, lease.epoch, leaseMs],
  );
  return renewed === 1;
}

/**
 * Stores the plan under the lease's epoch: what was learnt over the workspace, and the chunks.
 * @returns false when the lease was lost; nothing is stored then
 */
export async function storePlan(
  tx: Transaction,
  runId: string,
  lease: Lease,
  plan: {
    readonly organizationId: string;
    readonly workspaceId: string;
    /** As JSON. */
    readonly pooled: string;
    readonly turnFrom: Date;
    readonly chunks: readonly (readonly string[])[];
  },
): Promise<boolean> {
  const total = plan.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const stored = await tx.execute(
    `UPDATE runs
        SET pooled = $4, chunks_total = $5, series_total = $6, lease_owner = NULL, lease_expires_at = NULL
      WHERE id = $1 AND lease_owner = $2 AND lease_epoch = $3 AND status = 'running' AND chunks_total IS NULL`,
    [runId, lease.owner, lease.epoch, plan.pooled, plan.chunks.length, total],
  );
  if (stored !== 1) return false;
  await tx.execute(
    // runs that wait take turns: each begins where the line stands, and goes one place back with each chunk. So a small run
    // passes between the chunks of large ones, which yet come to an end however many small ones follow
    `INSERT INTO run_chunks (run_id, position, organization_id, workspace_id, series_ids, turn_at)
     SELECT $1, chunk.position - 1, $2, $3, ARRAY(SELECT jsonb_array_elements_text(chunk.ids)::uuid),
            $5::timestamptz + (chunk.position - 1) * interval '1 second'
       FROM jsonb_array_elements($4::jsonb) WITH ORDINALITY AS chunk (ids, position)`,
    [runId, plan.organizationId, plan.workspaceId, JSON.stringify(plan.chunks), plan.turnFrom],
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
  runId: string,
  position: number,
  lease: Lease,
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

/** Gives a lease back after an error, to be retried after `delayMs`; returns how many attempts have failed so far. */
export async function recordFailure(
  db: Queryable,
  runId: string,
  position: number | null,
  lease: Lease,
  delayMs: number,
): Promise<number> {
  const [table, where] = position === null ? ['runs', 'id = $1'] : ['run_chunks', 'run_id = $1 AND position = $5'];
  const [row] = await db.query<{ failures: number }>(
    `UPDATE ${table}
        SET failures = failures + 1, lease_owner = NULL, lease_expires_at = NULL, wake_at = clock_timestamp() + $4 * interval '1 millisecond'
      WHERE ${where} AND lease_owner = $2 AND lease_epoch = $3 RETURNING failures`,
    [runId, lease.owner, lease.epoch, delayMs, ...(position === null ? [] : [position])],
  );
  return row?.failures ?? 0;
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
