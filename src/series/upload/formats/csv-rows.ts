import { counted } from '../../../platform/counted.js';
import type { DecimalMark, Mark } from '../decimal-mark.js';
import { UnreadableBody } from '../faults.js';
import { isTargetColumn, readAttributes } from '../row-attributes.js';
import type { RowCollector } from '../row-collector.js';
import {
  delimiterOf,
  type Column,
  type DemandColumns,
  type Header,
  readHeader,
  refuseLostLineBreaks,
} from './csv-header.js';
import { CsvNumbers, type Doubt } from './csv-numbers.js';
import { CsvRecords } from './csv-records.js';
import { flatCopy } from './flat-text.js';
import { countLines, MAX_RECORD_LENGTH, type RowsReader } from './rows-reader.js';
import { damageOf } from './spreadsheet-damage.js';

/** Rows of a CSV file with a header. Columns may be in any order; the delimiter is detected from the header. */
export class CsvRows implements RowsReader {
  /** Text up to the end of the header line, until that has arrived. */
  private start = '';
  private records: CsvRecords | undefined;
  private header: Header | undefined;
  private numbers: CsvNumbers | undefined;
  /** The first value in doubt for each mark. */
  private readonly doubts = new Map<Mark, Doubt>();

  /** @param decimal decimal mark, if specified by the sender of the file */
  constructor(
    private readonly rows: RowCollector,
    private readonly decimal?: DecimalMark,
  ) {}

  get line(): number {
    return this.records?.line ?? 1 + countLines(this.start);
  }

  push(text: string): void {
    if (this.records) return this.records.push(text);
    this.start += text;
    const header = firstLine(this.start);
    if (header === undefined && this.start.length <= MAX_RECORD_LENGTH) return;
    this.begin(header ?? this.start);
  }

  end(): void {
    if (!this.records) refuseLostLineBreaks(this.start);
    (this.records ?? this.begin(this.start)).end();
    const { header, numbers } = this;
    if (!header || !numbers) throw new UnreadableBody(1, 'is empty; start with a header that has unique_id, ds and y');
    for (const doubt of this.doubts.values()) this.settle(doubt, numbers);
  }

  private begin(headerLine: string): CsvRecords {
    if (/^\s*(\{\s*"|\[\s*[{\]])/.test(headerLine)) {
      throw new UnreadableBody(1, 'is JSON; send it as application/json or application/x-ndjson');
    }
    const delimiter = delimiterOf(headerLine);
    const numbers = new CsvNumbers(delimiter, this.decimal);
    this.numbers = numbers;
    const records = new CsvRecords((fields, count, line) => {
      if (this.header) this.readRow(this.header, numbers, fields, count, line);
      else if (!isBlank(fields, count)) this.begun(readHeader(fields.slice(0, count), line));
    }, delimiter);
    this.records = records;
    records.push(this.start);
    this.start = '';
    return records;
  }

  private begun(header: Header): void {
    this.header = header;
    this.rows.describes = header.demand === undefined;
  }

  private readRow(header: Header, numbers: CsvNumbers, fields: readonly string[], count: number, line: number): void {
    if (isBlank(fields, count)) return;
    if (count !== header.width) return this.rows.refuseRow(line, 'body', reasonOfWidth(count, header.width));
    const unnamed = header.unnamed.find((at) => trim(fields[at]!) !== '');
    if (unnamed !== undefined) return this.rows.refuseRow(line, 'body', reasonOfUnnamed(unnamed));
    const uniqueId = trim(fields[header.uniqueId]!);
    const damage = damageOf(uniqueId);
    if (damage !== undefined) return this.rows.refuseRow(line, 'unique_id', damage);
    const series = header.demand
      ? this.addDemand(header.demand, numbers, uniqueId, fields, line)
      : this.rows.addDescribed(line, uniqueId);
    if (series >= 0 && header.others.length > 0) this.describe(header.others, fields, series, line);
  }

  /** @returns as {@link RowCollector.add} */
  private addDemand(
    columns: DemandColumns,
    numbers: CsvNumbers,
    uniqueId: string,
    fields: readonly string[],
    line: number,
  ): number {
    const quantity = numbers.read(trim(fields[columns.y]!), line);
    if (typeof quantity === 'string') {
      this.rows.refuseRow(line, 'y', quantity);
      return -1;
    }
    const series = this.rows.add(line, uniqueId, trim(fields[columns.ds]!), quantity);
    if (series >= 0 && numbers.inDoubt) this.hold(numbers.inDoubt);
    return series;
  }

  /** Marks the quantity of the row added last as doubtful. */
  private hold(doubt: Doubt): void {
    this.rows.block.doubt(doubt.mark);
    if (!this.doubts.has(doubt.mark)) this.doubts.set(doubt.mark, { ...doubt, text: flatCopy(doubt.text) });
  }

  private settle(doubt: Doubt, numbers: CsvNumbers): void {
    const { block } = this.rows;
    const resolved = numbers.resolve(doubt, block.size > 0 && block.lineOf(0) <= doubt.line);
    if (resolved === 'thousands') block.thousandfold(doubt.mark);
    else if (resolved !== 'decimals') this.rows.refuse(doubt.line, 'y', resolved.reason);
  }

  private describe(others: readonly Column[], fields: readonly string[], series: number, line: number): void {
    const entry = this.rows.series.entry(series);
    // nearly every row repeats the description in the series' previous row
    const known = entry.fields;
    if (known && others.every(({ at }, index) => fields[at] === known[index])) return;
    entry.fields = others.map(({ at }) => flatCopy(fields[at]!));
    const given = readAttributes(
      others.map(({ name }, index) => [name, valueOf(name, trim(entry.fields?.[index] ?? ''))]),
    );
    this.rows.describe(series, line, given);
  }
}

/** The first line that is not blank, once its end has arrived. */
function firstLine(text: string): string | undefined {
  return /^\s*?([^\s][^\n]*)\n/.exec(text)?.[1];
}

function reasonOfWidth(count: number, expected: number): string {
  const advice =
    count > expected
      ? 'quote values that contain the delimiter, such as 1,5 between commas'
      : 'remove totals and notes, and quote individual values, not whole lines';
  return `has ${counted(count, 'field')} but the header has ${expected}; ${advice}`;
}

function reasonOfUnnamed(at: number): string {
  return `has a value in column ${at + 1}, which has no name in the header; name the column or delete it`;
}

/** Whether a record consists of delimiters only: spreadsheets save cleared rows this way. */
function isBlank(fields: readonly string[], count: number): boolean {
  for (let at = 0; at < count; at += 1) if (trim(fields[at]!) !== '') return false;
  return true;
}

/** A number of a stock target. Such small ones have no thousands separator, so that a comma is a decimal mark. */
const TARGET = /^(?:\d+(?:[.,]\d+)?|[.,]\d+)$/;

function valueOf(column: string, text: string): string | number {
  return isTargetColumn(column) && TARGET.test(text) ? Number(text.replace(',', '.')) : text;
}

/** Trims blanks, including no-break spaces. Checks both ends first, since hardly any field has blanks. */
function trim(text: string): string {
  return mayBeBlank(text.charCodeAt(0)) || mayBeBlank(text.charCodeAt(text.length - 1)) ? text.trim() : text;
}

function mayBeBlank(code: number): boolean {
  return code <= 32 || code >= 160;
}
