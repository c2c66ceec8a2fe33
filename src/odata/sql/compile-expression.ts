import { parseInstant } from '../../platform/http/validation.js';
import type { ArithmeticOperator, ComparisonOperator, Expression, Literal } from '../language/ast.js';
import { optionFault } from '../language/option-fault.js';
import { type CanonicalFunction, FUNCTIONS } from './functions.js';
import type { RowScope } from './row-scope.js';
import type { SqlParameters } from './sql-parameters.js';
import { isNumeric, longestOf, SQL_TYPES, type TypedSql, type ValueType } from './typed-sql.js';

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
/** Characters of a text that a query puts together: what is joined again and again in one step after another doubles each time. */
const LONGEST_TEXT = 250_000;
const LARGEST_INTEGER = 2n ** 63n - 1n;

export interface CompileContext {
  /** The query option that holds the expression. */
  readonly option: string;
  readonly scope: RowScope;
  readonly parameters: SqlParameters;
  readonly now: Date;
}

/**
 * An expression as SQL over the scope's rows, its constants as parameters.
 * @throws {Problem} 400 naming the option and the character, for unknown names and types that do not go together
 */
export function compile(context: CompileContext, expression: Expression): TypedSql {
  switch (expression.kind) {
    case 'literal':
      return compileLiteral(context, expression);
    case 'path':
      return context.scope.property(context.option, expression);
    case 'unary':
      return compileUnary(context, expression);
    case 'binary':
      return compileBinary(context, expression);
    case 'in':
      return compileIn(context, expression);
    case 'call':
      return compileCall(context, expression);
  }
}

/** @throws {Problem} 400 also where the expression is no condition */
export function compileCondition(context: CompileContext, expression: Expression): string {
  return ofType(context, compile(context, expression), ['boolean'], expression.at).sql;
}

function compileLiteral({ option, parameters }: CompileContext, { type, text, at }: Literal): TypedSql {
  const constant = (value: unknown, as: Exclude<ValueType, 'null'>): TypedSql => ({
    sql: parameters.bind(value, SQL_TYPES[as]),
    type: as,
    nullable: false,
    constant: true,
  });
  switch (type) {
    case 'null':
      return { sql: 'NULL', type, nullable: true, constant: true };
    case 'integer': {
      const value = BigInt(text);
      const fits = value <= LARGEST_INTEGER && value >= -LARGEST_INTEGER;
      return fits ? constant(text, 'integer') : constant(Number(text), 'double');
    }
    case 'double':
      return constant(text === 'INF' ? Infinity : text === '-INF' ? -Infinity : Number(text), 'double');
    case 'date':
    case 'instant': {
      const instant = text.startsWith('0000') ? undefined : parseInstant(text.toUpperCase());
      if (!instant) throw optionFault(option, `there is no such ${type === 'date' ? 'date' : 'date and time'}`, at);
      return constant(type === 'date' ? text : instant.toISOString(), type);
    }
    case 'string':
      return { ...constant(text, type), longest: text.length };
    case 'boolean':
    case 'guid':
      return constant(text, type);
  }
}

function compileUnary(context: CompileContext, expression: Extract<Expression, { kind: 'unary' }>): TypedSql {
  const operand = compile(context, expression.operand);
  const types: ValueType[] = expression.operator === 'not' ? ['boolean'] : ['integer', 'double'];
  const { sql, type, nullable } = ofType(context, operand, types, expression.at);
  return { sql: expression.operator === 'not' ? `(NOT ${sql})` : `(- ${sql})`, type, nullable };
}

function compileBinary(context: CompileContext, expression: Extract<Expression, { kind: 'binary' }>): TypedSql {
  const { operator, at } = expression;
  const left = compile(context, expression.left);
  const right = compile(context, expression.right);
  switch (operator) {
    case 'and':
    case 'or': {
      const [a, b] = [left, right].map((side) => ofType(context, side, ['boolean'], at)) as [TypedSql, TypedSql];
      return {
        sql: `(${a.sql} ${operator.toUpperCase()} ${b.sql})`,
        type: 'boolean',
        nullable: a.nullable || b.nullable,
      };
    }
    case 'eq':
    case 'ne':
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
      return { sql: compare(context, operator, left, right, at), type: 'boolean', nullable: false };
    case 'add':
    case 'sub':
    case 'mul':
    case 'div':
    case 'mod':
      return calculate(context, operator, left, right, at);
  }
}

/** Comparisons are true or false, never null (OData URL Conventions 4.0, 5.1.1.1): null equals null and nothing else. */
function compare(
  context: CompileContext,
  operator: ComparisonOperator,
  left: TypedSql,
  right: TypedSql,
  at: number,
): string {
  const [a, b] = comparable(context, left, right, at);
  if (a.type === 'null' || b.type === 'null') {
    const [{ sql, type }] = a.type === 'null' ? [b] : [a];
    if (operator === 'eq' || operator === 'ne') return `(${sql} IS ${operator === 'eq' ? '' : 'NOT '}NULL)`;
    // never true; the other side stands there because PostgreSQL refuses parameters that a statement does not use
    return type === 'null' ? 'false' : `(${sql} IS NULL AND false)`;
  }
  if (operator === 'ne' && (a.nullable || b.nullable)) return `(${a.sql} IS DISTINCT FROM ${b.sql})`;
  if (operator === 'eq' && a.nullable && b.nullable) return `(${a.sql} IS NOT DISTINCT FROM ${b.sql})`;
  const comparison = `(${a.sql} ${COMPARISONS[operator]} ${b.sql})`;
  if (a.nullable || b.nullable) return `(${comparison} IS TRUE)`;
  return a.within && b.constant === true ? `(${comparison}${rowBounds(operator, a.within, b.sql)})` : comparison;
}

/** The same asked of the row that a packed value comes from: implied, but answered before the row is unpacked. */
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

/** Both sides in types that PostgreSQL compares; a date beside an instant is its midnight in UTC. */
function comparable(context: CompileContext, left: TypedSql, right: TypedSql, at: number): [TypedSql, TypedSql] {
  const same = left.type === right.type || (isNumeric(left) && isNumeric(right));
  if (same || left.type === 'null' || right.type === 'null') return [left, right];
  if (left.type === 'date' && right.type === 'instant') return [midnight(left), right];
  if (left.type === 'instant' && right.type === 'date') return [left, midnight(right)];
  throw optionFault(context.option, `cannot compare ${article(left.type)} with ${article(right.type)}`, at);
}

function midnight({ sql, nullable }: TypedSql): TypedSql {
  return { sql: `((${sql})::timestamp AT TIME ZONE 'UTC')`, type: 'instant', nullable };
}

function calculate(
  context: CompileContext,
  operator: ArithmeticOperator,
  left: TypedSql,
  right: TypedSql,
  at: number,
): TypedSql {
  const sides = [left, right].map((side) => ofType(context, side, ['integer', 'double'], at));
  const type = sides.every((side) => side.type === 'integer') ? 'integer' : 'double';
  const [a, b] = sides.map(({ sql }) => `(${sql})::${SQL_TYPES[type]}`) as [string, string];
  const divides = operator === 'div' || operator === 'mod';
  const sql =
    operator === 'div'
      ? `(${a} / nullif(${b}, 0))`
      : operator === 'mod'
        ? `mod(${a}::numeric, nullif(${b}, 0)::numeric)::${SQL_TYPES[type]}`
        : `(${a} ${ARITHMETIC[operator]} ${b})`;
  return { sql, type, nullable: divides || sides.some(({ nullable }) => nullable) };
}

function compileIn(context: CompileContext, { left, items, at }: Extract<Expression, { kind: 'in' }>): TypedSql {
  const value = compile(context, left);
  const alternatives = items.map((item) => compare(context, 'eq', value, compileLiteral(context, item), at));
  return { sql: `(${alternatives.join(' OR ')})`, type: 'boolean', nullable: false };
}

function compileCall(context: CompileContext, expression: Extract<Expression, { kind: 'call' }>): TypedSql {
  const { name, at } = expression;
  const given = expression.arguments.map((argument) => compile(context, argument));
  if (name === 'now' && given.length === 0) {
    return {
      sql: context.parameters.bind(context.now, 'timestamptz'),
      type: 'instant',
      nullable: false,
      constant: true,
    };
  }
  const called: CanonicalFunction | undefined = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (!called) throw optionFault(context.option, `there is no function ${name}`, at);
  const most = called.arguments.length;
  if (given.length > most || given.length < most - (called.omittable ?? 0)) {
    throw optionFault(context.option, `${name} takes ${most} argument${most === 1 ? '' : 's'}`, at);
  }
  const values = given.map((value, index) => ofType(context, value, called.arguments[index]!, at));
  const sql = called.sql(...values.map((value) => (value.type === 'instant' ? inUtc(value.sql) : value.sql)));
  const type = called.result ?? values[0]!.type;
  return {
    sql: `(${sql})`,
    type,
    nullable: values.some(({ nullable }) => nullable),
    ...(type === 'string' ? { longest: longestResult(context, called, values, at) } : {}),
  };
}

/** @throws {Problem} 400 where the text could become too long */
function longestResult(
  { option }: CompileContext,
  { joins }: CanonicalFunction,
  values: readonly TypedSql[],
  at: number,
): number {
  if (!joins) return longestOf(values[0]!);
  const longest = values.reduce((sum, value) => sum + longestOf(value), 0);
  if (longest > LONGEST_TEXT) {
    throw optionFault(option, `the text could have more than ${LONGEST_TEXT.toLocaleString('en')} characters`, at);
  }
  return longest;
}

/** The wall clock of an instant in UTC, whatever the session's time zone. */
const inUtc = (instant: string): string => `(${instant} AT TIME ZONE 'UTC')`;

/** The value, where it has one of the types; the constant null has each. */
function ofType(context: CompileContext, value: TypedSql, types: readonly ValueType[], at: number): TypedSql {
  const [first] = types;
  if (types.includes(value.type)) return value;
  if (value.type === 'null' && first !== undefined && first !== 'null') {
    return { sql: `NULL::${SQL_TYPES[first]}`, type: first, nullable: true };
  }
  throw optionFault(context.option, `expected ${types.map(article).join(' or ')}, not ${article(value.type)}`, at);
}

const article = (type: ValueType): string => {
  if (type === 'null') return 'null';
  if (type === 'double') return 'a number';
  return type === 'integer' || type === 'instant' ? `an ${type}` : `a ${type}`;
};
