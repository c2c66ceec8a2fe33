import { exists, oneOrNone, type Queryable } from '../platform/database/database.js';
import type { WorkspaceTenant } from '../platform/database/scope.js';
import { countDemandChange } from './demand-version.queries.js';

/** By the id of each series whose demand counts for one of the requested series, the id of that one: itself or a later successor. */
export type DemandSources = ReadonlyMap<string, string>;

const OF_WORKSPACE = `organization_id = $1 AND workspace_id = $2`;

/** The unique_id of the series that has replaced one, by the latter's id, in the organization $1. */
export const successorOf = (id: string): string => `(
  SELECT successor.unique_id FROM successions JOIN series AS successor ON successor.id = successor_id
   WHERE successions.organization_id = $1 AND successor.organization_id = $1 AND series_id = ${id})`;

/** The unique_ids of the series that one has replaced, likewise. */
export const predecessorsOf = (id: string): string => `ARRAY(
  SELECT before.unique_id FROM successions JOIN series AS before ON before.id = series_id
   WHERE successions.organization_id = $1 AND before.organization_id = $1 AND successor_id = ${id} ORDER BY before.unique_id)`;

/**
 * Whose demand counts for each of the series: its own, and that of the series it has replaced. A series that another has replaced has
 * none, since its demand counts for that one.
 * @param apart series to treat as if nothing had replaced them
 */
export async function readDemandSources(
  db: Queryable,
  tenant: WorkspaceTenant,
  seriesIds: readonly string[],
  apart: readonly string[] = [],
): Promise<DemandSources> {
  const rows = await db.query<{ source: string; target: string }>(
    `WITH RECURSIVE counted AS (
       SELECT id AS source, id AS target FROM unnest($3::uuid[]) AS id
        WHERE id = ANY ($4::uuid[]) OR NOT EXISTS (SELECT FROM successions WHERE ${OF_WORKSPACE} AND series_id = id)
       UNION ALL
       SELECT before.series_id, target FROM counted JOIN successions AS before ON before.successor_id = source
        WHERE before.organization_id = $1 AND before.workspace_id = $2 AND before.series_id <> ALL ($4::uuid[])
     )
     SELECT source, target FROM counted`,
    [tenant.organizationId, tenant.workspaceId, seriesIds, apart],
  );
  return new Map(rows.map(({ source, target }) => [source, target]));
}

/** Whether a series is replaced by another, or by one that the other has replaced in turn, and so on. */
export function isReplacedBy(
  db: Queryable,
  tenant: WorkspaceTenant,
  seriesId: string,
  otherId: string,
): Promise<boolean> {
  return exists(
    db,
    `WITH RECURSIVE later AS (
       SELECT successor_id FROM successions WHERE ${OF_WORKSPACE} AND series_id = $3
       UNION
       SELECT next.successor_id FROM later JOIN successions AS next ON next.series_id = later.successor_id
        WHERE next.organization_id = $1 AND next.workspace_id = $2
     )
     SELECT FROM later WHERE successor_id = $4`,
    [tenant.organizationId, tenant.workspaceId, seriesId, otherId],
  );
}

/**
 * Sets which series replaces another; null: none does. Both are judged anew by the next run, since their histories change. The caller
 * holds the workspace lock.
 * @returns whether that changed anything
 */
export async function setSuccessor(
  tx: Queryable,
  tenant: WorkspaceTenant,
  seriesId: string,
  successorId: string | null,
  now: Date,
): Promise<boolean> {
  const ofTenant = [tenant.organizationId, tenant.workspaceId];
  const former = await oneOrNone<{ id: string }>(
    tx,
    `SELECT successor_id AS id FROM successions WHERE ${OF_WORKSPACE} AND series_id = $3`,
    [...ofTenant, seriesId],
  );
  if ((former?.id ?? null) === successorId) return false;
  await tx.execute(`DELETE FROM successions WHERE ${OF_WORKSPACE} AND series_id = $3`, [...ofTenant, seriesId]);
  if (successorId !== null) {
    await tx.execute(
      `INSERT INTO successions (organization_id, workspace_id, series_id, successor_id) VALUES ($1, $2, $3, $4)`,
      [...ofTenant, seriesId, successorId],
    );
  }
  await tx.execute(`UPDATE series SET updated_at = $4 WHERE ${OF_WORKSPACE} AND id = $3`, [...ofTenant, seriesId, now]);
  const judged = [seriesId, former?.id, successorId].filter((id) => typeof id === 'string');
  await tx.execute(`DELETE FROM series_trends WHERE ${OF_WORKSPACE} AND series_id = ANY ($3::uuid[])`, [
    ...ofTenant,
    judged,
  ]);
  await countDemandChange(tx, tenant);
  return true;
}
