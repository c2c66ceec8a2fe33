import type { OrderTerm } from './order-terms.js';
import type { SqlParameters } from './sql-parameters.js';
import { SQL_TYPES } from './typed-sql.js';

/** The order terms of a row as text, as a token carries them. */
export type Position = readonly (string | null)[];

export function orderClause(terms: readonly OrderTerm[]): string {
  if (terms.length === 0) return '';
  const list = terms.map(({ value, descending }) => {
    const nulls = value.nullable ? ` NULLS ${descending ? 'LAST' : 'FIRST'}` : '';
    return `${value.sql} ${descending ? 'DESC' : 'ASC'}${nulls}`;
  });
  return `ORDER BY ${list.join(', ')}`;
}

/** The condition that holds for the rows after a position, and for no others. */
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

/** The comparison stands there without its last value too: where that one is computed, an index has only those before it. */
function rowsAfter(terms: readonly OrderTerm[], values: readonly (string | undefined)[]): string {
  const left = terms.map(({ value }) => value.sql);
  const row = (count: number, operator: string): string =>
    `(${left.slice(0, count).join(', ')}) ${operator} (${values.slice(0, count).join(', ')})`;
  const whole = row(terms.length, '>');
  return terms.length === 1 ? whole : `${whole} AND ${row(terms.length - 1, '>=')}`;
}

function equals({ value }: OrderTerm, bound: string | undefined): string {
  return bound === undefined ? `${value.sql} IS NULL` : `${value.sql} = ${bound}`;
}

function beyond({ value, descending }: OrderTerm, bound: string | undefined): string {
  if (bound === undefined) return descending ? 'false' : `${value.sql} IS NOT NULL`;
  if (!descending) return `${value.sql} > ${bound}`;
  return value.nullable ? `(${value.sql} < ${bound} OR ${value.sql} IS NULL)` : `${value.sql} < ${bound}`;
}
