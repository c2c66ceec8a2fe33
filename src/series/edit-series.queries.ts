import type { Queryable } from '../platform/database/database.js';
import type { WorkspaceTenant } from '../platform/database/scope.js';
import { countDemandChange } from './demand-version.queries.js';
import type { StockTargetFields } from './stock-target-fields.js';
import { countTargetChange } from './stock-targets.queries.js';

/** The editable fields of a series; undefined keeps a value, null removes it. */
export interface SeriesChange extends StockTargetFields {
  readonly product_name?: string | null;
  readonly category?: string | null;
  readonly unit?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly important?: boolean;
}

type ColumnTypes = Readonly<Partial<Record<keyof SeriesChange, 'text' | 'jsonb' | 'boolean' | 'float8'>>>;

/** The columns that describe a series. */
const DESCRIPTION: ColumnTypes = {
  product_name: 'text',
  category: 'text',
  unit: 'text',
  metadata: 'jsonb',
  important: 'boolean',
};
/** Those of its stock target. */
const TARGET: ColumnTypes = {
  lead_time_months: 'float8',
  lead_time_sd_months: 'float8',
  target_service_level: 'float8',
};

/** The caller holds the workspace lock. @returns whether it changed anything of an existing series */
export async function editSeries(
  tx: Queryable,
  tenant: WorkspaceTenant,
  seriesId: string,
  change: SeriesChange,
  now: Date,
): Promise<boolean> {
  const isDescribed = await setColumns(tx, tenant, seriesId, pick(change, DESCRIPTION), now);
  if (isDescribed) await countDemandChange(tx, tenant);
  // apart from the description, since forecasts do not depend on them
  const isRetargeted = await setColumns(tx, tenant, seriesId, pick(change, TARGET), now);
  const isRegrouped = isDescribed && (change.category !== undefined || change.unit !== undefined);
  if (isRetargeted || isRegrouped) await countTargetChange(tx, tenant);
  return isDescribed || isRetargeted;
}

/** The new value of a column. */
interface Assignment {
  readonly column: string;
  readonly type: string;
  readonly value: unknown;
}

function pick(change: SeriesChange, types: ColumnTypes): readonly Assignment[] {
  return (Object.keys(types) as (keyof SeriesChange)[]).flatMap((column) => {
    const [type, value] = [types[column]!, change[column]];
    return value === undefined ? [] : [{ column, type, value: type === 'jsonb' ? JSON.stringify(value) : value }];
  });
}

/** @returns whether the series had other values */
async function setColumns(
  tx: Queryable,
  tenant: WorkspaceTenant,
  seriesId: string,
  assignments: readonly Assignment[],
  now: Date,
): Promise<boolean> {
  if (assignments.length === 0) return false;
  const columns = assignments.map(({ column }) => column).join(', ');
  const values = assignments.map(({ type }, at) => `$${at + 5}::${type}`).join(', ');
  const edited = await tx.execute(
    `UPDATE series SET (${columns}, updated_at) = ROW (${values}, $4)
      WHERE organization_id = $1 AND workspace_id = $2 AND id = $3 AND ROW (${columns}) IS DISTINCT FROM ROW (${values})`,
    [tenant.organizationId, tenant.workspaceId, seriesId, now, ...assignments.map(({ value }) => value)],
  );
  return edited === 1;
}
