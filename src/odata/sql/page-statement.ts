import { MAX_PAGE_BYTES } from '../../platform/database/page-room.js';
import { AS_OF, WITH_READING } from '../model/reading.queries.js';
import { whereClause } from './apply-transformations.js';
import { afterPosition, orderClause, type Position } from './keyset.js';
import type { OrderTerm } from './order-terms.js';
import { EntityScope, type RowScope } from './row-scope.js';
import type { Shape } from './shape.js';
import type { SqlParameters } from './sql-parameters.js';
import type { TypedSql } from './typed-sql.js';

export interface PageRequest {
  readonly scope: RowScope;
  readonly conditions: readonly string[];
  readonly shape: Shape;
  /** A total order. */
  readonly order: readonly OrderTerm[];
  readonly after?: Position;
  readonly skip: number;
  /** Rows of the page. */
  readonly limit: number;
}

/**
 * The rows of a page, each with its JSON as text (`row`) and its `position`, plus one if another page follows. Both columns are null for
 * rows that do not fit on the page. `as_of`, as of when they are read, is the same for all. The database produces the JSON, so that the
 * event loop neither parses nor serializes it.
 */
export function pageStatement(request: PageRequest, parameters: SqlParameters): string {
  const { scope, order, shape, limit } = request;
  const columns = new Columns();
  const json = objectSql(shape, columns);
  const keys = order.map(({ value }) => `(${columns.add(value.sql)})::text`);
  const conditions = request.after
    ? [...request.conditions, afterPosition(order, request.after, parameters)]
    : request.conditions;
  const position = keys.length === 0 ? 'NULL' : `json_build_array(${keys.join(', ')})::text`;
  const most = parameters.bind(MAX_PAGE_BYTES, 'int8');
  // OFFSET 0 keeps the planner from serializing each row twice, once to measure and once to return it
  return `${WITH_READING}
SELECT CASE WHEN bytes <= ${most} THEN row END AS row, CASE WHEN bytes <= ${most} THEN position END AS position,
       ${AS_OF}::text AS as_of
FROM (
  SELECT row, position,
         sum(octet_length(row) + coalesce(octet_length(position), 0)) OVER (ROWS UNBOUNDED PRECEDING) AS bytes
  FROM (
    SELECT row_to_json(object)::text AS row, ${position} AS position
    FROM (
      SELECT ${columns.list()}
      FROM ${scope.from()}
      ${whereClause(conditions)}
      ${orderClause(order)}
      LIMIT ${parameters.bind(limit + 1, 'int8')} OFFSET ${parameters.bind(request.skip, 'int8')}
    ) AS page
    CROSS JOIN LATERAL (${json}) AS object
    OFFSET 0
  ) AS written
) AS measured`;
}

/** The number of rows. */
export function countStatement({ scope, conditions }: Pick<PageRequest, 'scope' | 'conditions'>): string {
  const packed = scope instanceof EntityScope ? scope.fromPacked() : undefined;
  const count = packed === undefined ? 'count(*)' : 'coalesce(sum(t0.size), 0)';
  return `${WITH_READING} SELECT ${count}::int AS count FROM ${packed ?? scope.from()} ${whereClause(conditions)}`;
}

/** The columns of the subquery, under generated names. */
class Columns {
  private readonly names = new Map<string, string>();

  /** @returns the name of the expression in the outer query */
  add(sql: string): string {
    const name = this.names.get(sql) ?? `c${this.names.size}`;
    this.names.set(sql, name);
    return `page.${name}`;
  }

  list(): string {
    return [...this.names].map(([sql, name]) => `${sql} AS ${name}`).join(', ');
  }
}

function objectSql(shape: Shape, columns: Columns): string {
  const members = shape.map((member) => {
    const sql =
      'value' in member ? valueSql(member.value, columns) : nestedSql(member.members, member.presence, columns);
    return `${sql} AS "${member.name}"`;
  });
  return `SELECT ${members.join(', ')}`;
}

function nestedSql(members: Shape, presence: string | undefined, columns: Columns): string {
  const object = `(SELECT row_to_json(member) FROM (${objectSql(members, columns)}) AS member)`;
  return presence === undefined ? object : `CASE WHEN ${columns.add(presence)} IS NOT NULL THEN ${object} END`;
}

/** Instants as RFC 3339 in UTC; PostgreSQL formats everything else as OData requires. */
function valueSql({ sql, type, stored }: TypedSql, columns: Columns): string {
  if (stored !== undefined) return `${columns.add(stored)}::text`;
  const column = columns.add(sql);
  return type === 'instant' ? `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : column;
}
