import { type MonthNumber } from '../../forecasting/index.js';
import type { Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { Problem } from '../../platform/http/problem.js';

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
