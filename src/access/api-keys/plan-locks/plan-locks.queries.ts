import type { PlanName } from '../../../../config/plans.js';
import type { Queryable, Transaction } from '../../../platform/database/database.js';
import { notEnded } from '../api-keys.queries.js';

/** Ids of the keys that were locked and of those that were unlocked. */
export interface KeyLocks {
  readonly locked: readonly string[];
  readonly unlocked: readonly string[];
}

/**
 * Leaves the `allowed` most recently used live keys open and locks the others; unlocks keys that fit again. A rotated key in its
 * grace period forms a unit with its successor: the latest use of either counts, and they are locked together. If the successor has
 * ended, the rotated key ranks last: it is about to end, and `countLiveApiKeys` does not count it either.
 */
export function lockExcessApiKeys(
  tx: Transaction,
  organizationId: string,
  allowed: number,
  now: Date,
): Promise<KeyLocks> {
  return setLocks(tx, organizationId, { allowed, now, locking: true });
}

/**
 * Unlocks the keys for which the plan has room, ranked as in {@link lockExcessApiKeys}, and locks none. Skips keys whose rows are
 * locked: the deletion of a workspace holds its keys until it ends, which may take minutes.
 * @returns their ids
 */
export async function unlockFittingApiKeys(
  tx: Transaction,
  organizationId: string,
  allowed: number,
  now: Date,
): Promise<readonly string[]> {
  return (await setLocks(tx, organizationId, { allowed, now, locking: false })).unlocked;
}

/**
 * Locks the rows to be changed in id order, like the deletion of a workspace, with the weaker lock of `lockApiKey`. Waits for
 * locked rows only if keys are to be locked.
 */
async function setLocks(
  tx: Transaction,
  organizationId: string,
  { allowed, now, locking }: { readonly allowed: number; readonly now: Date; readonly locking: boolean },
): Promise<KeyLocks> {
  const rows = await tx.query<{ id: string; locks: boolean }>(
    // successors are looked up one by one (OFFSET 0): a plan that joins them with all keys would read every ended one at each step
    `WITH RECURSIVE live AS (
       SELECT id, successor_id, last_used_at, locked_at FROM api_keys k WHERE organization_id = $1 AND ${notEnded('$3')}
     ), followed AS (
       SELECT id, id AS newest, successor_id FROM live
       UNION ALL
       SELECT followed.id, k.id, k.successor_id FROM followed CROSS JOIN LATERAL (
         SELECT id, successor_id FROM api_keys WHERE organization_id = $1 AND id = followed.successor_id OFFSET 0) k
     ), rotated AS (
       SELECT live.id, newest, last_used_at, locked_at FROM live JOIN followed USING (id) WHERE followed.successor_id IS NULL
     ), ranked AS (
       SELECT newest, row_number() OVER (
         ORDER BY bool_or(id = newest) DESC, bool_and(locked_at IS NOT NULL), max(last_used_at) DESC NULLS LAST, newest DESC
       ) > $2 AS excess
       FROM rotated GROUP BY newest
     ), changing AS (
       SELECT rotated.id, excess FROM rotated JOIN ranked USING (newest)
       WHERE (locked_at IS NOT NULL) <> excess AND ($4 OR NOT excess)
     ), held AS (
       SELECT id FROM api_keys WHERE organization_id = $1 AND id IN (SELECT id FROM changing)
       ORDER BY id FOR NO KEY UPDATE ${locking ? '' : 'SKIP LOCKED'}
     )
     UPDATE api_keys k SET locked_at = CASE WHEN changing.excess THEN $3::timestamptz END
     FROM changing JOIN held USING (id)
     WHERE k.organization_id = $1 AND k.id = changing.id
     RETURNING k.id, k.locked_at IS NOT NULL AS locks`,
    [organizationId, allowed, now, locking],
  );
  const idsOf = (locks: boolean): string[] => rows.filter((row) => row.locks === locks).map(({ id }) => id);
  return { locked: idsOf(true), unlocked: idsOf(false) };
}

/** An organization with locked keys, and its number of open ones that count against the plan. */
export interface LockedOrganization {
  id: string;
  plan: PlanName;
  open: number;
}

/** Every organization with a live key locked by a downgrade. */
export function listLockedOrganizations(db: Queryable, now: Date): Promise<LockedOrganization[]> {
  return db.query<LockedOrganization>(
    `SELECT o.id, o.plan, count(*) FILTER (WHERE k.locked_at IS NULL AND k.successor_id IS NULL)::int AS open
     FROM api_keys k JOIN organizations o ON o.id = k.organization_id
     WHERE ${notEnded('$1')}
     GROUP BY o.id HAVING bool_or(k.locked_at IS NOT NULL) ORDER BY o.id`,
    [now],
  );
}
