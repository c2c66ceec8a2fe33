import { asNumeric, type ValueType } from './typed-sql.js';

/** The types an argument may have; several if the function accepts any of them. */
type Argument = readonly ValueType[];

export interface CanonicalFunction {
  readonly arguments: readonly Argument[];
  /** How many of the last arguments are optional. */
  readonly omittable?: number;
  /** Type of the result; if undefined, that of the first argument. */
  readonly result?: ValueType;
  /** Whether a text result can be as long as all arguments together; otherwise it is at most as long as the first. */
  readonly joins?: boolean;
  readonly sql: (...values: readonly string[]) => string;
}

const STRING: Argument = ['string'];
const INTEGER: Argument = ['integer'];
const NUMBER: Argument = ['integer', 'double'];
const DAY: Argument = ['date', 'instant'];
const INSTANT: Argument = ['instant'];

/** Conversion to upper and lower case follows the database's locale, comparisons the code point order, as everywhere. */
const inCase = (name: string) => (value: string | undefined) => `${name}(${value} COLLATE "default") COLLATE "C"`;

/** A part of a time in UTC. */
const part = (name: string, argument: Argument): CanonicalFunction => ({
  arguments: [argument],
  result: 'integer',
  sql: (value) => `floor(extract(${name} FROM ${value}))::int8`,
});

const rounding = (sql: (value: string | undefined) => string): CanonicalFunction => ({
  arguments: [NUMBER],
  sql,
  result: 'double',
});

/** An integer, clamped to 0 if negative, null if null (`greatest` would ignore null). */
const notNegative = (value: string | undefined): string => `int8larger(${value}, 0)`;

/** The canonical functions supported by the feed (OData URL Conventions 4.0, 5.1.1.4 and following), by name. */
export const FUNCTIONS: Readonly<Record<string, CanonicalFunction>> = {
  contains: { arguments: [STRING, STRING], result: 'boolean', sql: (text, part) => `strpos(${text}, ${part}) > 0` },
  startswith: { arguments: [STRING, STRING], result: 'boolean', sql: (text, part) => `starts_with(${text}, ${part})` },
  endswith: {
    arguments: [STRING, STRING],
    result: 'boolean',
    sql: (text, part) => `right(${text}, length(${part})) = ${part}`,
  },
  tolower: { arguments: [STRING], result: 'string', sql: inCase('lower') },
  toupper: { arguments: [STRING], result: 'string', sql: inCase('upper') },
  length: { arguments: [STRING], result: 'integer', sql: (text) => `length(${text})::int8` },
  indexof: {
    arguments: [STRING, STRING],
    result: 'integer',
    sql: (text, part) => `(strpos(${text}, ${part}) - 1)::int8`,
  },
  substring: {
    arguments: [STRING, INTEGER, INTEGER],
    omittable: 1,
    result: 'string',
    sql: (text, start, length) => {
      const from = `(${notNegative(start)} + 1)::int4`;
      return length === undefined
        ? `substr(${text}, ${from})`
        : `substr(${text}, ${from}, ${notNegative(length)}::int4)`;
    },
  },
  trim: { arguments: [STRING], result: 'string', sql: (text) => String.raw`btrim(${text}, E' \t\n\r\f\v')` },
  concat: { arguments: [STRING, STRING], result: 'string', joins: true, sql: (left, right) => `(${left} || ${right})` },
  year: part('year', DAY),
  month: part('month', DAY),
  day: part('day', DAY),
  hour: part('hour', INSTANT),
  minute: part('minute', INSTANT),
  second: part('second', INSTANT),
  date: { arguments: [INSTANT], result: 'date', sql: (value) => `(${value})::date` },
  // numeric rounds halves away from zero, as OData does; float8 to even
  round: rounding((value) => `round(${asNumeric(value)})::float8`),
  floor: rounding((value) => `floor((${value})::float8)`),
  ceiling: rounding((value) => `ceil((${value})::float8)`),
};
