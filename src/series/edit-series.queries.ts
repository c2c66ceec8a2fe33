import type { Queryable } from '../platform/database/database.js';
import type { WorkspaceTenant } from '../platform/database/scope.js';
import { countDemandChange } from './demand-version.queries.js';

/** The editable fields of a series; undefined keeps a value, null removes it. */
export interface SeriesChange {
  readonly product_name?: string | null;
  readonly category?: string | null;
  readonly unit?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly important?: boolean;
}

/** The new values of the editable columns, in their order. */
const CHANGED = `CASE WHEN $4 THEN $5 ELSE product_name END, CASE WHEN $6 THEN $7 ELSE category END,
  CASE WHEN $8 THEN $9 ELSE unit END, coalesce($10::jsonb, metadata), coalesce($11, important)`;

/** The caller holds the workspace lock. @returns whether it changed anything of an existing series */
export async function editSeries(
  tx: Queryable,
  tenant: WorkspaceTenant,
  seriesId: string,
  change: SeriesChange,
  now: Date,
): Promise<boolean> {
  const edited = await tx.execute(
    `UPDATE series SET (product_name, category, unit, metadata, important, updated_at) = ROW (${CHANGED}, $12)
      WHERE organization_id = $1 AND workspace_id = $2 AND id = $3
        AND (product_name, category, unit, metadata, important) IS DISTINCT FROM ROW (${CHANGED})`,
    [
      tenant.organizationId,
      tenant.workspaceId,
      seriesId,
      ...[change.product_name, change.category, change.unit].flatMap((value) => [value !== undefined, value ?? null]),
      change.metadata === undefined ? null : JSON.stringify(change.metadata),
      change.important ?? null,
      now,
    ],
  );
  if (edited === 1) await countDemandChange(tx, tenant);
  return edited === 1;
}
