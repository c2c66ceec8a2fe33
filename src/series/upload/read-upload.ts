import type { DecimalMark } from './decimal-mark.js';
import { type DayNumber, firstDayOf, formatDayNumber, monthOf } from '../day-number.js';
import { UnreadableBody } from './faults.js';
import { CsvRows } from './formats/csv-rows.js';
import { JsonRows } from './formats/json-rows.js';
import { NdjsonRows } from './formats/ndjson-rows.js';
import type { RowsReader } from './formats/rows-reader.js';
import { Utf8Text } from './formats/utf8-text.js';
import { RowCollector } from './row-collector.js';

export const UPLOAD_FORMATS = ['csv', 'json', 'ndjson'] as const;
export type UploadFormat = (typeof UPLOAD_FORMATS)[number];

/** What line numbers in messages count: lines of the file, or rows of the JSON array. */
export function unitOf(format: UploadFormat): 'row' | 'line' {
  return format === 'json' ? 'row' : 'line';
}

/**
 * Members of a JSON body before its rows, as far as its first bytes contain them completely. Ignores faults: they are reported when the
 * whole body is read.
 */
export function membersAhead(head: Buffer, latestDay: DayNumber): Readonly<Record<string, unknown>> {
  const reader = new JsonRows(new RowCollector(latestDay));
  try {
    new Utf8Text(reader).push(head);
  } catch (error) {
    if (!(error instanceof UnreadableBody)) throw error;
  }
  return reader.members;
}

/** A block of valid rows, ready to be staged; valid until the next one is requested. */
export interface UploadBlock {
  /** Numbers of the rows of demand, by series and day. */
  readonly order: Uint32Array;
  /** Whether the block is the whole upload. */
  readonly whole: boolean;
}

/**
 * Reads an upload block by block, so that memory does not grow with the body. After the first fault the rest is still checked, so that the
 * caller learns of all faults at once, but no more blocks are yielded.
 */
export class UploadReader {
  readonly rows: RowCollector;
  private readonly reader: RowsReader;
  private taken = 0;

  /** @param decimal decimal mark of a CSV file, if specified by its sender */
  constructor(
    readonly format: UploadFormat,
    latestDay: DayNumber,
    decimal?: DecimalMark,
  ) {
    this.rows = new RowCollector(latestDay);
    this.reader = createReader(format, this.rows, decimal);
  }

  /** Members of a JSON body besides its rows, complete after the last block; empty for the other formats. */
  get members(): Readonly<Record<string, unknown>> {
    return this.reader instanceof JsonRows ? this.reader.members : {};
  }

  async *blocks(body: AsyncIterable<Buffer>): AsyncGenerator<UploadBlock> {
    const text = new Utf8Text(this.reader);
    let readable = true;
    for await (const chunk of body) {
      for (const piece of readable ? Utf8Text.pieces(chunk) : []) {
        readable = this.attempt(() => text.push(piece));
        if (!readable) break;
        if (this.rows.full) yield* this.takeBlock(false);
      }
    }
    if (readable) this.attempt(() => text.end());
    yield* this.takeBlock(true);
  }

  private *takeBlock(last: boolean): Generator<UploadBlock> {
    const order = this.rows.block.sorted();
    this.refuseRepeatedDays(order);
    this.refuseMonthsGivenTwice(order);
    if (this.rows.series.size > 0 && this.rows.faults.count === 0) yield { order, whole: last && this.taken === 0 };
    this.taken += 1;
    this.rows.clearBlock();
  }

  /** Rejects a second row for the same series and day: it is unclear which is meant. */
  private refuseRepeatedDays(order: Uint32Array): void {
    const { block, series, faults } = this.rows;
    for (let index = 1; index < order.length; index++) {
      const [row, before] = [order[index]!, order[index - 1]!];
      if (block.dayOf(row) !== block.dayOf(before) || block.seriesOf(row) !== block.seriesOf(before)) continue;
      const { uniqueId } = series.entry(block.seriesOf(row));
      this.rows.counts.duplicates += 1;
      const day = formatDayNumber(block.dayOf(row));
      const given = block.isMonth(row) ? day.slice(0, 'YYYY-MM'.length) : day;
      const reason = repeatedDay(this.format, uniqueId, given, block.lineOf(before));
      faults.add(block.lineOf(row), 'ds', reason);
    }
  }

  /** Rejects a month given both as a figure and by days: it is unclear whether the figure includes the days. */
  private refuseMonthsGivenTwice(order: Uint32Array): void {
    const { block, series, faults } = this.rows;
    let figure: number | undefined;
    let next: DayNumber | undefined; // the first day of the month after it
    for (const row of order) {
      if (block.isMonth(row)) {
        figure = row;
        next = undefined;
        continue;
      }
      if (figure === undefined || block.seriesOf(row) !== block.seriesOf(figure)) continue;
      next ??= firstDayOf(monthOf(block.dayOf(figure)) + 1); // computed lazily, since it is slow
      const day = block.dayOf(row);
      if (day >= next || day === block.dayOf(figure)) continue; // its first day was rejected as a repeated one
      const { uniqueId } = series.entry(block.seriesOf(row));
      const reason = dayOfMonthGiven(this.format, uniqueId, formatDayNumber(day), block.lineOf(figure));
      faults.add(block.lineOf(row), 'ds', reason);
    }
  }

  private attempt(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      if (!(error instanceof UnreadableBody)) throw error;
      this.rows.faults.add(error.line, error.field, error.reason);
      return false;
    }
  }
}

function createReader(format: UploadFormat, rows: RowCollector, decimal: DecimalMark | undefined): RowsReader {
  switch (format) {
    case 'csv':
      return new CsvRows(rows, decimal);
    case 'json':
      return new JsonRows(rows);
    case 'ndjson':
      return new NdjsonRows(rows);
  }
}

/** Why a day is rejected whose month the upload gives as a figure. */
export function dayOfMonthGiven(format: UploadFormat, uniqueId: string, day: string, figureLine: number): string {
  return `${day} of "${uniqueId}" is in a month for which ${unitOf(format)} ${figureLine} gives a total; upload the month or its days, not both`;
}

/** Why the later of two rows for one series and day, or month, is rejected. */
export function repeatedDay(format: UploadFormat, uniqueId: string, given: string, otherLine: number): string {
  return `${given} of "${uniqueId}" was already given in ${unitOf(format)} ${otherLine}; remove the copy, or send the sum of both`;
}
