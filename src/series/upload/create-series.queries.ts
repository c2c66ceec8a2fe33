import type { Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { newId } from '../../platform/ids.js';

/** Creates the series that the workspace lacks, without demand. */
export async function createSeries(
  tx: Queryable,
  { organizationId, workspaceId }: WorkspaceTenant,
  series: readonly { readonly uniqueId: string; readonly productName: string }[],
  now: Date,
): Promise<void> {
  await tx.execute(
    `INSERT INTO series (organization_id, workspace_id, id, unique_id, product_name, created_at, updated_at)
     SELECT $1, $2, given.*, $6, $6 FROM unnest($3::uuid[], $4::text[], $5::text[]) AS given
     ON CONFLICT (workspace_id, unique_id) DO NOTHING`,
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
