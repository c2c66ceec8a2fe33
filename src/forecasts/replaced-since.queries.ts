import type { Queryable } from '../platform/database/database.js';
import type { RunScope } from '../series/index.js';

/**
 * Ids of series that the run forecast for themselves and that others have replaced since: their demand is what came of these forecasts,
 * and not of those of the others.
 */
export async function readReplacedSince(db: Queryable, { organizationId, runId }: RunScope): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT s.series_id AS id FROM successions s JOIN forecasts f ON f.run_id = $2 AND f.series_id = s.series_id
      WHERE s.organization_id = $1 AND f.organization_id = $1`,
    [organizationId, runId],
  );
  return rows.map(({ id }) => id);
}
