import type { Queryable } from '../platform/database/database.js';
import { Problem } from '../platform/http/problem.js';
import { unknownUniqueIds, type WorkspaceTenant } from '../series/index.js';
import type { SeriesSelection } from './run-config.js';

/** Unknown series that a refusal names. */
const NAMED = 5;

/**
 * Refuses a selection that names series which the workspace does not have: left out in silence, a slip in one of a thousand
 * identifiers would be found when its forecast is missed.
 * @throws {Problem} 400 naming `config_overrides.series.unique_ids`
 */
export async function refuseUnknownSeries(
  db: Queryable,
  tenant: WorkspaceTenant,
  selected: SeriesSelection | null | undefined,
): Promise<void> {
  const unknown = selected?.unique_ids ? await unknownUniqueIds(db, tenant, selected.unique_ids) : [];
  if (unknown.length === 0) return;
  const named = unknown.slice(0, NAMED).map((uniqueId) => JSON.stringify(uniqueId));
  const more = unknown.length > NAMED ? ` and ${unknown.length - NAMED} more` : '';
  const message = `the workspace has no series ${named.join(', ')}${more}`;
  throw Problem.invalid([{ param: 'config_overrides.series.unique_ids', message }]);
}
