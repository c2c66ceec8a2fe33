import { CsvRecords } from './csv-records.js';
import { UnreadableBody } from './faults.js';
import { flatCopy } from './flat-text.js';
import { faultOfColumnName, MOST_METADATA_COLUMNS, readAttributes } from './row-attributes.js';
import { excerpt, type RowCollector } from './row-collector.js';
import type { RowsReader } from './rows-reader.js';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const DECIMAL_COMMA = /^[+-]?[\d.]*,\d+$/;
const REQUIRED = ['unique_id', 'ds', 'y'] as const;

interface Column {
  readonly name: string;
  readonly at: number;
}

/** Where a CSV file has its columns. */
interface Header {
  readonly width: number;
  readonly uniqueId: number;
  readonly ds: number;
  readonly y: number;
  /** Columns that describe the series. */
  readonly others: readonly Column[];
}

/** Rows of a CSV file with a header; the order of its columns is free. */
export class CsvRows implements RowsReader {
  private header: Header | undefined;
  private readonly records: CsvRecords;

  constructor(private readonly rows: RowCollector) {
    this.records = new CsvRecords((fields, count, line) => {
      if (this.header) this.readRow(this.header, fields, count, line);
      else this.header = readHeader(fields.slice(0, count), line);
    });
  }

  get line(): number {
    return this.records.line;
  }

  push(text: string): void {
    this.records.push(text);
  }

  end(): void {
    this.records.end();
    if (!this.header) throw new UnreadableBody(1, 'is empty; a header with unique_id, ds and y comes first');
  }

  private readRow(header: Header, fields: readonly string[], count: number, line: number): void {
    if (count !== header.width) {
      this.rows.refuseRow(line, 'body', `has ${count} fields where the header has ${header.width}`);
      return;
    }
    const text = trim(fields[header.y]!);
    if (!NUMBER.test(text)) {
      this.rows.refuseRow(line, 'y', reasonAgainst(text));
      return;
    }
    const series = this.rows.add(line, trim(fields[header.uniqueId]!), trim(fields[header.ds]!), Number(text));
    if (series >= 0 && header.others.length > 0) this.describe(header.others, fields, series, line);
  }

  private describe(others: readonly Column[], fields: readonly string[], series: number, line: number): void {
    const entry = this.rows.series.entry(series);
    // nearly every row repeats what the one before said about its series
    const known = entry.fields;
    if (known && others.every(({ at }, index) => fields[at] === known[index])) return;
    entry.fields = others.map(({ at }) => flatCopy(fields[at]!));
    const given = readAttributes(others.map(({ name }, index) => [name, trim(entry.fields?.[index] ?? '')]));
    if ('reason' in given) this.rows.refuse(line, given.field, given.reason);
    else this.rows.series.describe(series, given);
  }
}

function readHeader(names: readonly string[], line: number): Header {
  const columns = names.map((name, at) => ({ name: flatCopy(trim(name)), at }));
  const separator = [';', '\t', '|'].find(
    (other) => columns.length < REQUIRED.length && columns.some(({ name }) => name.includes(other)),
  );
  if (separator !== undefined) {
    const named = { ';': 'semicolons', '\t': 'tabs', '|': 'bars' }[separator];
    throw new UnreadableBody(
      line,
      `has its columns separated by ${named}; separate them by commas and write decimals with a point`,
    );
  }
  for (const { name, at } of columns) {
    const fault = faultOfColumnName(name);
    if (fault !== undefined) throw new UnreadableBody(line, fault);
    if (columns.findIndex((column) => column.name === name) !== at) {
      throw new UnreadableBody(line, `names the column ${name} twice`, name);
    }
  }
  const find = (wanted: string): number => {
    const at = columns.findIndex(({ name }) => name === wanted);
    if (at >= 0) return at;
    const found = columns
      .map(({ name }) => excerpt(name))
      .slice(0, 20)
      .join(', ');
    throw new UnreadableBody(line, `the column is missing; the header has ${found}`, wanted);
  };
  const [uniqueId, ds, y] = [find('unique_id'), find('ds'), find('y')];
  const others = columns.filter(({ at }) => at !== uniqueId && at !== ds && at !== y);
  if (others.length > MOST_METADATA_COLUMNS + 3) {
    throw new UnreadableBody(line, `has more than ${MOST_METADATA_COLUMNS} further columns`);
  }
  return { width: columns.length, uniqueId, ds, y, others };
}

function reasonAgainst(text: string): string {
  if (text === '') return 'is empty; leave the row out where demand is missing';
  if (DECIMAL_COMMA.test(text))
    return `"${excerpt(text)}" has a comma; write decimals with a point and no thousands separators`;
  return `"${excerpt(text)}" is not a finite number`;
}

/** Without surrounding blanks; looks first, since nearly no field has any. */
function trim(text: string): string {
  const last = text.length - 1;
  return last >= 0 && (text.charCodeAt(0) <= 32 || text.charCodeAt(last) <= 32) ? text.trim() : text;
}
