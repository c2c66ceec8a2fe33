export type EdmType =
  | 'Edm.Guid'
  | 'Edm.String'
  | 'Edm.Boolean'
  | 'Edm.Int32'
  | 'Edm.Double'
  | 'Edm.Date'
  | 'Edm.DateTimeOffset';

export interface Property {
  readonly name: string;
  readonly type: EdmType;
  readonly nullable: boolean;
  /**
   * For values that are packed into one stored row: columns of the source with the smallest and the largest value that the row can contain.
   * Comparisons are applied to these too, so that rows are skipped without being unpacked.
   */
  readonly within?: readonly [least: string, greatest: string];
  /** Whether the rows that are packed into one stored row differ in it, so that the packed row does not have it. */
  readonly unpacked?: boolean;
  /**
   * For a string that is stored as another type: the column with the stored value. It is converted to text only for the rows of the page,
   * not for all rows that are sorted.
   */
  readonly stored?: string;
  /** Maximum length of a string in characters, if it exceeds that of a name (sql/typed-sql.ts). */
  readonly longest?: number;
}

/** A navigation to a single entity. */
export interface Navigation {
  readonly name: string;
  /** Target entity set; its key is the single property `id`. */
  readonly target: string;
  /** The property that contains the target's id. */
  readonly by: string;
  /** Whether the target may no longer exist. */
  readonly nullable: boolean;
  /** Properties of the target for which this source has a column of the same name, so that they need no join. */
  readonly carries?: readonly string[];
}

/** A set of the feed: its metadata, and the source of its rows. */
export interface EntitySet {
  readonly name: string;
  readonly entityType: string;
  readonly key: readonly [string, ...string[]];
  readonly properties: readonly Property[];
  readonly navigations: readonly Navigation[];
  /**
   * A SELECT with a column for each property, under its name, of the caller's rows only: $1 is the organization, $2 its only workspace or
   * null. It may read `reading` (reading.queries.ts).
   */
  readonly source: string;
  /**
   * For sets whose rows are packed: the same SELECT of packed rows, without the properties that are unpacked, and with the number of rows
   * in each (`size`), to count rows without unpacking them.
   */
  readonly packed?: string;
  /** Whether the service computes missing rows before the source is read. */
  readonly computed?: boolean;
}

type Options = Pick<Property, 'within' | 'unpacked' | 'stored' | 'longest'>;

const property =
  (type: EdmType, nullable: boolean) =>
  (name: string, options: Options = {}): Property => ({ name, type, nullable, ...options });

/** Properties by type; those under `optional` are nullable. */
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

/** What tells users which series a row belongs to, so that reading it needs no join. */
export const SERIES_PROPERTIES: readonly Property[] = [
  required.string('unique_id'),
  optional.string('product_name', { longest: 500 }),
  optional.string('category'),
  optional.string('unit'),
];

/**
 * The columns of {@link SERIES_PROPERTIES}, from `series s`.
 * @param uniqueId a column of another table with the same value: its indexes may have the order that is requested, and need no series
 */
export const seriesColumns = (uniqueId = 's.unique_id'): string =>
  `${uniqueId}, s.product_name COLLATE "C" AS product_name, s.category COLLATE "C" AS category, s.unit COLLATE "C" AS unit`;

/** Metrics of a backtest. */
export const ACCURACY = ['wape', 'mase', 'rmsse', 'bias', 'mean_weighted_quantile_loss', 'coverage', 'skill'] as const;
