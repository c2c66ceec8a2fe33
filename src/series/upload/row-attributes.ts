import { faultOfTarget, type StockTargetFields } from '../stock-target-fields.js';
import { columnOfDate } from './demand-day.js';

/** Additional columns of a row that describe the series, by name. */
export type Metadata = Record<string, unknown>;

/** What rows say about their series besides demand; absent if they say nothing. */
export interface SeriesAttributes {
  productName?: string;
  category?: string;
  unit?: string;
  /** The unique_id of the series that replaces it. */
  replacedBy?: string;
  leadTimeMonths?: number;
  leadTimeSdMonths?: number;
  targetServiceLevel?: number;
  metadata?: Metadata;
}

/** Maximum length of unique_id, in characters. */
export const MAX_UNIQUE_ID_LENGTH = 255;
/** Maximum number of additional columns in an upload, and in a series over all its uploads. */
export const MAX_METADATA_COLUMNS = 50;
const MAX_NAME_LENGTH = 100;
/** Maximum length of an additional value, in characters; values other than text count as JSON. */
export const MAX_METADATA_VALUE_LENGTH = 2_000;
const MAX_TEXT_LENGTH = { product_name: 500, category: 255, unit: 50, replaced_by: MAX_UNIQUE_ID_LENGTH } as const;

type TextColumn = keyof typeof MAX_TEXT_LENGTH;
const TEXT_COLUMNS: Readonly<Record<TextColumn, 'productName' | 'category' | 'unit' | 'replacedBy'>> = {
  product_name: 'productName',
  category: 'category',
  unit: 'unit',
  replaced_by: 'replacedBy',
};
type TargetColumn = keyof StockTargetFields;
const TARGET_COLUMNS: Readonly<Record<TargetColumn, 'leadTimeMonths' | 'leadTimeSdMonths' | 'targetServiceLevel'>> = {
  lead_time_months: 'leadTimeMonths',
  lead_time_sd_months: 'leadTimeSdMonths',
  target_service_level: 'targetServiceLevel',
};
/** The service's own descriptive columns. */
export const OWN_COLUMNS = Object.keys({ ...TEXT_COLUMNS, ...TARGET_COLUMNS });

export interface AttributeFault {
  readonly field: string;
  readonly reason: string;
}

/** What is wrong with the name of an additional column; undefined if it is valid. */
export function faultOfColumnName(name: string): string | undefined {
  if (name === '') return 'has a column without a name';
  if (name.length > MAX_NAME_LENGTH) return `has a column name longer than ${MAX_NAME_LENGTH} characters`;
  return undefined;
}

/** The fault of an additional column beyond the maximum. */
export function faultOfSurplus(name: string): AttributeFault {
  return { field: name, reason: `exceeds the ${MAX_METADATA_COLUMNS} metadata columns that a series can have` };
}

/**
 * What the additional values of a row say about its series. Empty text and null say nothing; blanks around a descriptive text are ignored.
 * @param pairs column or member names with their values
 */
export function readAttributes(pairs: Iterable<readonly [string, unknown]>): SeriesAttributes | AttributeFault {
  const attributes: SeriesAttributes = {};
  const metadata: [string, unknown][] = [];
  for (const [name, given] of pairs) {
    const value = typeof given === 'string' && isOwnColumn(name) ? given.trim() : given;
    if (value === '' || value === null || value === undefined) continue;
    const reason = faultOfAttribute(name, value);
    if (reason !== undefined) return { field: name.slice(0, MAX_NAME_LENGTH), reason };
    if (isTextColumn(name)) attributes[TEXT_COLUMNS[name]] = value as string;
    else if (isTargetColumn(name)) attributes[TARGET_COLUMNS[name]] = value as number;
    else metadata.push([name, value]);
  }
  const surplus = metadata[MAX_METADATA_COLUMNS];
  if (surplus !== undefined) return faultOfSurplus(surplus[0]);
  if (metadata.length > 0) attributes.metadata = Object.fromEntries(metadata);
  return attributes;
}

/** What is wrong with a text: too long, or with characters that PostgreSQL rejects; undefined if it is valid. */
export function faultOfText(text: string, longest: number): string | undefined {
  if (text.length > longest) return tooLong(longest);
  if (text.includes('\0') || !text.isWellFormed()) return 'contains a character that is not text';
  return undefined;
}

/** Whether it is one of the service's own descriptive columns: product_name, category, unit, replaced_by, and those of the stock target. */
export function isOwnColumn(name: string): boolean {
  return isTextColumn(name) || isTargetColumn(name);
}

/**
 * Whether columns without `ds` and `y` describe series. One of them is the service's own and none is named after a date: otherwise they are
 * demand with other names, or with a column per month, which must not become metadata.
 */
export function areDescriptive(names: readonly string[]): boolean {
  return names.some(isOwnColumn) && columnOfDate(names) === undefined;
}

function isTextColumn(name: string): name is TextColumn {
  return Object.hasOwn(MAX_TEXT_LENGTH, name);
}

/** Whether it is one of the columns of the stock target, which are numbers. */
export function isTargetColumn(name: string): name is TargetColumn {
  return Object.hasOwn(TARGET_COLUMNS, name);
}

function faultOfAttribute(name: string, value: unknown): string | undefined {
  if (isTargetColumn(name)) return faultOfTarget(name, value);
  if (!isTextColumn(name)) return faultOfColumnName(name) ?? faultOfMetadata(name, value);
  return typeof value === 'string' ? faultOfText(value, MAX_TEXT_LENGTH[name]) : 'must be a string';
}

function faultOfMetadata(name: string, value: unknown): string | undefined {
  const text = typeof value === 'string' ? value : written(value);
  if (text === undefined) return tooLong(MAX_METADATA_VALUE_LENGTH);
  // the database decodes escapes inside nested values, so the serialized form is checked too
  return (
    faultOfText(name, MAX_NAME_LENGTH) ??
    faultOfText(text, MAX_METADATA_VALUE_LENGTH) ??
    (/\\u(0000|d[89a-f])/i.test(text) && typeof value !== 'string'
      ? 'contains a character that is not text'
      : undefined)
  );
}

/** The value as JSON; undefined if it is nested too deeply to serialize, which makes it too long anyway. */
function written(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if ((error as Error).name !== 'RangeError') throw error;
    return undefined;
  }
}

const tooLong = (longest: number): string => `is longer than ${longest} characters`;
