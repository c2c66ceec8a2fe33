import { counted } from '../../platform/counted.js';
import { parseInstant } from '../../platform/http/rules/instant.js';
import type { Expression, Literal } from '../language/ast.js';
import { optionFault } from '../language/option-fault.js';
import { type CanonicalFunction, FUNCTIONS } from './functions.js';
import { calculate, compare, ofType } from './operators.js';
import type { RowScope } from './row-scope.js';
import type { SqlParameters } from './sql-parameters.js';
import { longestOf, SQL_TYPES, type TypedSql, type ValueType } from './typed-sql.js';

/**
 * Maximum length of a text that a query concatenates, in characters: repeated concatenation in one step after another doubles it each time.
 */
const MAX_TEXT_LENGTH = 250_000;
const MAX_INT64 = 2n ** 63n - 1n;

export interface CompileContext {
  /** The query option that contains the expression. */
  readonly option: string;
  readonly scope: RowScope;
  readonly parameters: SqlParameters;
  readonly now: Date;
}

/**
 * An expression as SQL over the scope's rows, its constants as parameters.
 * @throws {Problem} 400 naming the option and the character, for unknown names and incompatible types
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

/** @throws {Problem} 400 also if the expression is not a condition */
export function compileCondition(context: CompileContext, expression: Expression): string {
  return ofType({ option: context.option, at: expression.at }, compile(context, expression), ['boolean']).sql;
}

function compileLiteral({ option, parameters }: CompileContext, literal: Literal): TypedSql {
  const { type, text } = literal;
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
      const fits = value <= MAX_INT64 && value >= -MAX_INT64;
      return fits ? constant(text, 'integer') : constant(Number(text), 'double');
    }
    case 'double':
      return constant(text === 'INF' ? Infinity : text === '-INF' ? -Infinity : Number(text), 'double');
    case 'date':
      instantOf(option, literal, 'date');
      return constant(text, type);
    case 'instant':
      return constant(instantOf(option, literal, 'date and time').toISOString(), type);
    case 'string':
      return { ...constant(text, type), longest: text.length };
    case 'boolean':
    case 'guid':
      return constant(text, type);
  }
}

/** @throws {Problem} 400 if it is not in the calendar */
function instantOf(option: string, { text, at }: Literal, what: string): Date {
  const instant = text.startsWith('0000') ? undefined : parseInstant(text.toUpperCase());
  if (!instant) throw optionFault(option, `the ${what} does not exist`, at);
  return instant;
}

function compileUnary(context: CompileContext, expression: Extract<Expression, { kind: 'unary' }>): TypedSql {
  const operand = compile(context, expression.operand);
  const types: ValueType[] = expression.operator === 'not' ? ['boolean'] : ['integer', 'double'];
  const { sql, type, nullable } = ofType({ option: context.option, at: expression.at }, operand, types);
  return { sql: expression.operator === 'not' ? `(NOT ${sql})` : `(- ${sql})`, type, nullable };
}

function compileBinary(context: CompileContext, expression: Extract<Expression, { kind: 'binary' }>): TypedSql {
  const { operator } = expression;
  const place = { option: context.option, at: expression.at };
  const left = compile(context, expression.left);
  const right = compile(context, expression.right);
  switch (operator) {
    case 'and':
    case 'or': {
      const [a, b] = [ofType(place, left, ['boolean']), ofType(place, right, ['boolean'])];
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
      return { sql: compare(place, operator, left, right), type: 'boolean', nullable: false };
    case 'add':
    case 'sub':
    case 'mul':
    case 'div':
    case 'mod':
      return calculate(place, operator, left, right);
  }
}

function compileIn(context: CompileContext, { left, items, at }: Extract<Expression, { kind: 'in' }>): TypedSql {
  const value = compile(context, left);
  const place = { option: context.option, at };
  const alternatives = items.map((item) => compare(place, 'eq', value, compileLiteral(context, item)));
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
  if (!called) {
    const known = ['now', ...Object.keys(FUNCTIONS)].join(', ');
    throw optionFault(context.option, `unknown function ${name}; the functions are ${known}`, at);
  }
  const most = called.arguments.length;
  if (given.length > most || given.length < most - (called.omittable ?? 0)) {
    throw optionFault(context.option, `${name} expects ${counted(most, 'argument')}`, at);
  }
  const values = given.map((value, index) => ofType({ option: context.option, at }, value, called.arguments[index]!));
  const sql = called.sql(...values.map((value) => (value.type === 'instant' ? inUtc(value.sql) : value.sql)));
  const type = called.result ?? values[0]!.type;
  return {
    sql: `(${sql})`,
    type,
    nullable: values.some(({ nullable }) => nullable),
    longest: type === 'string' ? longestResult(context, called, values, at) : undefined,
  };
}

/** @throws {Problem} 400 if the text could become too long */
function longestResult(
  { option }: CompileContext,
  { joins }: CanonicalFunction,
  values: readonly TypedSql[],
  at: number,
): number {
  if (!joins) return longestOf(values[0]!);
  const longest = values.reduce((sum, value) => sum + longestOf(value), 0);
  if (longest > MAX_TEXT_LENGTH) {
    throw optionFault(option, `the string could have more than ${MAX_TEXT_LENGTH.toLocaleString('en')} characters`, at);
  }
  return longest;
}

/** The UTC wall clock time of an instant, whatever the session's time zone. */
const inUtc = (instant: string): string => `(${instant} AT TIME ZONE 'UTC')`;
