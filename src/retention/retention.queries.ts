import { one, oneOrNone, type Queryable, type Transaction } from '../platform/database/database.js';
import { isOver } from '../platform/database/is-over.js';
import { DAY_MS, later, MINUTE_MS } from '../platform/durations.js';
import type { Kind } from './kinds.js';

/** Milliseconds within which a batch must finish; after that another process may take over. */
const LEASE_MS = 10 * MINUTE_MS;
/** Milliseconds between sweeps of an organization. */
const PERIOD_MS = DAY_MS;

/** An organization in which something may have to be deleted. */
export interface DueOrganization {
  id: string;
  name: string;
  /** Rows older than this are deleted; null if nothing expires. */
  cutoff: Date | null;
  /** Whether the organization itself is to be deleted. */
  ends: boolean;
  /** When a requested deletion takes effect. */
  deleteAfter: Date | null;
}

const TODAY = `($1::timestamptz AT TIME ZONE 'UTC')`;
const KEPT = 'make_interval(months => o.retention_months)';
/**
 * SQL for the time so many calendar months ago. On a day that the month lacked, it is the end of that month: its last day is over by
 * then, and a cutoff at the same hour of that day would lie before the one of the day before.
 */
const CUTOFF = `(CASE WHEN ${TODAY} - ${KEPT} + ${KEPT} = ${TODAY} THEN ${TODAY} - ${KEPT}
  ELSE date_trunc('month', ${TODAY} - ${KEPT}) + interval '1 month' END) AT TIME ZONE 'UTC'`;
const DUE_ORGANIZATION = `o.id, o.name, o.delete_after IS NOT NULL AND o.delete_after <= $1 AS ends, o.delete_after AS "deleteAfter",
  ${CUTOFF} AS cutoff`;
/** SQL condition that something of the organization may be due at the instant $1, under a retention set before it. */
const IS_SUBJECT = `(o.retention_months IS NOT NULL AND (o.retention_set_at IS NULL OR o.retention_set_at <= $1)
  OR o.delete_after <= $1)`;
/** SQL condition that an interrupted sweep must be finished, even if nothing expires any more: forecasts of deleted runs may be left. */
const IS_UNFINISHED = `(known.deleted <> '{}' OR known.pending_runs <> '{}')`;

/** Organizations with a retention, or past the grace period of their deletion. */
export function listSubjects(db: Queryable, now: Date): Promise<DueOrganization[]> {
  return db.query<DueOrganization>(
    `SELECT ${DUE_ORGANIZATION} FROM organizations o WHERE ${IS_SUBJECT} ORDER BY o.id`,
    [now],
  );
}

const isFree = (sweep: string): string =>
  `(${sweep}.leased_until IS NULL OR ${isOver(`${sweep}.leased_until`, LEASE_MS, '$1::timestamptz')})`;

/**
 * Leases the sweep of an organization that is due: only one of several processes gets it, and if that one dies, the sweep is free
 * again when the lease expires.
 */
export function leaseSweep(db: Queryable, now: Date): Promise<DueOrganization | undefined> {
  return oneOrNone<DueOrganization>(
    db,
    `WITH leased AS (
       INSERT INTO retention_sweeps AS s (organization_id, due_at, leased_until)
       SELECT o.id, $1, $2 FROM organizations o LEFT JOIN retention_sweeps known ON known.organization_id = o.id
       WHERE (${IS_SUBJECT} OR ${IS_UNFINISHED}) AND ${isFree('known')}
         AND (known.due_at IS NULL OR ${isOver('known.due_at', PERIOD_MS, '$1::timestamptz')} OR o.delete_after <= $1)
       ORDER BY known.due_at NULLS FIRST LIMIT 1
       ON CONFLICT (organization_id) DO UPDATE SET leased_until = $2 WHERE ${isFree('s')}
       RETURNING organization_id
     )
     SELECT ${DUE_ORGANIZATION} FROM organizations o JOIN leased ON leased.organization_id = o.id`,
    [now, later(now, LEASE_MS)],
  );
}

export async function makeAllDue(db: Queryable, now: Date): Promise<void> {
  await db.execute(`UPDATE retention_sweeps SET due_at = $1 WHERE due_at > $1`, [now]);
}

/** The progress of a sweep, and what is due in the organization under its current settings. */
export interface Sweep extends DueOrganization {
  deleted: Record<string, number>;
  /** Runs of the last batch that are deleted but whose forecasts may not be. */
  pendingRuns: string[];
}

/**
 * Locks the sweep until the transaction ends, so that batches of two processes take turns.
 * @param now when the sweep began
 */
export function lockSweep(tx: Transaction, organizationId: string, now: Date): Promise<Sweep | undefined> {
  return oneOrNone<Sweep>(
    tx,
    `SELECT s.deleted, s.pending_runs AS "pendingRuns", ${DUE_ORGANIZATION}
     FROM retention_sweeps s JOIN organizations o ON o.id = s.organization_id
     WHERE s.organization_id = $2 FOR UPDATE OF s`,
    [now, organizationId],
  );
}

/**
 * Keeps the organization's workspaces from being deleted until the transaction ends: their deletion would delete the same rows in
 * another order.
 */
export async function holdWorkspaces(tx: Transaction, organizationId: string): Promise<void> {
  await tx.query(`SELECT id FROM workspaces WHERE organization_id = $1 ORDER BY id FOR KEY SHARE`, [organizationId]);
}

/** Deletes a batch of due rows. @returns their ids */
export async function deleteDue(
  tx: Transaction,
  organizationId: string,
  kind: Kind,
  cutoff: Date | null,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    // an array: with a set, the planner may evaluate the limit again for every row, or read all remaining rows for each batch
    `DELETE FROM ${kind.table} WHERE organization_id = $1 AND id = ANY (ARRAY(
       SELECT t.id FROM ${kind.table} t WHERE t.organization_id = $1 AND (${kind.due})
       LIMIT ${kind.batch} FOR UPDATE SKIP LOCKED)) RETURNING id`,
    [organizationId, cutoff],
  );
  return rows.map((row) => row.id);
}

/** Deletes at most `limit` forecasts of a run. */
export function deleteForecasts(
  tx: Transaction,
  organizationId: string,
  runId: string,
  limit: number,
): Promise<number> {
  return tx.execute(
    `DELETE FROM forecasts WHERE organization_id = $1 AND run_id = $2 AND series_id = ANY (ARRAY(
       SELECT series_id FROM forecasts WHERE organization_id = $1 AND run_id = $2 LIMIT $3))`,
    [organizationId, runId, limit],
  );
}

/** Counts what a sweep at a time would have deleted and is still there. */
export function countDue(
  db: Queryable,
  organizationId: string,
  kind: Kind,
  { cutoff, at }: { readonly cutoff: Date | null; readonly at: Date },
): Promise<{ rows: number; forecasts: number }> {
  const forecasts =
    kind.table === 'runs' ? `(SELECT count(*) FROM forecasts WHERE run_id IN (SELECT id FROM due))` : '0';
  return one<{ rows: number; forecasts: number }>(
    db,
    `WITH due AS (
       SELECT t.id FROM ${kind.table} t WHERE t.organization_id = $1 AND (${kind.due}) AND (${kind.freeSince ?? true}))
     SELECT (SELECT count(*) FROM due)::int AS rows, ${forecasts}::int AS forecasts`,
    kind.freeSince === undefined ? [organizationId, cutoff] : [organizationId, cutoff, at],
  );
}

/** Records what a batch has deleted and renews the lease. */
export async function noteBatch(
  tx: Transaction,
  organizationId: string,
  batch: {
    readonly deleted: Readonly<Record<string, number>>;
    readonly pendingRuns: readonly string[];
    readonly now: Date;
  },
): Promise<void> {
  await tx.execute(
    `UPDATE retention_sweeps SET deleted = $2, pending_runs = $3, leased_until = $4 WHERE organization_id = $1`,
    [organizationId, JSON.stringify(batch.deleted), batch.pendingRuns, later(batch.now, LEASE_MS)],
  );
}

export async function finishSweep(tx: Transaction, organizationId: string, now: Date): Promise<void> {
  await tx.execute(
    `UPDATE retention_sweeps SET deleted = '{}', leased_until = NULL, finished_at = $2, due_at = $3 WHERE organization_id = $1`,
    [organizationId, now, later(now, PERIOD_MS)],
  );
}

/**
 * Deletes the organization's row, and with it everything that references it: secrets, members, workspaces, settings. Its keys go
 * first, locked in id order and before the workspaces, like in the deletion of a workspace; a plan change locks the organization
 * before them.
 */
export async function deleteOrganization(tx: Transaction, organizationId: string, now: Date): Promise<boolean> {
  const ends = await tx.query(`SELECT FROM organizations WHERE id = $1 AND delete_after <= $2 FOR UPDATE`, [
    organizationId,
    now,
  ]);
  if (ends.length === 0) return false;
  await tx.execute(
    `DELETE FROM api_keys WHERE id = ANY (ARRAY(
       SELECT id FROM api_keys WHERE organization_id = $1 ORDER BY id FOR UPDATE))`,
    [organizationId],
  );
  return (await tx.execute(`DELETE FROM organizations WHERE id = $1`, [organizationId])) > 0;
}
