import { planUntil } from '../../access/index.js';
import type { Queryable, Transaction } from '../../platform/database/database.js';
import { isOver } from '../../platform/database/is-over.js';
import type { OpenItems } from '../../platform/metrics/backlogs.js';
import { endOfMonth } from '../usage.queries.js';
import type { MeterEvent } from './usage-reporter.js';

/** Events wait until their run has ended: the run may still be given back, a delivered event cannot. */
const RUN_HAS_ENDED = `NOT EXISTS (SELECT FROM runs WHERE runs.id = right(identifier, 36)::uuid AND runs.finished_at IS NULL)`;

/** Longest between two attempts. */
const LONGEST_WAIT = `interval '1 hour'`;

/**
 * Takes due events of every organization whose runs have ended, at most `limit`, and puts their next attempt off; so that
 * no two processes deliver the same one at once, and one whose process dies comes back. Materialized, since a plan that reads
 * the due ones once more for each event would pass over those it has locked, and take more than `limit`.
 */
export function takeDueEvents(db: Queryable, limit: number): Promise<MeterEvent[]> {
  return db.query<MeterEvent>(
    `WITH due AS MATERIALIZED (
       SELECT id FROM meter_events WHERE status = 'pending' AND (attempts = 0 OR ${isOver('next_attempt_at', LONGEST_WAIT)})
         AND ${RUN_HAS_ENDED}
       ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     UPDATE meter_events e SET
       attempts = e.attempts + 1,
       next_attempt_at = clock_timestamp() + least(${LONGEST_WAIT}, interval '15 seconds' * 2.0 ^ least(e.attempts, 10))
     FROM due WHERE e.id = due.id
     RETURNING e.id, e.organization_id AS "organizationId", e.identifier, right(e.identifier, 36) AS "runId",
       e.occurred_at AS "occurredAt", e.attempts,
       ${planUntil('e.organization_id', endOfMonth(`e.occurred_at AT TIME ZONE 'UTC'`))} AS plan,
       (SELECT c.stripe_customer_id FROM billing_customers c WHERE c.organization_id = e.organization_id) AS "stripeCustomerId"`,
    [limit],
  );
}

/**
 * Counts the run of an event against the quota of its month where a run that was given back has left a place: then the event
 * must not be delivered any more. The run is locked before the counters; one that is being deleted is not waited for.
 * @returns whether there was a place
 */
export async function moveIntoQuota(
  tx: Transaction,
  { id, organizationId, runId }: MeterEvent,
  month: string,
  quota: number,
): Promise<boolean> {
  const runs = await tx.query<{ id: string }>(
    `SELECT id FROM runs WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE SKIP LOCKED`,
    [organizationId, runId],
  );
  const moved = await tx.execute(
    `UPDATE usage_counters SET used = used + 1, overage = overage - 1 WHERE organization_id = $1 AND month = $2 AND used < $3`,
    [organizationId, month, quota],
  );
  if (moved === 0) return false;
  for (const run of runs) {
    await tx.execute(`UPDATE runs SET billed = 'quota' WHERE organization_id = $1 AND id = $2`, [
      organizationId,
      run.id,
    ]);
  }
  await tx.execute(`UPDATE meter_events SET status = 'canceled' WHERE organization_id = $1 AND id = $2`, [
    organizationId,
    id,
  ]);
  return true;
}

/** Events of every organization that wait for delivery. */
export function countPendingEvents(db: Queryable): Promise<OpenItems[]> {
  return db.query<OpenItems>(
    `SELECT status AS state, count(*)::int AS items, extract(epoch FROM clock_timestamp() - min(occurred_at))::float8 AS oldest
     FROM meter_events WHERE status = 'pending' AND ${RUN_HAS_ENDED} GROUP BY status`,
  );
}

/** A run beyond the quota that the metering service has not taken. */
export interface UnreportedRun {
  organization_id: string;
  run_id: string;
  occurred_at: Date;
  /** Whether it is still tried, or was given up as too old. */
  status: 'pending' | 'expired';
  attempts: number;
  last_error: string | null;
}

/** Of an organization or of all, the oldest first; without runs that have not ended. */
export function listUnreportedRuns(db: Queryable, organizationId?: string): Promise<UnreportedRun[]> {
  return db.query<UnreportedRun>(
    `SELECT organization_id, right(identifier, 36) AS run_id, occurred_at, status, attempts, last_error FROM meter_events
     WHERE ($1::uuid IS NULL OR organization_id = $1) AND status IN ('pending', 'expired') AND ${RUN_HAS_ENDED}
     ORDER BY occurred_at, id`,
    [organizationId ?? null],
  );
}

export async function markDelivered(db: Queryable, organizationId: string, eventId: string): Promise<void> {
  await db.execute(
    `UPDATE meter_events SET status = 'delivered', delivered_at = clock_timestamp(), last_error = NULL
     WHERE organization_id = $1 AND id = $2`,
    [organizationId, eventId],
  );
}

export async function noteFailure(
  db: Queryable,
  organizationId: string,
  eventId: string,
  error: string,
): Promise<void> {
  await db.execute(`UPDATE meter_events SET last_error = $3 WHERE organization_id = $1 AND id = $2`, [
    organizationId,
    eventId,
    error,
  ]);
}

/** Gives up delivering an event. It is kept, for an operator to bill it by other means. */
export async function markExpired(
  db: Queryable,
  organizationId: string,
  eventId: string,
  reason: string,
): Promise<void> {
  await db.execute(
    `UPDATE meter_events SET status = 'expired', last_error = concat_ws('; before: ', $3::text, last_error)
     WHERE organization_id = $1 AND id = $2`,
    [organizationId, eventId, reason],
  );
}

export async function findStripeCustomer(db: Queryable, organizationId: string): Promise<string | null> {
  const [row] = await db.query<{ stripe_customer_id: string }>(
    `SELECT stripe_customer_id FROM billing_customers WHERE organization_id = $1`,
    [organizationId],
  );
  return row?.stripe_customer_id ?? null;
}

export async function setStripeCustomer(db: Queryable, organizationId: string, customerId: string): Promise<void> {
  await db.execute(
    `INSERT INTO billing_customers (organization_id, stripe_customer_id) VALUES ($1, $2)
     ON CONFLICT (organization_id) DO UPDATE SET stripe_customer_id = $2`,
    [organizationId, customerId],
  );
}
