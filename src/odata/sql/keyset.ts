import type { OrderTerm } from './order-terms.js';
import type { SqlParameters } from './sql-parameters.js';
import { SQL_TYPES } from './typed-sql.js';

/** The order terms of a row as text, as carried by a token. */
export type Position = readonly (string | null)[];

export function orderClause(terms: readonly OrderTerm[]): string {
  if (terms.length === 0) return '';
  const list = terms.map(({ value, descending }) => {
    const nulls = value.nullable ? ` NULLS ${descending ? 'LAST' : 'FIRST'}` : '';
    return `${value.sql} ${descending ? 'DESC' : 'ASC'}${nulls}`;
  });
  return `ORDER BY ${list.join(', ')}`;
}

/** The condition that holds exactly for the rows after a position. */
export function afterPosition(terms: readonly OrderTerm[], position: Position, parameters: SqlParameters): string {
  const values = terms.map(({ value }, index) => {
    const text = position[index];
    return text === null || text === undefined || value.type === 'null'
      ? undefined
      : parameters.bind(text, SQL_TYPES[value.type]);
  });
  if (terms.every(({ value, descending }) => !descending && !value.nullable)) return rowsAfter(terms, values);
  const alternatives = terms.map((term, index) => {
    const before = terms.slice(0, index).map((equal, at) => equals(equal, values[at]));
    return `(${[...before, beyond(term, values[index])].join(' AND ')})`;
  });
  return `(${alternatives.join(' OR ')})`;
}

/**
 * The values before the last are compared on their own: if the last one is computed, an index contains only those before it. The position
 * comes from a SELECT, to hide its values from the planner, which would expect almost no rows after the newest run, sort all of the run's
 * rows for each page, and count the same comparison twice.
 */
function rowsAfter(terms: readonly OrderTerm[], values: readonly (string | undefined)[]): string {
  const left = terms.map(({ value }) => value.sql);
  const right = values.map((value) => `(SELECT ${value})`);
  const last = `${left.at(-1)} > ${right.at(-1)}`;
  if (terms.length === 1) return last;
  const differs = left.slice(0, -1).map((sql, index) => `${sql} <> ${right[index]}`);
  const before = `(${left.slice(0, -1).join(', ')}) >= (${right.slice(0, -1).join(', ')})`;
  return `${before} AND (${[...differs, last].join(' OR ')})`;
}

function equals({ value }: OrderTerm, bound: string | undefined): string {
  return bound === undefined ? `${value.sql} IS NULL` : `${value.sql} = ${bound}`;
}

function beyond({ value, descending }: OrderTerm, bound: string | undefined): string {
  if (bound === undefined) return descending ? 'false' : `${value.sql} IS NOT NULL`;
  if (!descending) return `${value.sql} > ${bound}`;
  return value.nullable ? `(${value.sql} < ${bound} OR ${value.sql} IS NULL)` : `${value.sql} < ${bound}`;
}
