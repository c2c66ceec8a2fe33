import { PLANS } from '../../../../config/plans.js';
import type { Queryable } from '../../../platform/database/database.js';
import type { WorkspaceTenant } from '../../../platform/database/scope.js';
import { newId } from '../../../platform/ids.js';
import { readSeriesUse } from './series-limit.js';

export interface NewSeries {
  readonly uniqueId: string;
  readonly productName: string | null;
}

/**
 * Creates those of the series that the workspace lacks, without demand, in the given order until the plan allows no more.
 * @param tx has locked the workspace
 * @returns those that were not created because of the plan
 */
export async function createSeries<Series extends NewSeries>(
  tx: Queryable,
  tenant: WorkspaceTenant,
  series: readonly Series[],
  now: Date,
): Promise<Series[]> {
  const known = await listKnown(tx, tenant, series);
  const missing = series.filter(({ uniqueId }) => !known.has(uniqueId));
  if (missing.length === 0) return [];
  const { plan, series: used } = await readSeriesUse(tx, tenant);
  const room = Math.max(0, PLANS[plan].workspace_series - used);
  await insertSeries(tx, tenant, missing.slice(0, room), now);
  return missing.slice(room);
}

async function listKnown(
  tx: Queryable,
  { organizationId, workspaceId }: WorkspaceTenant,
  series: readonly NewSeries[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ uniqueId: string }>(
    `SELECT unique_id AS "uniqueId" FROM series
     WHERE organization_id = $1 AND workspace_id = $2 AND unique_id = ANY ($3::text[])`,
    [organizationId, workspaceId, series.map(({ uniqueId }) => uniqueId)],
  );
  return new Set(rows.map(({ uniqueId }) => uniqueId));
}

async function insertSeries(
  tx: Queryable,
  { organizationId, workspaceId }: WorkspaceTenant,
  series: readonly NewSeries[],
  now: Date,
): Promise<void> {
  await tx.execute(
    `INSERT INTO series (organization_id, workspace_id, id, unique_id, product_name, created_at, updated_at)
     SELECT $1, $2, given.*, $6, $6 FROM unnest($3::uuid[], $4::text[], $5::text[]) AS given`,
    [
      organizationId,
      workspaceId,
      series.map(() => newId()),
      series.map(({ uniqueId }) => uniqueId),
      series.map(({ productName }) => productName),
      now,
    ],
  );
}
