import { type MonthNumber } from '../../forecasting/index.js';
import { only, type Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { Problem } from '../../platform/http/problem.js';
import { type DayNumber } from '../upload/demand-day.js';

/**
 * The month in progress in the workspace's time zone.
 * @param at when; by default now, on the database's clock
 * @throws {Problem} 404
 */
export async function monthInProgress(db: Queryable, tenant: WorkspaceTenant, at?: Date): Promise<MonthNumber> {
  const rows = await db.query<{ month: number }>(
    `SELECT (12 * extract(year FROM today) + extract(month FROM today) - 1)::int AS month
     FROM (
       SELECT coalesce($3::timestamptz, now()) AT TIME ZONE time_zone AS today
       FROM workspaces WHERE id = $1 AND organization_id = $2
     ) AS local_time`,
    [tenant.workspaceId, tenant.organizationId, at ?? null],
  );
  const [row] = rows;
  if (!row) throw Problem.notFound('workspace'); // deleted since the caller looked it up
  return row.month;
}

/** The IANA name of the workspace's time zone. */
export async function workspaceTimeZone(db: Queryable, tenant: WorkspaceTenant): Promise<string> {
  const [row] = await db.query<{ time_zone: string }>(
    'SELECT time_zone FROM workspaces WHERE organization_id = $1 AND id = $2',
    [tenant.organizationId, tenant.workspaceId],
  );
  return row?.time_zone ?? 'UTC';
}

/**
 * The last month before `before` in which any series of the workspace has demand; undefined where there is none.
 */
export async function latestObservedMonth(
  db: Queryable,
  tenant: WorkspaceTenant,
  before: MonthNumber,
): Promise<MonthNumber | undefined> {
  // the latest month is the highest bit, so of all bit masks of a year the largest one has it
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
 * The newest day up to today, in the workspace's time zone, on which any series with demand by days in `month` or later has some; null
 * without. Later days were entered ahead and do not tell up to when demand is known. It looks up one of each series' ascending days: to
 * go through all of a large workspace takes seconds.
 */
export async function newestRecordedDay(
  db: Queryable,
  tenant: WorkspaceTenant,
  month: MonthNumber,
): Promise<DayNumber | null> {
  const { day } = only(
    await db.query<{ day: DayNumber | null }>(
      `SELECT max(days[width_bucket((now() AT TIME ZONE time_zone)::date, days)]) - DATE '2000-01-01' AS day
       FROM demand JOIN workspaces ON workspaces.id = workspace_id AND workspaces.organization_id = demand.organization_id
       WHERE workspace_id = $1 AND demand.organization_id = $2 AND year >= $3
         AND (observed_months & ~month_figures) >> (CASE WHEN year = $3 THEN $4::int ELSE 0 END) > 0`,
      [tenant.workspaceId, tenant.organizationId, Math.floor(month / 12), month % 12],
    ),
  );
  return day;
}

/** Whether a connector that has brought orders has been read to its end since the month was over. */
export async function isSynchronizedSince(
  db: Queryable,
  tenant: WorkspaceTenant,
  month: MonthNumber,
): Promise<boolean> {
  // a table of src/connectors, which knows this module: the other way round would be a circle
  const { found } = only(
    await db.query<{ found: boolean }>(
      `SELECT EXISTS (
         SELECT FROM connectors
         WHERE workspace_id = $1 AND organization_id = $2
           AND last_synced_at AT TIME ZONE time_zone >= make_date($3, $4, 1) + interval '1 month'
           AND EXISTS (
             SELECT FROM connector_order_lines AS line
             WHERE line.organization_id = $2 AND line.connector_id = connectors.id
           )
       ) AS found`,
      [tenant.workspaceId, tenant.organizationId, Math.floor(month / 12), (month % 12) + 1],
    ),
  );
  return found;
}
