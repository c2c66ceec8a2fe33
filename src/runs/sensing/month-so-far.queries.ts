import { oneOrNone, type Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { Problem } from '../../platform/http/problem.js';
import { monthBitOfDay, monthOfDay } from '../../series/index.js';

/** How much of a workspace's current month is known. */
export interface MonthSoFar {
  /** Current month in the workspace's time zone, 12 * year + month - 1. */
  readonly month: number;
  /** Current day of the month there, 1 to 31. */
  readonly today: number;
  /** Share of today that has passed, 0..1. */
  readonly dayElapsed: number;
  readonly daysInMonth: number;
  /** Latest day of the month on which any series has daily demand; null if none has. */
  readonly lastDay: number | null;
}

/**
 * Looks up the last day of each series in its ascending days: scanning all days of a large workspace takes seconds.
 * @throws {Problem} 404
 */
export async function readMonthSoFar(db: Queryable, tenant: WorkspaceTenant): Promise<MonthSoFar> {
  const row = await oneOrNone<MonthSoFar>(
    db,
    `WITH clock AS (
         SELECT now() AT TIME ZONE time_zone AS local FROM workspaces WHERE organization_id = $1 AND id = $2
       )
       SELECT ${monthOfDay('local')} AS month,
              extract(day FROM local)::int AS today,
              (extract(epoch FROM local - date_trunc('day', local)) / 86400)::float8 AS "dayElapsed",
              extract(day FROM date_trunc('month', local) + interval '1 month - 1 day')::int AS "daysInMonth",
              (SELECT extract(day FROM max(latest))::int
                 FROM (SELECT days[width_bucket(local::date, days)] AS latest FROM demand
                        WHERE organization_id = $1 AND workspace_id = $2 AND year = extract(year FROM local)::int2
                          AND ${monthBitOfDay('observed_months & ~month_figures', 'local')} = 1) AS of_series
                WHERE latest >= date_trunc('month', local)::date) AS "lastDay"
         FROM clock`,
    [tenant.organizationId, tenant.workspaceId],
  );
  if (!row) throw Problem.notFound('workspace'); // deleted since the caller looked it up
  return row;
}
