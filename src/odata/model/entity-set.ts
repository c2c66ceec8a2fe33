export type EdmType =
  'Edm.Guid' | 'Edm.String' | 'Edm.Boolean' | 'Edm.Int32' | 'Edm.Double' | 'Edm.Date' | 'Edm.DateTimeOffset';

export interface Property {
  readonly name: string;
  readonly type: EdmType;
  readonly nullable: boolean;
  /**
   * Of a value that storage packs many of into one row: columns of the source with the least and the greatest that the row
   * can hold. Comparisons are asked of those too, so that rows are passed over without being unpacked.
   */
  readonly within?: readonly [least: string, greatest: string];
  /**
   * Of a string that storage keeps in another type: the column of the source with what is stored. Its text is what replies
   * show, and is made for the rows of the page alone, not for all that are sorted to find them.
   */
  readonly stored?: string;
  /** Most characters of a string, where they are more than those of a name (sql/typed-sql.ts). */
  readonly longest?: number;
}

/** The way to the one entity that a property names. */
export interface Navigation {
  readonly name: string;
  /** Entity set it leads to; its key is the one property `id`. */
  readonly target: string;
  /** The property that holds the id. */
  readonly by: string;
  /** Whether the other entity may be gone. */
  readonly nullable: boolean;
  /** Properties of the other entity that this source has a column of the same name for, so that no join is needed to ask for them. */
  readonly carries?: readonly string[];
}

/** A set of the feed: what the metadata tells of it, and where its rows come from. */
export interface EntitySet {
  readonly name: string;
  readonly entityType: string;
  readonly key: readonly [string, ...string[]];
  readonly properties: readonly Property[];
  readonly navigations: readonly Navigation[];
  /**
   * A SELECT with a column for each property, under its name, of the caller's rows only: $1 is the organization, $2 its
   * one workspace or null.
   */
  readonly source: string;
  /** Of a set that storage packs many rows of into one: a SELECT of the `count` of the source's rows that unpacks none. */
  readonly size?: string;
  /** Whether the service computes rows that are missing, before the source is asked. */
  readonly computed?: boolean;
}

type Options = Pick<Property, 'within' | 'stored' | 'longest'>;

const property =
  (type: EdmType, nullable: boolean) =>
  (name: string, options: Options = {}): Property => ({ name, type, nullable, ...options });

/** Properties by type; those under `optional` may be null. */
export const required = {
  guid: property('Edm.Guid', false),
  string: property('Edm.String', false),
  boolean: property('Edm.Boolean', false),
  int32: property('Edm.Int32', false),
  double: property('Edm.Double', false),
  date: property('Edm.Date', false),
  instant: property('Edm.DateTimeOffset', false),
};
export const optional = {
  string: property('Edm.String', true),
  int32: property('Edm.Int32', true),
  double: property('Edm.Double', true),
  date: property('Edm.Date', true),
  instant: property('Edm.DateTimeOffset', true),
};

export const TO_WORKSPACE: Navigation = {
  name: 'workspace',
  target: 'Workspaces',
  by: 'workspace_id',
  nullable: false,
};
export const TO_SERIES: Navigation = { name: 'series', target: 'Series', by: 'series_id', nullable: false };
export const TO_RUN: Navigation = { name: 'run', target: 'Runs', by: 'run_id', nullable: false };

/** What tells people which series a row is about, so that no join is needed to read it. */
export const SERIES_PROPERTIES: readonly Property[] = [
  required.string('unique_id'),
  optional.string('product_name', { longest: 500 }),
  optional.string('category'),
  optional.string('unit'),
];
