import { type MonthNumber } from '../../forecasting/index.js';
import { exists, one, type Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { countMonths } from '../month-sql.js';

/** A selection of a workspace's series; without a filter, all of them. */
export interface SeriesFilter {
  readonly uniqueIds?: readonly string[] | undefined;
  /** Null selects those without one. */
  readonly category?: string | null | undefined;
}

/** What a series needs to be forecast. */
export interface NeededHistory {
  /** Minimum number of months with demand. */
  readonly months: number;
  /** Minimum number if demand is the same in all of them (net returns count as zero). */
  readonly constantMonths: number;
  /** The last month that counts. */
  readonly lastMonth: MonthNumber;
}

const OF_WORKSPACE = `organization_id = $1 AND workspace_id = $2`;

/** Stands for those without a category: no category is empty. */
const NO_CATEGORY = '';

const MATCHES = `
  ${OF_WORKSPACE}
  AND ($3::text[] IS NULL OR unique_id = ANY ($3::text[]))
  AND ($4::text IS NULL OR coalesce(category, '${NO_CATEGORY}') = $4)`;

/** A series that no other one has replaced: only these are forecast. */
const CURRENT = `NOT EXISTS (
  SELECT FROM successions WHERE successions.organization_id = $1 AND successions.workspace_id = $2 AND series_id = series.id)`;

/** The series whose demand counts for one: itself and those that it has replaced. */
const SOURCES = `ARRAY(
  WITH RECURSIVE counted AS (
    SELECT series.id
    UNION ALL
    SELECT before.series_id FROM counted JOIN successions AS before ON before.successor_id = counted.id
     WHERE before.organization_id = $1 AND before.workspace_id = $2
  )
  SELECT id FROM counted)`;

/** Number of a series' months with demand, up to year $5 and within that year the months in the bit mask $6. */
const OBSERVED = `(
  SELECT sum(${countMonths('months')})
  FROM (
    SELECT bit_or(CASE WHEN year = $5 THEN observed_months & $6 ELSE observed_months END) AS months
    FROM demand WHERE demand.series_id = ANY (${SOURCES}) AND year <= $5
    GROUP BY year
  ) AS years)`;

/** Whether demand is the same in all of these months; a month without a row counts as zero. */
const CONSTANT = `(
  SELECT coalesce(max(total), 0) = 0 OR (min(total) = max(total) AND count(*) = ${OBSERVED})
  FROM (
    SELECT greatest(sum(quantity), 0) AS total
    FROM demand CROSS JOIN unnest(days, quantities) AS sold (day, quantity)
    WHERE demand.series_id = ANY (${SOURCES}) AND year <= $5
      AND (year < $5 OR (1 << (extract(month FROM day)::int - 1)) & $6 <> 0)
    GROUP BY year, extract(month FROM day)
  ) AS months)`;

export interface SelectedSeries {
  /** Ids in order of their unique_id (collation C). */
  readonly seriesIds: readonly string[];
  /** Identifiers in the filter that no series of the workspace has, in the filter's order. */
  readonly unknown: readonly string[];
}

/** The selected series and the identifiers without a series, read in one statement so that they are consistent. */
export async function selectSeries(
  db: Queryable,
  tenant: WorkspaceTenant,
  filter: SeriesFilter = {},
): Promise<SelectedSeries> {
  const { ids, unknown } = await one<{ ids: string; unknown: string[] }>(
    db,
    `SELECT array_to_string(ARRAY(SELECT id FROM series WHERE ${MATCHES} ORDER BY unique_id), ',') AS ids,
              ARRAY(
                SELECT asked.unique_id FROM unnest($3::text[]) WITH ORDINALITY AS asked (unique_id, place)
                 WHERE NOT EXISTS (SELECT FROM series WHERE ${OF_WORKSPACE} AND unique_id = asked.unique_id)
                 ORDER BY place) AS unknown`,
    parametersOf(tenant, filter),
  );
  return { seriesIds: ids === '' ? [] : ids.split(','), unknown };
}

/** Ids of at most `most` series of a workspace, evenly spread over their order of creation. */
export async function sampleSeries(db: Queryable, tenant: WorkspaceTenant, most: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `WITH known AS MATERIALIZED (SELECT ARRAY(SELECT id FROM series WHERE ${OF_WORKSPACE} ORDER BY id) AS ids)
     SELECT ids[1 + place::int8 * cardinality(ids) / least($3, cardinality(ids))] AS id
       FROM known CROSS JOIN LATERAL generate_series(0, least($3, cardinality(ids)) - 1) AS place
      ORDER BY place`,
    [tenant.organizationId, tenant.workspaceId, most],
  );
  return rows.map(({ id }) => id);
}

/** Whether the filter selects any series. */
export function hasSeries(db: Queryable, tenant: WorkspaceTenant, filter: SeriesFilter): Promise<boolean> {
  return exists(db, `SELECT FROM series WHERE ${MATCHES}`, parametersOf(tenant, filter));
}

/** Whether the filter selects any series that no other one has replaced. */
export function hasCurrentSeries(db: Queryable, tenant: WorkspaceTenant, filter: SeriesFilter): Promise<boolean> {
  return exists(db, `SELECT FROM series WHERE ${MATCHES} AND ${CURRENT}`, parametersOf(tenant, filter));
}

/** Whether any series that no other one has replaced has enough history. */
export async function hasHistory(
  db: Queryable,
  tenant: WorkspaceTenant,
  filter: SeriesFilter,
  { months, constantMonths, lastMonth }: NeededHistory,
): Promise<boolean> {
  const year = Math.floor(lastMonth / 12);
  const monthsOfYear = (2 << (lastMonth % 12)) - 1; // bits of the months up to the last one
  const parameters = [...parametersOf(tenant, filter), year, monthsOfYear];
  const hasAny = (condition: string, needed: number): Promise<boolean> =>
    // in this order: the demand of those that others have replaced would be read once for each in their chain
    exists(db, `SELECT FROM series WHERE ${MATCHES} AND CASE WHEN ${CURRENT} THEN ${condition} END`, [
      ...parameters,
      needed,
    ]);
  if (await hasAny(`${OBSERVED} >= $7`, months)) return true;
  // a second query, since it reads every series' demand: only needed if all series are too short
  return constantMonths < months && hasAny(`${OBSERVED} >= $7 AND ${CONSTANT}`, constantMonths);
}

/** Names and units of series; unknown ids are omitted. */
export async function describeSeries(
  db: Queryable,
  tenant: WorkspaceTenant,
  seriesIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly productName: string | null; readonly unit: string | null }>> {
  const rows = await db.query<{ id: string; productName: string | null; unit: string | null }>(
    `SELECT id, product_name AS "productName", unit FROM series WHERE organization_id = $1 AND workspace_id = $2 AND id = ANY ($3::uuid[])`,
    [tenant.organizationId, tenant.workspaceId, seriesIds],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function parametersOf(tenant: WorkspaceTenant, { uniqueIds, category }: SeriesFilter): unknown[] {
  return [
    tenant.organizationId,
    tenant.workspaceId,
    uniqueIds ?? null,
    category === null ? NO_CATEGORY : (category ?? null),
  ];
}
