import type { PlanName } from '../../config/plans.js';
import { planUntil } from '../access/index.js';
import { one, oneOrNone, type Queryable, type Transaction } from '../platform/database/database.js';
import { newId } from '../platform/ids.js';

/**
 * Counts a run against the quota if any of it is left. The update is conditional and holds the row until the transaction ends, so
 * concurrent starts accept exactly what is left.
 * @returns whether the run was counted
 */
export async function countWithinQuota(
  tx: Transaction,
  organizationId: string,
  month: string,
  quota: number,
): Promise<boolean> {
  if (quota <= 0) return false;
  const counted = await tx.execute(
    `INSERT INTO usage_counters (organization_id, month, used) VALUES ($1, $2, 1)
     ON CONFLICT (organization_id, month) DO UPDATE SET used = usage_counters.used + 1 WHERE usage_counters.used < $3`,
    [organizationId, month, quota],
  );
  return counted === 1;
}

interface OverageRun {
  readonly month: string;
  readonly runId: string;
  readonly now: Date;
  /** The organization's limit; null for none. */
  readonly limit: number | null;
}

/**
 * Counts a run beyond the quota if any of the organization's limit on such runs is left, as exactly as the quota, and writes its
 * meter event, which is delivered once the run has ended.
 * @returns whether the run was counted
 */
export async function countOverage(
  tx: Transaction,
  organizationId: string,
  { month, runId, now, limit }: OverageRun,
): Promise<boolean> {
  if (limit === 0) return false;
  const counted = await tx.execute(
    `INSERT INTO usage_counters (organization_id, month, overage) VALUES ($1, $2, 1)
     ON CONFLICT (organization_id, month) DO UPDATE SET overage = usage_counters.overage + 1
       WHERE $3::int IS NULL OR usage_counters.overage < $3`,
    [organizationId, month, limit],
  );
  if (counted === 0) return false;
  await tx.execute(
    `INSERT INTO meter_events (id, organization_id, identifier, occurred_at, next_attempt_at) VALUES ($1, $2, $3, $4, clock_timestamp())`,
    [newId(), organizationId, overageIdentifier(runId), now],
  );
  return true;
}

const NOTICE_COLUMNS = { quota: 'quota_told', overage: 'overage_told' } as const;

/**
 * Takes the month's notice that the quota is used up, or that a run went beyond it, after a run has been counted.
 * @returns whether it is due: it has not been taken before for this quota
 */
export async function takeNotice(
  tx: Transaction,
  organizationId: string,
  month: string,
  { about, quota }: { readonly about: keyof typeof NOTICE_COLUMNS; readonly quota: number },
): Promise<boolean> {
  const taken = await tx.execute(
    `UPDATE usage_counters SET ${NOTICE_COLUMNS[about]} = $3
     WHERE organization_id = $1 AND month = $2 AND used >= $3 AND ${NOTICE_COLUMNS[about]} IS DISTINCT FROM $3`,
    [organizationId, month, quota],
  );
  return taken === 1;
}

/**
 * Takes the month's notice that the organization's limit on runs beyond the quota is reached, after such a run has been counted.
 * @returns whether it is due: it has not been taken before for this limit
 */
export async function takeLimitNotice(tx: Transaction, organizationId: string, month: string): Promise<boolean> {
  const taken = await tx.execute(
    `UPDATE usage_counters u SET overage_limit_told = o.overage_limit FROM organizations o
     WHERE u.organization_id = $1 AND u.month = $2 AND o.id = u.organization_id AND u.overage = o.overage_limit
       AND u.overage_limit_told IS DISTINCT FROM o.overage_limit`,
    [organizationId, month],
  );
  return taken === 1;
}

export async function refundQuota(tx: Transaction, organizationId: string, month: string): Promise<void> {
  await tx.execute(`UPDATE usage_counters SET used = used - 1 WHERE organization_id = $1 AND month = $2 AND used > 0`, [
    organizationId,
    month,
  ]);
}

/**
 * Refunds an overage run, unless its event has been delivered: what was metered stays metered, and counted.
 * @returns whether it was refunded
 */
export async function refundOverage(
  tx: Transaction,
  organizationId: string,
  month: string,
  runId: string,
): Promise<boolean> {
  const taken = await tx.execute(
    `WITH canceled AS (
       UPDATE meter_events SET status = 'canceled'
       WHERE organization_id = $1 AND identifier = $3 AND status = 'pending' RETURNING id
     )
     UPDATE usage_counters SET overage = overage - 1
     WHERE organization_id = $1 AND month = $2 AND EXISTS (SELECT FROM canceled)`,
    [organizationId, month, overageIdentifier(runId)],
  );
  return taken === 1;
}

/** The plan at the end of a month, given by its first day; the current plan if the month is not over. */
export async function findPlanOfMonth(db: Queryable, organizationId: string, month: string): Promise<PlanName> {
  const { plan } = await one<{ plan: PlanName }>(db, `SELECT ${planUntil('$1', endOfMonth('$2::date'))} AS plan`, [
    organizationId,
    month,
  ]);
  return plan;
}

/** The counters of a month. */
export interface Counters {
  used: number;
  overage: number;
  /** The organization's current limit. */
  overage_limit: number | null;
}

export async function readCounters(db: Queryable, organizationId: string, month: string): Promise<Counters> {
  const row = await oneOrNone<Counters>(
    db,
    `SELECT coalesce(u.used, 0) AS used, coalesce(u.overage, 0) AS overage, o.overage_limit
     FROM organizations o LEFT JOIN usage_counters u ON u.organization_id = o.id AND u.month = $2
     WHERE o.id = $1`,
    [organizationId, month],
  );
  return row ?? { used: 0, overage: 0, overage_limit: null }; // the organization was deleted since the caller was admitted
}

/** SQL for the instant at which a calendar month (UTC) ends. @param day in the month, or a time in UTC without time zone */
export const endOfMonth = (day: string): string =>
  `((date_trunc('month', (${day})::timestamp) + interval '1 month') AT TIME ZONE 'UTC')`;

/** Runs of an organization in a month (UTC) in which it started any. */
export interface MonthlyRuns {
  /** `YYYY-MM` */
  month: string;
  organization_id: string;
  organization: string;
  /** At the end of the month, or now. */
  plan: PlanName;
  used: number;
  overage: number;
}

/** Latest month first; of all organizations or one, of all months or one (its first day). */
export function listMonthlyRuns(
  db: Queryable,
  { organizationId, month }: { readonly organizationId: string | undefined; readonly month: string | undefined },
): Promise<MonthlyRuns[]> {
  return db.query<MonthlyRuns>(
    `SELECT to_char(u.month, 'YYYY-MM') AS month, u.organization_id, o.name AS organization,
       ${planUntil('o.id', endOfMonth('u.month'))} AS plan, u.used, u.overage
     FROM usage_counters u JOIN organizations o ON o.id = u.organization_id
     WHERE ($1::uuid IS NULL OR u.organization_id = $1) AND ($2::date IS NULL OR u.month = $2)
     ORDER BY u.month DESC, o.name, u.organization_id`,
    [organizationId ?? null, month ?? null],
  );
}

/** Identifier of the event at the metering service, which counts each identifier once. */
export function overageIdentifier(runId: string): string {
  return `run_overage:${runId}`;
}
