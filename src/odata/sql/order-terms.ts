import type { Expression, OrderItem } from '../language/ast.js';
import { optionFault } from '../language/option-fault.js';
import { compile, type CompileContext } from './compile-expression.js';
import { longestOf, type TypedSql } from './typed-sql.js';

/** A sort key. Nulls come first when ascending, last when descending. */
export interface OrderTerm {
  readonly value: TypedSql;
  readonly descending: boolean;
}

/**
 * Maximum total length of the texts in an order, in characters. The URL of the next page carries them in Base64, where 2,000 characters of
 * three bytes become about 8,000: half of what the head of a request may contain. Characters that take more (control characters, six as
 * JSON escapes) shrink when compressed; if that is still too much, http/next-link.ts rejects the query.
 */
export const MAX_ORDER_LENGTH = 2_000;

/**
 * The terms of $orderby, each once: a repeated one has no effect.
 * @throws {Problem} 400 naming the term whose text does not fit in the URL of the next page
 */
export function compileOrder(context: CompileContext, items: readonly OrderItem[]): OrderTerm[] {
  const terms = new Map<string, OrderTerm>();
  for (const { expression, descending } of items) {
    const value = compile(context, expression);
    if (!terms.has(value.sql)) terms.set(value.sql, { value, descending });
    if (charactersOf([...terms.values()]) > MAX_ORDER_LENGTH) throw tooLong(context.option, expression, value);
  }
  return [...terms.values()];
}

/** The requested order, made total by the key of the rows, or by a digest of the key if it is too long to carry. */
export function totalOrder(asked: readonly OrderTerm[], key: readonly TypedSql[]): OrderTerm[] {
  const terms = asked.filter(({ value }) => value.type !== 'null');
  const known = new Set(terms.map(({ value }) => value.sql));
  const rest = key.filter(({ sql }) => !known.has(sql)).map((value) => ({ value, descending: false }));
  const whole = [...terms, ...rest];
  return charactersOf(whole) > MAX_ORDER_LENGTH ? [...terms, { value: digest(rest), descending: false }] : whole;
}

function charactersOf(terms: readonly OrderTerm[]): number {
  return terms.reduce((sum, { value }) => sum + (value.type === 'string' ? longestOf(value) : 0), 0);
}

function digest(terms: readonly OrderTerm[]): TypedSql {
  const row = `ROW(${terms.map(({ value }) => value.sql).join(', ')})::text`;
  const sql = `encode(sha256(convert_to(${row}, 'UTF8')), 'hex') COLLATE "C"`;
  return { sql: `(${sql})`, type: 'string', nullable: false, longest: 64 };
}

function tooLong(option: string, expression: Expression, value: TypedSql): Error {
  const name = expression.kind === 'path' ? expression.segments.join('/') : 'this string';
  const [longest, most] = [longestOf(value), MAX_ORDER_LENGTH].map((count) => count.toLocaleString('en'));
  return optionFault(
    option,
    `${name} can have ${longest} characters; the strings that rows are sorted by can have at most ${most} in total`,
    expression.at,
  );
}
