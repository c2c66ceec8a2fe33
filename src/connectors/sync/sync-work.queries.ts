import { MAX_LEASE_MS } from '../../../config/settings.js';
import { oneOrNone, type Queryable } from '../../platform/database/database.js';
import { isOver } from '../../platform/database/is-over.js';
import { type OpenItems, openItems } from '../../platform/metrics/backlogs.js';
import type { ConnectorTenant } from '../connector.js';
import type { SyncCursor } from './sync-cursor.js';
import type { SyncError } from './sync-state.js';

// Queries of the service itself, about connectors that it found in its own tables. All times are by the database's clock.

/**
 * Takes a connector whose sync is due and schedules the next one. Only one process gets it, in the transaction that opens the sync.
 * Intervals missed while no process was running count as one.
 */
export function takeDueConnector(tx: Queryable): Promise<ConnectorTenant | undefined> {
  return oneOrNone<ConnectorTenant>(
    tx,
    `UPDATE connectors SET next_sync_at = clock_timestamp() + make_interval(mins => interval_minutes)
     WHERE id = (
       SELECT connector.id FROM connectors connector JOIN organizations ON organizations.id = connector.organization_id
       JOIN workspaces workspace ON workspace.id = connector.workspace_id
       WHERE ${isOver('connector.next_sync_at', 'make_interval(mins => connector.interval_minutes)')}
         AND organizations.suspended_at IS NULL
         AND organizations.delete_after IS NULL
       ORDER BY connector.next_sync_at LIMIT 1
       FOR KEY SHARE OF workspace SKIP LOCKED FOR NO KEY UPDATE OF connector SKIP LOCKED
     )
     RETURNING id AS "connectorId", organization_id AS "organizationId", workspace_id AS "workspaceId"`,
  );
}

/** A sync leased by this process; its writes only count while the epoch matches. */
export interface LeasedSync extends ConnectorTenant {
  readonly id: string;
  readonly epoch: number;
  /** Consecutive faults so far; a process that died during the sync counts as one. */
  readonly failures: number;
}

/** Unfinished syncs. */
export function countOpenSyncs(db: Queryable): Promise<OpenItems[]> {
  return db.query<OpenItems>(
    `SELECT status AS state, ${openItems('created_at')}
     FROM connector_syncs WHERE status IN ('queued', 'running') GROUP BY status`,
  );
}

/** Maximum time that a platform may make a sync wait. */
const MAX_WAIT = `interval '1 day'`;

/**
 * Leases a sync that no process is working on and whose wait is over; one that has never begun does not wait, whatever its times say. An
 * expired lease counts as a fault, since the page may be what crashes processes. While the deletion of the organization is pending, only
 * syncs requested by members are leased.
 * @param inProgress ids of syncs that this process is working on, which it does not take over from itself if it could not renew their leases in
 * time
 */
export function leaseSync(
  db: Queryable,
  leaseMs: number,
  inProgress: Iterable<string> = [],
): Promise<LeasedSync | undefined> {
  return oneOrNone<LeasedSync>(
    db,
    `UPDATE connector_syncs SET status = 'running', lease_epoch = lease_epoch + 1,
       failures = failures + (lease_expires_at IS NOT NULL)::int,
       lease_expires_at = clock_timestamp() + $1 * interval '1 millisecond',
       started_at = coalesce(started_at, clock_timestamp())
     WHERE id = (
       SELECT sync.id FROM connector_syncs sync JOIN organizations ON organizations.id = sync.organization_id
       WHERE sync.status IN ('queued', 'running') AND (sync.lease_epoch = 0 OR ${isOver('sync.wake_at', MAX_WAIT)})
         AND (sync.lease_expires_at IS NULL OR ${isOver('sync.lease_expires_at', MAX_LEASE_MS)})
         AND organizations.suspended_at IS NULL
         AND (organizations.delete_after IS NULL OR sync.trigger = 'manual')
         AND sync.id <> ALL ($2::uuid[])
       ORDER BY sync.wake_at LIMIT 1 FOR UPDATE OF sync SKIP LOCKED
     )
     RETURNING id, connector_id AS "connectorId", organization_id AS "organizationId", workspace_id AS "workspaceId",
       lease_epoch AS epoch, failures`,
    [leaseMs, [...inProgress]],
  );
}

/**
 * Renews a lease unless it has been released, possibly while this call is in progress.
 * @returns whether the lease is still this process's
 */
export async function renewLease(db: Queryable, { id, epoch }: LeasedSync, leaseMs: number): Promise<boolean> {
  const renewed = await db.execute(
    `UPDATE connector_syncs SET lease_expires_at = clock_timestamp() + $3 * interval '1 millisecond'
     WHERE id = $1 AND lease_epoch = $2 AND status = 'running' AND lease_expires_at IS NOT NULL`,
    [id, epoch, leaseMs],
  );
  return renewed === 1;
}

/** How a released sync continues. */
export interface SyncPause {
  readonly waitMs: number;
  /** Consecutive faults so far. */
  readonly failures: number;
  /** Why it paused, as shown to members. */
  readonly error: SyncError | null;
}

/** Releases the lease; the sync continues after `waitMs`, in any process. */
export async function releaseSync(
  db: Queryable,
  { id, epoch }: LeasedSync,
  { waitMs, failures, error }: SyncPause,
): Promise<void> {
  await db.execute(
    `UPDATE connector_syncs SET lease_expires_at = NULL, wake_at = clock_timestamp() + $3 * interval '1 millisecond',
       failures = $4, error = $5
     WHERE id = $1 AND lease_epoch = $2 AND status = 'running'`,
    [id, epoch, waitMs, failures, error && JSON.stringify(error)],
  );
}

/** Locks the connector and returns how far it has been read; undefined if it no longer exists. */
export async function lockCursor(tx: Queryable, connectorId: string): Promise<Partial<SyncCursor> | undefined> {
  const row = await oneOrNone<{ cursor: Partial<SyncCursor> }>(
    tx,
    `SELECT cursor FROM connectors WHERE id = $1 FOR NO KEY UPDATE`,
    [connectorId],
  );
  return row?.cursor;
}

export async function saveCursor(tx: Queryable, connectorId: string, cursor: SyncCursor): Promise<void> {
  await tx.execute(`UPDATE connectors SET cursor = $2 WHERE id = $1`, [connectorId, JSON.stringify(cursor)]);
}

/**
 * Counts a page, or an order that was read alone, toward its sync.
 * @returns false if the lease has passed to another process: nothing may be stored then
 */
export async function countPage(
  tx: Queryable,
  { id, epoch }: LeasedSync,
  page: {
    readonly pages: number;
    readonly read: number;
    readonly changed: number;
    readonly skipped: number;
    readonly leftOut: number;
  },
): Promise<boolean> {
  const counted = await tx.execute(
    `UPDATE connector_syncs SET pages = pages + $3, orders_read = orders_read + $4, orders_changed = orders_changed + $5,
       lines_skipped = lines_skipped + $6, products_left_out = products_left_out + $7, failures = 0, error = NULL
     WHERE id = $1 AND lease_epoch = $2 AND status = 'running'`,
    [id, epoch, page.pages, page.read, page.changed, page.skipped, page.leftOut],
  );
  return counted === 1;
}

/** Counts an order that the sync has set aside. */
export async function countSetAside(tx: Queryable, { id }: LeasedSync): Promise<void> {
  await tx.execute(`UPDATE connector_syncs SET orders_set_aside = orders_set_aside + 1 WHERE id = $1`, [id]);
}

/** @returns whether the lease was still this process's */
export async function endSync(tx: Queryable, { id, epoch }: LeasedSync, error: SyncError | null): Promise<boolean> {
  const ended = await tx.execute(
    `UPDATE connector_syncs SET status = $3, error = $4, lease_expires_at = NULL, finished_at = clock_timestamp()
     WHERE id = $1 AND lease_epoch = $2 AND status = 'running'`,
    [id, epoch, error === null ? 'completed' : 'failed', error && JSON.stringify(error)],
  );
  return ended === 1;
}

export async function noteSynced(tx: Queryable, connectorId: string): Promise<void> {
  await tx.execute(`UPDATE connectors SET last_synced_at = clock_timestamp() WHERE id = $1`, [connectorId]);
}

/** Clears the position within the stream, which the platform may refuse: the next sync begins at the last change seen. */
export async function closeStream(tx: Queryable, connectorId: string): Promise<void> {
  await tx.execute(`UPDATE connectors SET cursor = cursor || '{"open": null}' WHERE id = $1`, [connectorId]);
}
