import { LONGEST_LEASE_MS } from '../../../config/settings.js';
import type { Queryable } from '../../platform/database/database.js';
import { isOver } from '../../platform/database/is-over.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import type { RunConfig } from '../run-config.js';

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

/** A piece of a run that is held: a chunk, or the run to be planned (`position` null). */
export interface HeldPiece {
  readonly runId: string;
  readonly position: number | null;
  readonly lease: Lease;
}

export interface LeasedRun extends HeldPiece, WorkspaceTenant {
  readonly position: null;
  readonly config: RunConfig;
  /** The turn that this run's chunks begin with: that of the first unfinished chunk of any run, else now. */
  readonly turnFrom: Date;
}

export interface LeasedChunk extends HeldPiece, WorkspaceTenant {
  readonly position: number;
  readonly config: RunConfig;
  /** Last month that the run learns from; null where an earlier release planned it. */
  readonly lastMonth: number | null;
  readonly seriesIds: readonly string[];
}

export type LeasedPiece = LeasedRun | LeasedChunk;

/** Assignments that end a lease. */
export const NO_LEASE = `lease_owner = NULL, lease_expires_at = NULL`;

/**
 * Assignments that let a lease last `milliseconds` times its epoch from now; then another worker may lease the work. It lasts longer
 * with each epoch, or workers that are each delayed for longer than a lease would take the work from each other for ever.
 */
const lasting = (milliseconds: string, epoch: string): string =>
  ['lease_expires_at', 'wake_at']
    .map(
      (column) =>
        `${column} = clock_timestamp() + least(${milliseconds} * ${epoch}, ${LONGEST_LEASE_MS}) * interval '1 millisecond'`,
    )
    .join(', ');

const leaseColumn = (work: string): string =>
  `json_build_object('owner', ${work}.lease_owner, 'epoch', ${work}.lease_epoch) AS lease`;
const tenantColumns = (work: string): string =>
  `${work}.organization_id AS "organizationId", ${work}.workspace_id AS "workspaceId"`;

/** SQL for whether nobody holds the work and its pause is over. Work that was never leased is free whatever its times say. */
const isFree = (work: string): string =>
  `(${work}.lease_epoch = 0 OR ${isOver(`${work}.wake_at`, LONGEST_LEASE_MS)}
     AND (${work}.lease_expires_at IS NULL OR ${isOver(`${work}.lease_expires_at`, LONGEST_LEASE_MS)}))`;

/**
 * Takes the lease on the run that has waited longest to be planned; undefined when none is free.
 * @param atHand pieces that the owner is working on. It must not lease them again where it was too busy to renew their leases in
 *   time: what it has done so far would be lost
 */
export async function leaseNextRun(
  db: Queryable,
  owner: string,
  leaseMs: number,
  atHand: Iterable<HeldPiece> = [],
): Promise<LeasedRun | undefined> {
  const planned = [...atHand].flatMap(({ runId, position }) => (position === null ? [runId] : []));
  const [row] = await db.query<LeasedRun>(LEASE_NEXT_RUN, [owner, leaseMs, planned]);
  return row;
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
          (SELECT coalesce(min(waiting.turn_at), clock_timestamp())
             FROM run_chunks AS waiting JOIN runs AS begun ON begun.id = waiting.run_id AND begun.status = 'running'
            WHERE NOT waiting.done) AS "turnFrom"`,
};

/**
 * Leases the free chunk of a running run whose turn comes first; undefined when there is none. Turns are shared by all runs, so a
 * small run does not wait for the whole of a large one, nor a large one for all small ones.
 * @param atHand as for {@link leaseNextRun}
 */
export async function leaseNextChunk(
  db: Queryable,
  owner: string,
  leaseMs: number,
  atHand: Iterable<HeldPiece> = [],
): Promise<LeasedChunk | undefined> {
  const computed = [...atHand].filter(({ position }) => position !== null);
  const [row] = await db.query<LeasedChunk>(LEASE_NEXT_CHUNK, [
    owner,
    leaseMs,
    computed.map(({ runId }) => runId),
    computed.map(({ position }) => position),
  ]);
  return row;
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
          run.last_month AS "lastMonth", chunk.series_ids AS "seriesIds"`,
};

/** Keeps the lease alive; false when it was lost to another worker or the run has ended. */
export async function renewLease(db: Queryable, held: HeldPiece, leaseMs: number): Promise<boolean> {
  return (await updateHeld(db, held, lasting('$4', 'lease_epoch'), leaseMs)) !== undefined;
}

/**
 * Releases a lease after an error, for another attempt after `delayMs`.
 * @returns how many attempts have failed so far; 0, with nothing changed, where the lease was lost
 */
export async function recordFailure(db: Queryable, held: HeldPiece, delayMs: number): Promise<number> {
  return (await updateHeld(db, held, `failures = failures + 1, ${FREE_AFTER}`, delayMs))?.failures ?? 0;
}

/** Releases a lease: any worker may have the work after `delayMs` (at most {@link LONGEST_LEASE_MS}). Counts no failure. */
export async function putOff(db: Queryable, held: HeldPiece, delayMs: number): Promise<void> {
  await updateHeld(db, held, FREE_AFTER, delayMs);
}

const FREE_AFTER = `${NO_LEASE}, wake_at = clock_timestamp() + $4 * interval '1 millisecond'`;

/** Changes a piece while its lease lasts; undefined where it was lost. @param milliseconds $4 of the assignments */
async function updateHeld(
  db: Queryable,
  { runId, position, lease }: HeldPiece,
  assignments: string,
  milliseconds: number,
): Promise<{ failures: number } | undefined> {
  const [table, piece] = position === null ? ['runs', 'id = $1'] : ['run_chunks', 'run_id = $1 AND position = $5'];
  const [row] = await db.query<{ failures: number }>(
    `UPDATE ${table} SET ${assignments} WHERE ${piece} AND lease_owner = $2 AND lease_epoch = $3 RETURNING failures`,
    [runId, lease.owner, lease.epoch, milliseconds, ...(position === null ? [] : [position])],
  );
  return row;
}
