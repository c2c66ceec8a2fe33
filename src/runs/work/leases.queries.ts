import { MAX_LEASE_MS } from '../../../config/settings.js';
import { oneOrNone, type Queryable } from '../../platform/database/database.js';
import { isOver } from '../../platform/database/is-over.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import type { RunConfig } from '../run-config.js';

/**
 * The protocol by which any number of workers, on any number of machines, compute a run exactly once (docs/architecture.md, "The
 * life of a run"). All times are the database's (`clock_timestamp()`), since workers' clocks may differ. These statements identify
 * a run by its id alone: they serve the service itself, never a caller, and what they read or write carries its tenant.
 */

/** The right to work on a run or a chunk, until it expires. */
export interface Lease {
  readonly owner: string;
  readonly epoch: number;
}

/** A leased piece of a run: a chunk, or the run to be planned (`position` null). */
export interface HeldPiece {
  readonly runId: string;
  readonly position: number | null;
  readonly lease: Lease;
}

/** What planning a run and computing its chunks have in common. */
interface OfRun {
  /** The version of the workspace's demand with which the run began; 0 if an earlier release started it. */
  readonly demandVersion: number;
}

export interface LeasedRun extends HeldPiece, WorkspaceTenant, OfRun {
  readonly position: null;
  readonly config: RunConfig;
  /** The first turn of this run's chunks: that of the first unfinished chunk of any run, or the current time if there is none. */
  readonly turnFrom: Date;
}

export interface LeasedChunk extends HeldPiece, WorkspaceTenant, OfRun {
  readonly position: number;
  readonly config: RunConfig;
  /** Last month that the run learns from; null if an earlier release planned it. */
  readonly lastMonth: number | null;
  readonly seriesIds: readonly string[];
}

export type LeasedPiece = LeasedRun | LeasedChunk;

/** SQL assignments that clear a lease. */
export const NO_LEASE = `lease_owner = NULL, lease_expires_at = NULL`;

/**
 * SQL assignments that extend a lease to `milliseconds` times its epoch from now, after which another worker may lease the work.
 * Leases grow with each epoch; otherwise workers that are each delayed for longer than a lease would take the work from each other
 * forever.
 */
const lasting = (milliseconds: string, epoch: string): string =>
  ['lease_expires_at', 'wake_at']
    .map(
      (column) =>
        `${column} = clock_timestamp() + least(${milliseconds} * ${epoch}, ${MAX_LEASE_MS}) * interval '1 millisecond'`,
    )
    .join(', ');

const leaseColumn = (work: string): string =>
  `json_build_object('owner', ${work}.lease_owner, 'epoch', ${work}.lease_epoch) AS lease`;
const tenantColumns = (work: string): string =>
  `${work}.organization_id AS "organizationId", ${work}.workspace_id AS "workspaceId"`;

/** SQL for whether the work is not leased and its pause is over. Work that was never leased is free whatever its timestamps say. */
const isFree = (work: string): string =>
  `(${work}.lease_epoch = 0 OR ${isOver(`${work}.wake_at`, MAX_LEASE_MS)}
     AND (${work}.lease_expires_at IS NULL OR ${isOver(`${work}.lease_expires_at`, MAX_LEASE_MS)}))`;

/**
 * Leases the run that has waited longest to be planned; undefined if none is free.
 * @param inProgress pieces that the owner is working on. It must not lease them again if it was too busy to renew their leases in time:
 * what it has done so far would be lost
 */
export function leaseNextRun(
  db: Queryable,
  owner: string,
  leaseMs: number,
  inProgress: Iterable<HeldPiece> = [],
): Promise<LeasedRun | undefined> {
  const planned = [...inProgress].flatMap(({ runId, position }) => (position === null ? [runId] : []));
  return oneOrNone<LeasedRun>(db, LEASE_NEXT_RUN, [owner, leaseMs, planned]);
}

const LEASE_NEXT_RUN = {
  name: 'lease-next-run',
  text: `UPDATE runs
        SET status = 'running',
            started_at = coalesce(started_at, clock_timestamp()),
            lease_owner = $1,
            lease_epoch = lease_epoch + 1,
            ${lasting('$2', '(lease_epoch + 1)')}
      WHERE id = (
        SELECT id FROM runs
         WHERE status IN ('queued', 'running') AND chunks_total IS NULL AND ${isFree('runs')} AND id <> ALL ($3::uuid[])
         ORDER BY wake_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id AS "runId", NULL AS position, ${leaseColumn('runs')}, ${tenantColumns('runs')}, config,
          coalesce(demand_version, 0) AS "demandVersion",
          (SELECT coalesce(min(waiting.turn_at), clock_timestamp())
             FROM run_chunks AS waiting JOIN runs AS begun ON begun.id = waiting.run_id AND begun.status = 'running'
            WHERE NOT waiting.done) AS "turnFrom"`,
};

/**
 * Leases the free chunk of a running run whose turn comes first; undefined if there is none. Turns are shared by all runs, so a
 * small run does not wait for all of a large one, nor a large one for all small ones.
 * @param inProgress as for {@link leaseNextRun}
 */
export function leaseNextChunk(
  db: Queryable,
  owner: string,
  leaseMs: number,
  inProgress: Iterable<HeldPiece> = [],
): Promise<LeasedChunk | undefined> {
  const computed = [...inProgress].filter(({ position }) => position !== null);
  return oneOrNone<LeasedChunk>(db, LEASE_NEXT_CHUNK, [
    owner,
    leaseMs,
    computed.map(({ runId }) => runId),
    computed.map(({ position }) => position),
  ]);
}

const LEASE_NEXT_CHUNK = {
  name: 'lease-next-chunk',
  text: `UPDATE run_chunks AS chunk
        SET lease_owner = $1,
            lease_epoch = chunk.lease_epoch + 1,
            ${lasting('$2', '(chunk.lease_epoch + 1)')}
       FROM runs AS run
      WHERE (chunk.run_id, chunk.position) = (
              SELECT free.run_id, free.position
                FROM run_chunks AS free JOIN runs ON runs.id = free.run_id AND runs.status = 'running'
               WHERE NOT free.done AND ${isFree('free')}
                 AND (free.run_id, free.position) NOT IN (SELECT * FROM unnest($3::uuid[], $4::int[]))
               ORDER BY free.turn_at, free.run_id, free.position LIMIT 1 FOR UPDATE OF free SKIP LOCKED)
        AND run.id = chunk.run_id
      RETURNING chunk.run_id AS "runId", chunk.position, ${leaseColumn('chunk')}, ${tenantColumns('chunk')}, run.config,
          coalesce(run.demand_version, 0) AS "demandVersion", run.last_month AS "lastMonth", chunk.series_ids AS "seriesIds"`,
};

/** Renews the lease; false if it was lost to another worker or the run has ended. */
export async function renewLease(db: Queryable, held: HeldPiece, leaseMs: number): Promise<boolean> {
  return (await updateHeld(db, held, lasting('$4', 'lease_epoch'), leaseMs)) !== undefined;
}

/**
 * Releases a lease after an error, for a retry after `delayMs`.
 * @returns the number of failed attempts so far; 0, with nothing changed, if the lease was lost
 */
export async function recordFailure(db: Queryable, held: HeldPiece, delayMs: number): Promise<number> {
  return (await updateHeld(db, held, `failures = failures + 1, ${FREE_AFTER}`, delayMs))?.failures ?? 0;
}

/** Releases a lease: any worker may lease the work after `delayMs` (at most {@link MAX_LEASE_MS}). Does not count as a failure. */
export async function releasePiece(db: Queryable, held: HeldPiece, delayMs: number): Promise<void> {
  await updateHeld(db, held, FREE_AFTER, delayMs);
}

const FREE_AFTER = `${NO_LEASE}, wake_at = clock_timestamp() + $4 * interval '1 millisecond'`;

/** Updates a piece while its lease is held; undefined if it was lost. @param milliseconds $4 of the assignments */
function updateHeld(
  db: Queryable,
  { runId, position, lease }: HeldPiece,
  assignments: string,
  milliseconds: number,
): Promise<{ failures: number } | undefined> {
  const [table, piece] = position === null ? ['runs', 'id = $1'] : ['run_chunks', 'run_id = $1 AND position = $5'];
  return oneOrNone<{ failures: number }>(
    db,
    `UPDATE ${table} SET ${assignments} WHERE ${piece} AND lease_owner = $2 AND lease_epoch = $3 RETURNING failures`,
    [runId, lease.owner, lease.epoch, milliseconds, ...(position === null ? [] : [position])],
  );
}
