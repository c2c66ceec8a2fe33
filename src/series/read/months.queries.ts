import type { MonthNumber } from '../../forecasting/index.js';
import { exists, one, oneOrNone, type Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { Problem } from '../../platform/http/problem.js';
import { type DayNumber, monthOf, yearOf } from '../day-number.js';

/**
 * The month in progress in the workspace's time zone.
 * @param at by default now, by the database's clock
 * @throws {Problem} 404
 */
export async function monthInProgress(db: Queryable, tenant: WorkspaceTenant, at?: Date): Promise<MonthNumber> {
  return monthOf(await dayInProgress(db, tenant, at));
}

/** {@link monthInProgress}, to the day. */
export async function dayInProgress(db: Queryable, tenant: WorkspaceTenant, at?: Date): Promise<DayNumber> {
  const row = await oneOrNone<{ day: DayNumber }>(
    db,
    `SELECT (coalesce($3::timestamptz, now()) AT TIME ZONE time_zone)::date - DATE '2000-01-01' AS day
     FROM workspaces WHERE id = $1 AND organization_id = $2`,
    [tenant.workspaceId, tenant.organizationId, at ?? null],
  );
  if (!row) throw Problem.notFound('workspace'); // deleted after the caller looked it up
  return row.day;
}

/** The IANA name of the workspace's time zone. */
export async function workspaceTimeZone(db: Queryable, tenant: WorkspaceTenant): Promise<string> {
  const row = await oneOrNone<{ time_zone: string }>(
    db,
    'SELECT time_zone FROM workspaces WHERE organization_id = $1 AND id = $2',
    [tenant.organizationId, tenant.workspaceId],
  );
  return row?.time_zone ?? 'UTC';
}

/** The last month before `before` in which any series of the workspace has demand; undefined if there is none. */
export async function latestObservedMonth(
  db: Queryable,
  tenant: WorkspaceTenant,
  before: MonthNumber,
): Promise<MonthNumber | undefined> {
  // the latest month is the highest bit, so the largest mask of a year has it
  const rows = await db.query<{ year: number; months: number }>(
    `SELECT year, max(months) AS months
     FROM (
       SELECT year, CASE WHEN year = $3 THEN observed_months & $4 ELSE observed_months END AS months
       FROM demand WHERE workspace_id = $1 AND organization_id = $2 AND year <= $3
     ) AS complete
     WHERE months <> 0
     GROUP BY year ORDER BY year DESC LIMIT 1`,
    [tenant.workspaceId, tenant.organizationId, Math.floor(before / 12), (1 << (before % 12)) - 1],
  );
  const [latest] = rows;
  return latest && 12 * latest.year + Math.floor(Math.log2(latest.months));
}

/**
 * The newest day up to today, in the workspace's time zone, with demand in any series with daily demand in `month` or later; null if there
 * is none. Later days were entered in advance and do not show how far demand is known. A binary search in each row's ascending days:
 * reading all of them takes seconds in a large workspace.
 */
export async function newestRecordedDay(
  db: Queryable,
  tenant: WorkspaceTenant,
  month: MonthNumber,
): Promise<DayNumber | null> {
  const { day } = await one<{ day: DayNumber | null }>(
    db,
    `SELECT max(days[width_bucket((now() AT TIME ZONE time_zone)::date, days)]) - DATE '2000-01-01' AS day
       FROM demand JOIN workspaces ON workspaces.id = workspace_id AND workspaces.organization_id = demand.organization_id
       WHERE workspace_id = $1 AND demand.organization_id = $2 AND year >= $3
         AND (observed_months & ~month_figures) >> (CASE WHEN year = $3 THEN $4::int ELSE 0 END) > 0`,
    [tenant.workspaceId, tenant.organizationId, Math.floor(month / 12), month % 12],
  );
  return day;
}

/**
 * Whether any series has demand on one of the days, other than the first of a month, which may stand for the month. Only rows that have
 * some are unpacked: a binary search in their ascending days finds them.
 */
export function hasDemandBetween(
  db: Queryable,
  tenant: WorkspaceTenant,
  first: DayNumber,
  last: DayNumber,
): Promise<boolean> {
  return exists(
    db,
    `SELECT FROM demand
     WHERE workspace_id = $1 AND organization_id = $2 AND year BETWEEN $3 AND $4
       AND width_bucket(DATE '2000-01-01' + $5::int - 1, days) < width_bucket(DATE '2000-01-01' + $6::int, days)
       AND EXISTS (
         SELECT FROM unnest(days) AS day
         WHERE day BETWEEN DATE '2000-01-01' + $5::int AND DATE '2000-01-01' + $6::int AND extract(day FROM day) > 1
       )`,
    [tenant.workspaceId, tenant.organizationId, yearOf(first), yearOf(last), first, last],
  );
}

/** Whether a connector that has delivered orders has completed a sync since the day ended. */
export function isSynchronizedAfter(db: Queryable, tenant: WorkspaceTenant, day: DayNumber): Promise<boolean> {
  // a table of src/connectors, which imports this module: the reverse would be a cycle
  return exists(
    db,
    `SELECT FROM connectors
     WHERE workspace_id = $1 AND organization_id = $2
       AND last_synced_at AT TIME ZONE time_zone >= DATE '2000-01-01' + $3::int + 1
       AND EXISTS (
         SELECT FROM connector_order_lines AS line
         WHERE line.organization_id = $2 AND line.connector_id = connectors.id
       )`,
    [tenant.workspaceId, tenant.organizationId, day],
  );
}
