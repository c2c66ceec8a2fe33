import type { Queryable } from '../../platform/database/database.js';
import type { Tenant } from '../../platform/database/scope.js';
import { Problem } from '../../platform/http/problem.js';
import { canonicalId } from '../../platform/ids.js';
import type { SeriesDto } from '../dto/series.dto.js';
import { findSeries } from './series.queries.js';

/**
 * The series that a request names by its id or its unique_id; paths accept either.
 * @throws {Problem} 404; 400 naming `workspace_id` if several workspaces in scope have the unique_id
 */
export async function requireSeries(db: Queryable, scope: Tenant, idOrUniqueId: string): Promise<SeriesDto> {
  const named = idOrUniqueId.trim(); // as uploads trim it
  const [found, another] = await findSeries(db, scope, named);
  if (!found) throw Problem.notFound('series');
  if (another === undefined || found.id === canonicalId(named)) return found;
  throw Problem.invalid([
    { param: 'workspace_id', message: 'is required: several workspaces have a series with this unique_id' },
  ]);
}
