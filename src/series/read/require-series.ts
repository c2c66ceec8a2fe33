import type { Queryable } from '../../platform/database/database.js';
import type { Tenant } from '../../platform/database/scope.js';
import { Problem } from '../../platform/http/problem.js';
import { findSeries, type SeriesItem } from './series.queries.js';

/** The series that a request names by its id or its unique_id. @throws {Problem} 404 */
export async function requireSeries(db: Queryable, scope: Tenant, idOrUniqueId: string): Promise<SeriesItem> {
  const found = await findSeries(db, scope, idOrUniqueId);
  if (!found) throw Problem.notFound('series');
  return found;
}
