import type { Queryable } from '../../src/platform/database/database.js';
import { newId } from '../../src/platform/ids.js';
import { DEFAULT_RUN_CONFIG, type RunConfig } from '../../src/runs/run-config.js';

export interface Tenant {
  readonly organizationId: string;
  readonly workspaceId: string;
}

/** Inserts a series with a year of demand directly into the database. @returns its id */
export async function createSeries(
  db: Queryable,
  tenant: Tenant,
  uniqueId = `S-${newId().slice(-8)}`,
): Promise<string> {
  const id = newId();
  await db.execute(
    `INSERT INTO series (id, organization_id, workspace_id, unique_id, created_at, updated_at) VALUES ($1, $2, $3, $4, now(), now())`,
    [id, tenant.organizationId, tenant.workspaceId, uniqueId],
  );
  await db.execute(
    `INSERT INTO demand (series_id, year, organization_id, workspace_id, observed_months, days, quantities)
     VALUES ($1, 2025, $2, $3, 1, '{2025-01-01}', '{5}')`,
    [id, tenant.organizationId, tenant.workspaceId],
  );
  return id;
}

/** Inserts a past run with a chunk and a forecast of each series. @returns its id */
export async function createPastRun(
  db: Queryable,
  tenant: Tenant,
  run: {
    readonly status?: string;
    readonly finishedAt: Date | null;
    readonly seriesIds?: readonly string[];
    readonly config?: Partial<RunConfig>;
  },
): Promise<string> {
  const id = newId();
  const { organizationId, workspaceId } = tenant;
  await db.execute(
    `INSERT INTO runs (id, organization_id, workspace_id, status, trigger, config, billed, created_at, finished_at)
     VALUES ($1, $2, $3, $4, 'api', $6, 'quota', COALESCE($5, now()), $5)`,
    [
      id,
      organizationId,
      workspaceId,
      run.status ?? 'completed',
      run.finishedAt,
      JSON.stringify({ ...DEFAULT_RUN_CONFIG, ...run.config }),
    ],
  );
  await db.execute(
    `INSERT INTO run_chunks (run_id, position, organization_id, workspace_id, done, series_ids) VALUES ($1, 0, $2, $3, true, '{}')`,
    [id, organizationId, workspaceId],
  );
  await db.execute(
    `INSERT INTO forecasts (run_id, series_id, organization_id, workspace_id, unique_id, model, pattern, first_month, horizon,
       mean, quantiles, backtest, history_start, history)
     SELECT $1, series_id, $2, $3, series_id::text, 'naive', 'smooth', 24300, 1, '', '', '', 24300, '' FROM unnest($4::uuid[]) AS series_id`,
    [id, organizationId, workspaceId, run.seriesIds ?? []],
  );
  return id;
}
