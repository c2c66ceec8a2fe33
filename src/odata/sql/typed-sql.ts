import type { EdmType } from '../model/entity-set.js';

/** Types of expressions. `null` is the type of the constant null only. */
export type ValueType = 'null' | 'boolean' | 'integer' | 'double' | 'string' | 'guid' | 'date' | 'instant';

/** A piece of SQL with what is known about its value. */
export interface TypedSql {
  readonly sql: string;
  readonly type: ValueType;
  readonly nullable: boolean;
  /** Bounds of the packed row that a property comes from (model/entity-set.ts). */
  readonly within?: readonly [least: string, greatest: string] | undefined;
  /** SQL of the stored value of a string that is stored as another type (model/entity-set.ts). */
  readonly stored?: string | undefined;
  /** Maximum length of a string in characters; {@link MAX_PROPERTY_LENGTH} if undefined. */
  readonly longest?: number | undefined;
  /** Whether it is a constant. */
  readonly constant?: boolean;
}

export const VALUE_TYPES: Readonly<Record<EdmType, ValueType>> = {
  'Edm.Guid': 'guid',
  'Edm.String': 'string',
  'Edm.Boolean': 'boolean',
  'Edm.Int32': 'integer',
  'Edm.Double': 'double',
  'Edm.Date': 'date',
  'Edm.DateTimeOffset': 'instant',
};

/** PostgreSQL's name of each type. */
export const SQL_TYPES: Readonly<Record<Exclude<ValueType, 'null'>, string>> = {
  boolean: 'bool',
  integer: 'int8',
  double: 'float8',
  string: 'text',
  guid: 'uuid',
  date: 'date',
  instant: 'timestamptz',
};

/** Maximum length of a string property in characters, unless the model specifies otherwise. */
const MAX_PROPERTY_LENGTH = 255;

export const longestOf = ({ longest = MAX_PROPERTY_LENGTH }: TypedSql): number => longest;

export const isNumeric = ({ type }: TypedSql): boolean => type === 'integer' || type === 'double';

/** A number with all its digits, by way of its text: the cast from float8 keeps 15 of 17 digits, and is slower. */
export const asNumeric = (sql: string | undefined): string => `(${sql})::text::numeric`;
