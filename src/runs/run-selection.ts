import type { Queryable } from '../platform/database/database.js';
import { Problem } from '../platform/http/problem.js';
import { unknownUniqueIds, type WorkspaceTenant } from '../series/index.js';
import type { SeriesSelection } from './run-config.js';

/** Unknown series that a refusal names. */
const NAMED = 5;

/** Identifiers that the selection names and no series of the workspace has, in their order. */
export async function unknownSeries(
  db: Queryable,
  tenant: WorkspaceTenant,
  selected: SeriesSelection | null | undefined,
): Promise<readonly string[]> {
  return selected?.unique_ids ? unknownUniqueIds(db, tenant, selected.unique_ids) : [];
}

/**
 * Refuses a selection of which the workspace has no series at all. Single ones that it lacks are left out, since lists of
 * callers outlive what they name; the run's metrics tell of them.
 * @throws {Problem} 400 `no_usable_series` naming `config_overrides.series.unique_ids`
 */
export async function refuseUnknownSeries(
  db: Queryable,
  tenant: WorkspaceTenant,
  selected: SeriesSelection | null | undefined,
): Promise<void> {
  const unknown = await unknownSeries(db, tenant, selected);
  if (unknown.length === 0 || unknown.length < (selected?.unique_ids?.length ?? 0)) return;
  const named = unknown.slice(0, NAMED).map((uniqueId) => JSON.stringify(uniqueId));
  const more = unknown.length > NAMED ? ` and ${unknown.length - NAMED} more` : '';
  const param = 'config_overrides.series.unique_ids';
  const message = `the workspace has no series ${named.join(', ')}${more}`;
  throw new Problem(400, 'no_usable_series', `${param}: ${message}`, { errors: [{ param, message }] });
}
