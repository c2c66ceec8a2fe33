import { UnreadableBody } from '../faults.js';
import {
  areDescriptive,
  faultOfColumnName,
  isOwnColumn,
  MAX_METADATA_COLUMNS,
  OWN_COLUMNS,
} from '../row-attributes.js';
import { excerpt } from '../row-collector.js';
import { flatCopy } from './flat-text.js';

const REQUIRED = ['unique_id', 'ds', 'y'] as const;

const TO_DESCRIBE = `; a file without ds and y describes series if it has one of ${OWN_COLUMNS.join(', ')}, and no column named after a date`;

/** Accepted delimiters: those of shop exports and spreadsheets. */
export const DELIMITERS = [',', ';', '\t'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

export interface Column {
  readonly name: string;
  readonly at: number;
}

/** The positions of the columns of demand. */
export interface DemandColumns {
  readonly ds: number;
  readonly y: number;
}

/** The positions of a CSV file's columns. */
export interface Header {
  readonly width: number;
  readonly uniqueId: number;
  /** Absent from a file that describes series. */
  readonly demand: DemandColumns | undefined;
  /** Columns that describe the series. */
  readonly others: readonly Column[];
  /** Positions of columns without a name, which spreadsheets save if a cell in them was once used. They must be empty. */
  readonly unnamed: readonly number[];
}

/** The delimiter of a file, from its header line: the one that yields most columns, or a comma if none does. */
export function delimiterOf(headerLine: string): Delimiter {
  const unquoted = headerLine.replaceAll(/"[^"]*"/g, '');
  const columns = (delimiter: Delimiter): number => unquoted.split(delimiter).length;
  return DELIMITERS.reduce((best, other) => (columns(other) > columns(best) ? other : best));
}

/**
 * Reads the header. The names of the service's own columns are case-insensitive.
 * @throws {UnreadableBody} naming what is missing or duplicated
 */
export function readHeader(names: readonly string[], line: number): Header {
  const mistaken = faultOfFirstLine(names);
  if (mistaken !== undefined) throw new UnreadableBody(line, mistaken);
  const columns = names.map((name, at) => ({ name: flatCopy(columnName(name.trim())), at }));
  const find = (wanted: string, otherwise = ''): number => {
    const at = columns.findIndex(({ name }) => name === wanted);
    if (at < 0) throw new UnreadableBody(line, reasonOfMissing(columns) + otherwise, wanted);
    return at;
  };
  const uniqueId = find('unique_id');
  const given = columns.map(({ name }) => name);
  const describes = !given.includes('ds') && !given.includes('y') && areDescriptive(given);
  const demand = describes ? undefined : { ds: find('ds', given.includes('y') ? '' : TO_DESCRIBE), y: find('y') };
  const seen = new Set<string>();
  const named = columns.filter(({ name }) => name !== '');
  for (const { name } of named) {
    const fault = faultOfColumnName(name);
    if (fault !== undefined) throw new UnreadableBody(line, fault);
    if (seen.has(name)) {
      throw new UnreadableBody(line, `contains the column ${name} twice; rename or remove one of them`, name);
    }
    seen.add(name);
  }
  const others = named.filter(({ at }) => at !== uniqueId && at !== demand?.ds && at !== demand?.y);
  if (others.length > MAX_METADATA_COLUMNS + OWN_COLUMNS.length) {
    throw new UnreadableBody(line, `has more than ${MAX_METADATA_COLUMNS} metadata columns`);
  }
  const unnamed = columns.filter(({ name }) => name === '').map(({ at }) => at);
  return { width: columns.length, uniqueId, demand, others, unnamed };
}

/**
 * Rejects a file whose rows are all on the header's line, as sent by `curl -d`, which strips line breaks.
 * @throws {UnreadableBody} explaining how to make curl send a file unchanged
 */
export function refuseLostLineBreaks(text: string): void {
  const fields = text.split(delimiterOf(text)).map((field) => field.trim().toLowerCase());
  const hasRows = fields.some((field) => /^\d{4}-\d\d/.test(field)) && !text.includes('\r');
  if (!hasRows || !fields.includes('unique_id') || !fields.includes('ds')) return;
  throw new UnreadableBody(
    1,
    'contains the rows as well: the line breaks were lost. With curl, use --data-binary instead of -d',
  );
}

function reasonOfMissing(columns: readonly Column[]): string {
  const named = columns.filter(({ name }) => name !== '');
  const found = named.map(({ name }) => excerpt(name)).slice(0, 20);
  const isTitle = !named.some(({ name }) => REQUIRED.some((known) => known === name));
  const otherwise = isTitle ? ', or, if this is no header but a title, remove the lines above the header' : '';
  return `the column is missing; the header has ${found.join(', ')}. Name the columns unique_id, ds and y, and use one row per series and date${otherwise}`;
}

/** What a line that cannot be a header is instead. */
function faultOfFirstLine(names: readonly string[]): string | undefined {
  if (names[0]!.trim().toLowerCase().startsWith('sep=')) {
    return 'specifies the delimiter; remove the line, since the delimiter is detected from the header';
  }
  if (/^\s*<[!?a-z]/i.test(names[0]!)) return 'is HTML or XML; send CSV';
  if (/^--\S+$/.test(names[0]!)) return 'is the boundary of a form; send the file itself as the body';
  if (names.some((name) => /\r(?!\n)/.test(name))) return 'has line endings of CR alone; save the file with LF or CRLF';
  if (names.length < REQUIRED.length && names.some((name) => name.includes('|'))) {
    return 'has columns separated by vertical bars; use commas, semicolons or tabs';
  }
  if (names.length === 1 && DELIMITERS.some((delimiter) => names[0]!.includes(delimiter))) {
    return 'is quoted as a whole; quote individual values, or none';
  }
  return undefined;
}

/** The canonical name of one of the service's columns in any spelling; other columns unchanged. */
function columnName(given: string): string {
  const lower = given.toLowerCase();
  return REQUIRED.some((name) => name === lower) || isOwnColumn(lower) ? lower : given;
}
