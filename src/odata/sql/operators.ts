import type { ArithmeticOperator, ComparisonOperator } from '../language/ast.js';
import { optionFault, QUOTES_MISSING } from '../language/option-fault.js';
import { asNumeric, isNumeric, SQL_TYPES, type TypedSql, type ValueType } from './typed-sql.js';

/** The location of an expression, for errors. */
export interface Place {
  /** The query option that contains the expression. */
  readonly option: string;
  /** Offset of the operator's or function's first character. */
  readonly at: number;
}

const COMPARISONS: Readonly<Record<ComparisonOperator, string>> = {
  eq: '=',
  ne: '<>',
  gt: '>',
  ge: '>=',
  lt: '<',
  le: '<=',
};
const ARITHMETIC: Readonly<Record<Exclude<ArithmeticOperator, 'div' | 'mod'>, string>> = {
  add: '+',
  sub: '-',
  mul: '*',
};
/** Comparisons are true or false, never null (OData URL Conventions 4.0, 5.1.1.1): null equals null and nothing else. */
export function compare(place: Place, operator: ComparisonOperator, left: TypedSql, right: TypedSql): string {
  const [a, b] = comparable(place, left, right);
  if (a.type === 'null') return compareWithNull(operator, b);
  if (b.type === 'null') return compareWithNull(operator, a);
  if (operator === 'ne' && (a.nullable || b.nullable)) return `(${a.sql} IS DISTINCT FROM ${b.sql})`;
  if (operator === 'eq' && a.nullable && b.nullable) return `(${a.sql} IS NOT DISTINCT FROM ${b.sql})`;
  const comparison = `(${a.sql} ${COMPARISONS[operator]} ${b.sql})`;
  if (a.nullable || b.nullable) return `(${comparison} IS TRUE)`;
  return a.within && b.constant === true ? `(${comparison}${rowBounds(operator, a.within, b.sql)})` : comparison;
}

function compareWithNull(operator: ComparisonOperator, { sql, type }: TypedSql): string {
  if (operator === 'eq') return `(${sql} IS NULL)`;
  if (operator === 'ne') return `(${sql} IS NOT NULL)`;
  // never true; contains the other side because PostgreSQL rejects parameters that a statement does not use
  return type === 'null' ? 'false' : `(${sql} IS NULL AND false)`;
}

/** The same comparison for the bounds of a packed row: implied by it, but decided before the row is unpacked. */
function rowBounds(
  operator: ComparisonOperator,
  [least, greatest]: readonly [string, string],
  constant: string,
): string {
  switch (operator) {
    case 'eq':
      return ` AND ${least} <= ${constant} AND ${greatest} >= ${constant}`;
    case 'gt':
    case 'ge':
      return ` AND ${greatest} >= ${constant}`;
    case 'lt':
    case 'le':
      return ` AND ${least} <= ${constant}`;
    case 'ne':
      return '';
  }
}

/** Both sides as types that PostgreSQL can compare; compared with an instant, a date is its midnight in UTC. */
function comparable({ option, at }: Place, left: TypedSql, right: TypedSql): [TypedSql, TypedSql] {
  const same = left.type === right.type || (isNumeric(left) && isNumeric(right));
  if (same || left.type === 'null' || right.type === 'null') return [left, right];
  if (left.type === 'date' && right.type === 'instant') return [midnight(left), right];
  if (left.type === 'instant' && right.type === 'date') return [left, midnight(right)];
  throw optionFault(
    option,
    `cannot compare ${article(left.type)} with ${article(right.type)}${quotes(left, right)}`,
    at,
  );
}

/** A hint at the likely mistake: quotes around a literal other than text, or text without them. */
function quotes(left: TypedSql, right: TypedSql): string {
  const [text, other] = left.type === 'string' ? [left, right] : [right, left];
  if (text.type !== 'string') return '';
  if (text.constant === true) return '; write it without quotes';
  return other.constant === true ? QUOTES_MISSING : '';
}

function midnight({ sql, nullable }: TypedSql): TypedSql {
  return { sql: `((${sql})::timestamp AT TIME ZONE 'UTC')`, type: 'instant', nullable };
}

/** Arithmetic as in PostgreSQL: integers remain integers. Division by zero yields null. */
export function calculate(place: Place, operator: ArithmeticOperator, left: TypedSql, right: TypedSql): TypedSql {
  const sides = [left, right].map((side) => ofType(place, side, ['integer', 'double']));
  const type = sides.every((side) => side.type === 'integer') ? 'integer' : 'double';
  const [a, b] = sides.map(({ sql }) => `(${sql})::${SQL_TYPES[type]}`) as [string, string];
  const divides = operator === 'div' || operator === 'mod';
  const sql =
    operator === 'div'
      ? `(${a} / nullif(${b}, 0))`
      : operator === 'mod'
        ? `mod(${asNumeric(a)}, ${asNumeric(`nullif(${b}, 0)`)})::${SQL_TYPES[type]}`
        : `(${a} ${ARITHMETIC[operator]} ${b})`;
  return { sql, type, nullable: divides || sides.some(({ nullable }) => nullable) };
}

/**
 * The value, if it has one of the types; the constant null has them all.
 * @throws {Problem} 400 naming the option and the character
 */
export function ofType({ option, at }: Place, value: TypedSql, types: readonly ValueType[]): TypedSql {
  const [first] = types;
  if (types.includes(value.type)) return value;
  if (value.type === 'null' && first !== undefined && first !== 'null') {
    return { sql: `NULL::${SQL_TYPES[first]}`, type: first, nullable: true };
  }
  throw optionFault(option, `expected ${types.map(article).join(' or ')}, not ${article(value.type)}`, at);
}

const article = (type: ValueType): string => {
  if (type === 'null') return 'null';
  if (type === 'double') return 'a number';
  return type === 'integer' || type === 'instant' ? `an ${type}` : `a ${type}`;
};
