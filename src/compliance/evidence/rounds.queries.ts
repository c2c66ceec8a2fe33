import { one, type Queryable } from '../../platform/database/database.js';
import { isOver } from '../../platform/database/is-over.js';
import { HOUR_MS, later, MINUTE_MS } from '../../platform/durations.js';

/** Milliseconds within which a check must finish; after that, another process may start over. */
const LEASE_MS = 10 * MINUTE_MS;
/** Milliseconds between rounds of all checks: several rounds while evidence is fresh. */
export const PERIOD_MS = 6 * HOUR_MS;

export interface Round {
  readonly dueAt: Date;
  readonly finishedAt: Date | null;
}

export function readRound(db: Queryable): Promise<Round> {
  return one<Round>(db, `SELECT due_at AS "dueAt", finished_at AS "finishedAt" FROM compliance_rounds`);
}

/**
 * Leases the checks to one holder: of several processes one gets the lease, and if it dies, another can once the lease has expired.
 * @param early even before they are due
 */
export async function leaseRound(
  db: Queryable,
  lease: { readonly holder: string; readonly now: Date; readonly early: boolean },
): Promise<boolean> {
  const leased = await db.execute(
    `UPDATE compliance_rounds SET holder = $1, leased_until = $3
     WHERE ($4 OR ${isOver('due_at', PERIOD_MS, '$2::timestamptz')})
       AND (leased_until IS NULL OR ${isOver('leased_until', LEASE_MS, '$2::timestamptz')})`,
    [lease.holder, lease.now, later(lease.now, LEASE_MS), lease.early],
  );
  return leased > 0;
}

/** @returns whether the holder still has the lease */
export async function renewRound(db: Queryable, holder: string, now: Date): Promise<boolean> {
  const renewed = await db.execute(`UPDATE compliance_rounds SET leased_until = $2 WHERE holder = $1`, [
    holder,
    later(now, LEASE_MS),
  ]);
  return renewed > 0;
}

/** Releases the lease; with a time, as the end of a round of all checks, after which the next one is scheduled. */
export async function releaseRound(db: Queryable, holder: string, finishedAt: Date | null): Promise<void> {
  await db.execute(
    `UPDATE compliance_rounds SET holder = NULL, leased_until = NULL,
       finished_at = coalesce($2, finished_at), due_at = coalesce($3, due_at) WHERE holder = $1`,
    [holder, finishedAt, finishedAt && later(finishedAt, PERIOD_MS)],
  );
}
