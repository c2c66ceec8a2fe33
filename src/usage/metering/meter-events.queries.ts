import { planUntil } from '../../access/index.js';
import { oneOrNone, type Queryable, type Transaction } from '../../platform/database/database.js';
import { isOver } from '../../platform/database/is-over.js';
import { type OpenItems, openItems } from '../../platform/metrics/backlogs.js';
import { endOfMonth, overageIdentifier } from '../usage.queries.js';
import type { MeterEvent } from './usage-reporter.js';

/** Events wait until their run has ended: until then it may be refunded, while a delivered event cannot be. */
const RUN_HAS_ENDED = `NOT EXISTS (SELECT FROM runs WHERE runs.id = right(identifier, 36)::uuid AND runs.finished_at IS NULL)`;

/** Longest interval between two attempts. */
const MAX_WAIT = `interval '1 hour'`;

/**
 * Takes at most `limit` due events, of every organization, whose runs have ended, and postpones their next attempt, so that no two
 * processes deliver the same event at once, and one whose process dies is retried. Materialized, since a plan that rereads the due
 * events for each of them would skip those it has locked, and take more than `limit`.
 */
export function takeDueEvents(db: Queryable, limit: number): Promise<MeterEvent[]> {
  return db.query<MeterEvent>(
    `WITH due AS MATERIALIZED (
       SELECT id, unsure_since FROM meter_events WHERE status = 'pending' AND (attempts = 0 OR ${isOver('next_attempt_at', MAX_WAIT)})
         AND ${RUN_HAS_ENDED}
       ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     UPDATE meter_events e SET
       attempts = e.attempts + 1,
       unsure_since = coalesce(e.unsure_since, clock_timestamp()),
       next_attempt_at = clock_timestamp() + least(${MAX_WAIT}, interval '15 seconds' * 2.0 ^ least(e.attempts, 10))
     FROM due WHERE e.id = due.id
     RETURNING e.id, e.organization_id AS "organizationId", e.identifier, right(e.identifier, 36) AS "runId",
       e.occurred_at AS "occurredAt", e.attempts,
       (extract(epoch FROM clock_timestamp() - due.unsure_since) * 1000)::float8 AS "unsureForMs",
       ${planUntil('e.organization_id', endOfMonth(`e.occurred_at AT TIME ZONE 'UTC'`))} AS plan,
       (SELECT c.stripe_customer_id FROM billing_customers c WHERE c.organization_id = e.organization_id) AS "stripeCustomerId"`,
    [limit],
  );
}

/**
 * Locks sequences of events in all processes until the transaction ends, for as long as the connection is idle meanwhile.
 * @returns those that no other process has locked
 */
export async function lockSequences(tx: Transaction, names: readonly string[]): Promise<ReadonlySet<string>> {
  await tx.execute(`SET LOCAL idle_in_transaction_session_timeout = '30s'`);
  const rows = await tx.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS name WHERE pg_try_advisory_xact_lock(hashtextextended('metering ' || name, 0))`,
    [names],
  );
  return new Set(rows.map(({ name }) => name));
}

/**
 * Counts the run of an event against the quota of its month if a refunded run has left room: then the event must no longer be
 * delivered. The run is locked before the counters; one that is being deleted is skipped.
 * @returns whether there was room
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

/** Events of every organization that are waiting for delivery. */
export function countPendingEvents(db: Queryable): Promise<OpenItems[]> {
  return db.query<OpenItems>(
    `SELECT status AS state, ${openItems('occurred_at')}
     FROM meter_events WHERE status = 'pending' AND ${RUN_HAS_ENDED} GROUP BY status`,
  );
}

/** A run beyond the quota that the metering service has not accepted. */
export interface UnreportedRun {
  organization_id: string;
  run_id: string;
  occurred_at: Date;
  /** Whether it is still being retried, was given up as too old, or may have been accepted. */
  status: 'pending' | 'expired' | 'unsure';
  attempts: number;
  last_error: string | null;
}

/** Of one organization or all, oldest first; only runs that have ended. */
export function listUnreportedRuns(db: Queryable, organizationId?: string): Promise<UnreportedRun[]> {
  return db.query<UnreportedRun>(
    `SELECT organization_id, right(identifier, 36) AS run_id, occurred_at, status, attempts, last_error FROM meter_events
     WHERE ($1::uuid IS NULL OR organization_id = $1) AND status IN ('pending', 'expired', 'unsure') AND ${RUN_HAS_ENDED}
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

/** Makes an event that was taken, but not sent, due again, as if it had not been taken; unless it has been taken again since. */
export async function returnEvent(
  db: Queryable,
  { organizationId, id, attempts, unsureForMs }: MeterEvent,
): Promise<void> {
  await db.execute(
    `UPDATE meter_events SET attempts = attempts - 1, next_attempt_at = clock_timestamp(),
       unsure_since = CASE WHEN $3 THEN unsure_since END
     WHERE organization_id = $1 AND id = $2 AND attempts = $4 AND status = 'pending'`,
    [organizationId, id, unsureForMs !== null, attempts],
  );
}

/**
 * Notes why an event was not accepted, unless it has been taken again since: that attempt may arrive.
 * @param neverArrived whether none of the attempts so far can have arrived
 */
export async function noteFailure(
  db: Queryable,
  { organizationId, id, attempts }: MeterEvent,
  error: string,
  neverArrived: boolean,
): Promise<void> {
  await db.execute(
    `UPDATE meter_events SET last_error = $3, unsure_since = CASE WHEN NOT $4 THEN unsure_since END
     WHERE organization_id = $1 AND id = $2 AND attempts = $5`,
    [organizationId, id, error, neverArrived, attempts],
  );
}

/** Gives up delivering an event, unless an operator has settled it. It is kept for an operator to settle. */
export async function markGivenUp(
  db: Queryable,
  { organizationId, id }: MeterEvent,
  status: 'expired' | 'unsure',
  reason: string,
): Promise<void> {
  await db.execute(
    `UPDATE meter_events SET status = $3, last_error = concat_ws('; before: ', $4::text, last_error)
     WHERE organization_id = $1 AND id = $2 AND status = 'pending'`,
    [organizationId, id, status, reason],
  );
}

/** What an operator found out about an unreported run. */
export const SETTLEMENTS = ['billed', 'lost'] as const;
/** `billed`: the metering service has it, or it was billed by other means; `lost`: it never arrived, and is sent again. */
export type Settlement = (typeof SETTLEMENTS)[number];

/** Ends the reporting of a run, or restarts it. @returns what was known about it; undefined if there is nothing to settle */
export function settleUnreported(
  tx: Transaction,
  runId: string,
  as: Settlement,
): Promise<Pick<UnreportedRun, 'organization_id' | 'status'> | undefined> {
  return oneOrNone<Pick<UnreportedRun, 'organization_id' | 'status'>>(
    tx,
    `WITH known AS (
       SELECT id, status FROM meter_events
       WHERE identifier = $1 AND status IN ('pending', 'expired', 'unsure') AND ${RUN_HAS_ENDED} FOR UPDATE)
     UPDATE meter_events e SET
       status = CASE $2 WHEN 'billed' THEN 'delivered' ELSE 'pending' END,
       delivered_at = CASE $2 WHEN 'billed' THEN clock_timestamp() END,
       next_attempt_at = clock_timestamp(), unsure_since = NULL
     FROM known WHERE e.id = known.id RETURNING e.organization_id, known.status`,
    [overageIdentifier(runId), as],
  );
}

export async function findStripeCustomer(db: Queryable, organizationId: string): Promise<string | null> {
  const row = await oneOrNone<{ stripe_customer_id: string }>(
    db,
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
