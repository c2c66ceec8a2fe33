import type { Queryable } from '../../platform/database/database.js';
import { Problem } from '../../platform/http/problem.js';
import { findSeries, type SeriesItem, type SeriesScope } from './series.queries.js';

/** The series that a request names by its id or its unique_id. @throws {Problem} 404 */
export async function requireSeries(db: Queryable, scope: SeriesScope, idOrUniqueId: string): Promise<SeriesItem> {
  const found = await findSeries(db, scope, idOrUniqueId);
  if (!found) throw Problem.notFound('series');
  return found;
}
