import { one, type Queryable } from '../platform/database/database.js';
import type { WorkspaceTenant } from '../platform/database/scope.js';
import { circularIn } from './circles.js';
import { countDemandChange } from './demand-version.queries.js';

/** By the id of each series whose demand counts for one of the requested series, the id of that one: itself or a later successor. */
export type DemandSources = ReadonlyMap<string, string>;

const OF_WORKSPACE = `organization_id = $1 AND workspace_id = $2`;
const ofTenant = (table: string): string => `${table}.organization_id = $1 AND ${table}.workspace_id = $2`;

/** What is wrong with a successor. */
export const SUCCESSOR_FAULT = {
  unknown: 'the workspace has no series with this unique_id: upload its first demand before',
  itself: 'must be another series',
  circular: 'is itself replaced by this series',
} as const;

/**
 * The successions of the workspace $2 of the organization $1, as of a version of its demand: how a run that began then counts demand, whatever
 * is replaced, or no longer replaced, since.
 * @param version SQL for an integer; null for now
 */
const successionsAsOf = (version: string): string => `(
  SELECT series_id, successor_id FROM successions WHERE ${OF_WORKSPACE} AND demand_version <= coalesce(${version}, demand_version)
  UNION ALL
  SELECT series_id, successor_id FROM ended_successions
   WHERE ${OF_WORKSPACE} AND demand_version <= ${version} AND ended_version > ${version})`;

/** The unique_id of the series that has replaced one, by the latter's id, likewise. */
export const successorAsOf = (id: string, version: string): string => `(
  SELECT successor.unique_id FROM ${successionsAsOf(version)} AS held JOIN series AS successor ON successor.id = successor_id
   WHERE successor.organization_id = $1 AND series_id = ${id})`;

/** The unique_id of the series that has replaced one by now, by the latter's id, in the organization $1. */
export const successorOf = (id: string): string => `(
  SELECT successor.unique_id FROM successions JOIN series AS successor ON successor.id = successor_id
   WHERE successions.organization_id = $1 AND successor.organization_id = $1 AND series_id = ${id})`;

/** How many predecessors of a series are named: a page has many series, and one of them may have replaced thousands. */
const NAMED_PREDECESSORS = 100;

/** The unique_ids of the first {@link NAMED_PREDECESSORS} series that one has replaced, likewise. */
export const predecessorsOf = (id: string): string => `ARRAY(
  SELECT before.unique_id FROM successions JOIN series AS before ON before.id = series_id
   WHERE successions.organization_id = $1 AND before.organization_id = $1 AND successor_id = ${id}
   ORDER BY before.unique_id LIMIT ${NAMED_PREDECESSORS})`;

/**
 * Whose demand counts for each of the series: its own, and that of the series it has replaced. A series that another has replaced has
 * none, since its demand counts for that one.
 * @param demandVersion of the workspace: what counted for what then; by default, now
 */
export async function readDemandSources(
  db: Queryable,
  tenant: WorkspaceTenant,
  seriesIds: readonly string[],
  demandVersion?: number,
): Promise<DemandSources> {
  const held = successionsAsOf('$4::int');
  const rows = await db.query<{ source: string; target: string }>(
    // OFFSET 0: one series after another by the indexes, where PostgreSQL would read all successions of the workspace for each call
    `WITH RECURSIVE counted AS (
       SELECT id AS source, id AS target FROM unnest($3::uuid[]) AS id
        WHERE NOT EXISTS (SELECT FROM ${held} AS held WHERE series_id = id OFFSET 0)
       UNION ALL
       SELECT before.series_id, target
         FROM counted CROSS JOIN LATERAL (SELECT series_id FROM ${held} AS held WHERE successor_id = source OFFSET 0) AS before
     )
     SELECT source, target FROM counted`,
    [tenant.organizationId, tenant.workspaceId, seriesIds, demandVersion ?? null],
  );
  return new Map(rows.map(({ source, target }) => [source, target]));
}

/** A series and the one that replaces it; null: none does. */
export interface Succession {
  readonly seriesId: string;
  readonly successorId: string | null;
}

/**
 * Sets which series replace others. All of them, and later successors, are judged anew by the next run, since their histories change.
 * The caller holds the workspace lock, and afterwards makes sure that there is no circle ({@link findCircular}).
 * @returns whether that changed any
 */
export async function setSuccessors(
  tx: Queryable,
  tenant: WorkspaceTenant,
  given: readonly Succession[],
  now: Date,
): Promise<boolean> {
  const { changes } = await one<{ changes: number }>(
    tx,
    `WITH RECURSIVE changed AS MATERIALIZED (
       SELECT given.series_id, given.successor_id, known.successor_id AS former_id, known.demand_version AS former_version,
              workspaces.demand_version + 1 AS demand_version
       FROM unnest($3::uuid[], $4::uuid[]) AS given (series_id, successor_id)
       JOIN workspaces ON organization_id = $1 AND workspaces.id = $2
       LEFT JOIN successions AS known ON ${ofTenant('known')} AND known.series_id = given.series_id
       WHERE known.successor_id IS DISTINCT FROM given.successor_id
     ), ended AS (
       INSERT INTO ended_successions (organization_id, workspace_id, series_id, successor_id, demand_version, ended_version)
       SELECT $1, $2, series_id, former_id, former_version, demand_version FROM changed WHERE former_id IS NOT NULL
     ), removed AS (
       DELETE FROM successions USING changed
       WHERE ${ofTenant('successions')} AND successions.series_id = changed.series_id AND changed.successor_id IS NULL
     ), stored AS (
       INSERT INTO successions (organization_id, workspace_id, series_id, successor_id, demand_version)
       SELECT $1, $2, series_id, successor_id, demand_version FROM changed WHERE successor_id IS NOT NULL
       ON CONFLICT (series_id) DO UPDATE SET successor_id = excluded.successor_id, demand_version = excluded.demand_version
     ), affected AS (
       SELECT unnest(ARRAY[series_id, successor_id, former_id]) AS id FROM changed
       UNION
       SELECT later.successor_id FROM affected JOIN successions AS later ON later.series_id = affected.id WHERE ${ofTenant('later')}
     ), judged AS (
       DELETE FROM series_trends USING affected WHERE ${ofTenant('series_trends')} AND series_trends.series_id = affected.id
     ), edited AS (
       UPDATE series SET updated_at = $5 FROM changed WHERE ${ofTenant('series')} AND series.id = changed.series_id
     )
     SELECT count(*)::int AS changes FROM changed`,
    [
      tenant.organizationId,
      tenant.workspaceId,
      given.map(({ seriesId }) => seriesId),
      given.map(({ successorId }) => successorId),
      now,
    ],
  );
  if (changes > 0) await countDemandChange(tx, tenant);
  return changes > 0;
}

/**
 * Undoes the successions of a series that is to be deleted, as {@link setSuccessors} does: they would go with it, but leave the trends of
 * later successors as they were, and the next run would report changes of them.
 */
export async function endSuccessions(
  tx: Queryable,
  tenant: WorkspaceTenant,
  seriesId: string,
  now: Date,
): Promise<void> {
  const before = await tx.query<{ seriesId: string }>(
    `SELECT series_id AS "seriesId" FROM successions WHERE ${OF_WORKSPACE} AND successor_id = $3`,
    [tenant.organizationId, tenant.workspaceId, seriesId],
  );
  const ended = [{ seriesId }, ...before].map((one) => ({ ...one, successorId: null }));
  await setSuccessors(tx, tenant, ended, now);
}

/** Those of the series that have replaced one that replaces them, directly or through others, and what is in the same circle. */
export async function findCircular(
  tx: Queryable,
  tenant: WorkspaceTenant,
  seriesIds: readonly string[],
): Promise<ReadonlySet<string>> {
  // each succession once, since a walk from every series along a chain of thousands would read it thousands of times
  const rows = await tx.query<{ id: string; successor: string }>(
    `WITH RECURSIVE later AS (
       SELECT series_id, successor_id FROM successions WHERE ${OF_WORKSPACE} AND series_id = ANY ($3::uuid[])
       UNION
       SELECT next.series_id, next.successor_id FROM later JOIN successions AS next ON next.series_id = later.successor_id
        WHERE ${ofTenant('next')}
     )
     SELECT series_id AS id, successor_id AS successor FROM later`,
    [tenant.organizationId, tenant.workspaceId, seriesIds],
  );
  return circularIn(new Map(rows.map(({ id, successor }) => [id, successor])));
}
