import type { Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import type { ConnectorTenant } from '../connector.js';

/** The part of an order that is stored. */
export interface StoredOrder {
  readonly id: string;
  readonly version: Date;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly lines: readonly StoredLine[];
}

export interface StoredLine {
  readonly uniqueId: string;
  readonly quantity: number;
}

/** A stored line. */
export interface KnownLine {
  readonly order: string;
  readonly uniqueId: string;
  readonly day: string;
  readonly quantity: number;
}

/**
 * Stores the versions of orders, and marks them as seen in the current reading, including older versions.
 * @returns by id, the orders that are not older than the stored ones, each with whether its version is new
 */
export async function upsertOrders(
  tx: Queryable,
  { organizationId, workspaceId, connectorId, reading }: ConnectorTenant & { readonly reading: number },
  orders: readonly StoredOrder[],
): Promise<ReadonlyMap<string, boolean>> {
  const rows = await tx.query<{ id: string; isNew: boolean }>(
    // the last SELECT sees what was stored before this statement, not what `noted` inserts
    `WITH given AS (SELECT * FROM unnest($4::text[], $5::timestamptz[], $6::date[]) AS given (id, version, day)),
     noted AS (
       INSERT INTO connector_orders AS known (organization_id, workspace_id, connector_id, external_id, version, day, reading)
       SELECT $1, $2, $3, given.*, $7 FROM given
       ON CONFLICT (connector_id, external_id) DO UPDATE SET version = greatest(known.version, excluded.version),
           day = CASE WHEN known.version <= excluded.version THEN excluded.day ELSE known.day END, reading = $7
         WHERE known.reading <> $7 OR known.version <= excluded.version
           AND (known.version, known.day) IS DISTINCT FROM (excluded.version, excluded.day)
     )
     SELECT given.id, known.version IS DISTINCT FROM given.version AS "isNew" FROM given
     LEFT JOIN connector_orders AS known
       ON known.organization_id = $1 AND known.workspace_id = $2 AND known.connector_id = $3 AND known.external_id = given.id
     WHERE known.version IS NULL OR known.version <= given.version`,
    [
      organizationId,
      workspaceId,
      connectorId,
      orders.map(({ id }) => id),
      orders.map(({ version }) => version),
      orders.map(({ day }) => day),
      reading,
    ],
  );
  return new Map(rows.map((row) => [row.id, row.isNew]));
}

export function readLines(
  tx: Queryable,
  { organizationId, connectorId }: ConnectorTenant,
  orderIds: readonly string[],
): Promise<KnownLine[]> {
  return tx.query<KnownLine>(
    `SELECT external_id AS "order", unique_id AS "uniqueId", day, quantity FROM connector_order_lines
     WHERE organization_id = $1 AND connector_id = $2 AND external_id = ANY ($3::text[]) ORDER BY external_id, position`,
    [organizationId, connectorId, orderIds],
  );
}

/** Replaces the stored lines of the orders. */
export async function replaceLines(
  tx: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
  orders: readonly Omit<StoredOrder, 'version'>[],
): Promise<void> {
  await tx.execute(
    `DELETE FROM connector_order_lines WHERE organization_id = $1 AND connector_id = $2 AND external_id = ANY ($3::text[])`,
    [organizationId, connectorId, orders.map(({ id }) => id)],
  );
  const lines = orders.flatMap(({ id, day, lines: own }) =>
    own.map((line, position) => ({ id, day, position, ...line })),
  );
  await tx.execute(
    `INSERT INTO connector_order_lines
       (organization_id, workspace_id, connector_id, external_id, position, unique_id, day, quantity)
     SELECT $1, $2, $3, given.*
     FROM unnest($4::text[], $5::int[], $6::text[], $7::date[], $8::float8[]) AS given`,
    [
      organizationId,
      workspaceId,
      connectorId,
      lines.map((line) => line.id),
      lines.map((line) => line.position),
      lines.map((line) => line.uniqueId),
      lines.map((line) => line.day),
      lines.map((line) => line.quantity),
    ],
  );
}

/** A month of a series, by its first day. */
export interface SeriesMonth {
  readonly uniqueId: string;
  readonly month: string;
}

/** Demand of a series on one day. `day` and `quantity` are null for a month without lines. */
export interface CountedDay extends SeriesMonth {
  readonly day: string | null;
  readonly quantity: number | null;
}

/**
 * Sums the lines of the workspace's connectors by day, with the demand of removed ones: each account counts through one of the two. Months
 * of products without a series are omitted: the plan allows no more, or a member has deleted it.
 */
export function countDays(
  tx: Queryable,
  { organizationId, workspaceId }: WorkspaceTenant,
  months: readonly SeriesMonth[],
): Promise<CountedDay[]> {
  return tx.query<CountedDay>(
    // as numeric: sums of binary fractions are inexact, .1 + .2 is .30000000000000004
    `SELECT asked.unique_id AS "uniqueId", asked.month, line.day, sum(line.quantity::numeric)::float8 AS quantity
     FROM unnest($3::text[], $4::date[]) AS asked (unique_id, month)
     JOIN series ON series.organization_id = $1 AND series.workspace_id = $2 AND series.unique_id = asked.unique_id
     LEFT JOIN LATERAL (
       SELECT day, quantity FROM connector_order_lines
       WHERE organization_id = $1 AND workspace_id = $2 AND unique_id = asked.unique_id
         AND day >= asked.month AND day < asked.month + interval '1 month'
         AND connector_id NOT IN (
           SELECT id FROM connectors WHERE organization_id = $1 AND workspace_id = $2 AND counts_retired
         )
       UNION ALL
       SELECT day, quantity FROM connector_retired_demand
       WHERE organization_id = $1 AND workspace_id = $2 AND unique_id = asked.unique_id
         AND day >= asked.month AND day < asked.month + interval '1 month'
     ) AS line ON true
     GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    [organizationId, workspaceId, months.map(({ uniqueId }) => uniqueId), months.map(({ month }) => month)],
  );
}

/**
 * The months after one day, up to another, in which the connector has lines of orders that may have been read before the month began:
 * orders that have not changed since. A day later it has begun everywhere, whichever clock the platform uses.
 */
export function listDatedAhead(
  tx: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
  after: string,
  upTo: string,
): Promise<SeriesMonth[]> {
  return tx.query<SeriesMonth>(
    `SELECT DISTINCT line.unique_id AS "uniqueId", date_trunc('month', line.day)::date AS month
     FROM connector_order_lines AS line
     JOIN connector_orders AS placed
       ON placed.organization_id = $1 AND placed.connector_id = $3 AND placed.external_id = line.external_id
     WHERE line.organization_id = $1 AND line.workspace_id = $2 AND line.connector_id = $3
       AND line.day > $4::date AND line.day <= $5::date
       AND placed.version < (date_trunc('month', line.day) + interval '1 day') AT TIME ZONE 'UTC'
     ORDER BY 1, 2`,
    [organizationId, workspaceId, connectorId, after, upTo],
  );
}
