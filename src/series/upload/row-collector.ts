import { type DayNumber, formatDayNumber } from '../day-number.js';
import { EARLIEST_DAY, hasShortYear, intendedDate, isMonth, isTimestamp, parseDay } from './demand-day.js';
import { FaultLog } from './faults.js';
import { BLOCK_ROWS, RowBlock } from './row-block.js';
import { type AttributeFault, MAX_UNIQUE_ID_LENGTH, type SeriesAttributes } from './row-attributes.js';
import { SeriesDictionary } from './series-dictionary.js';

/** Maximum demand per day, of either sign: far above real demand, far below where sums of squares overflow. */
const MAX_QUANTITY = 1e15;
/** Size of the cache of parsed dates: a century of days. */
const REMEMBERED_DAYS = 40_000;

/** Counts over all blocks. */
export interface UploadCounts {
  rows: number;
  negativeValues: number;
  /** Rows for a series and day given by an earlier row of the upload. */
  duplicates: number;
  firstDay: DayNumber;
  lastDay: DayNumber;
}

/** Checks rows one by one and keeps the valid ones in a block. The readers of all formats feed it. */
export class RowCollector {
  readonly faults = new FaultLog();
  readonly block = new RowBlock();
  readonly series = new SeriesDictionary();
  readonly counts: UploadCounts = { rows: 0, negativeValues: 0, duplicates: 0, firstDay: Infinity, lastDay: -Infinity };
  /** Whether the rows describe series instead of giving demand, as the header or the first row shows; undefined until then. */
  describes: boolean | undefined;
  private readonly days = new Map<string, DayNumber>();

  /** @param latestDay latest valid day of demand */
  constructor(private readonly latestDay: DayNumber) {}

  /** Whether the block should be flushed before more is read. */
  get full(): boolean {
    return this.block.size >= BLOCK_ROWS || this.series.full;
  }

  /**
   * @param line position of the row, for messages
   * @param quantity already a number; rejected unless finite
   * @returns the number of the row's series in the dictionary; -1 if the row is rejected
   */
  add(line: number, uniqueId: string, ds: string, quantity: number): number {
    this.counts.rows += 1;
    const fault = faultOfUniqueId(uniqueId);
    if (fault !== undefined) return this.refuse(line, 'unique_id', fault);
    const day = this.days.get(ds) ?? this.readDay(line, ds);
    if (day === undefined) return -1;
    if (!(Math.abs(quantity) <= MAX_QUANTITY)) {
      return this.refuse(line, 'y', `must be a finite number between -${MAX_QUANTITY} and ${MAX_QUANTITY}`);
    }
    if (quantity < 0) this.counts.negativeValues += 1;
    if (day < this.counts.firstDay) this.counts.firstDay = day;
    if (day > this.counts.lastDay) this.counts.lastDay = day;
    const series = this.series.numberOf(uniqueId);
    this.block.add(series, day, quantity, line, isMonth(ds));
    return series;
  }

  /**
   * As {@link add}, for a row that describes a series. Rejects a second one: it is unclear which is meant, as where an item has several
   * suppliers.
   */
  addDescribed(line: number, uniqueId: string): number {
    this.counts.rows += 1;
    const fault = faultOfUniqueId(uniqueId);
    if (fault !== undefined) return this.refuse(line, 'unique_id', fault);
    const series = this.series.numberOf(uniqueId);
    const entry = this.series.entry(series);
    if (entry.line > 0) {
      this.counts.duplicates += 1;
      return this.refuse(line, 'unique_id', describedTwice(uniqueId));
    }
    entry.line = line;
    return series;
  }

  /** Records what a row says about its series, or what is wrong with that. */
  describe(series: number, line: number, given: SeriesAttributes | AttributeFault): void {
    const fault = 'reason' in given ? given : this.series.describe(series, line, given);
    if (fault) this.refuse(line, fault.field, fault.reason);
  }

  /** Counts and rejects a row that cannot be added. */
  refuseRow(line: number, field: string, reason: string): void {
    this.counts.rows += 1;
    this.refuse(line, field, reason);
  }

  refuse(line: number, field: string, reason: string): -1 {
    this.faults.add(line, field, reason);
    return -1;
  }

  clearBlock(): void {
    this.block.clear();
    this.series.clear();
  }

  private readDay(line: number, ds: string): DayNumber | undefined {
    const day = parseDay(ds);
    if (day === undefined && isTimestamp(ds)) {
      this.refuse(line, 'ds', `"${excerpt(ds)}" is not midnight UTC; use a day (YYYY-MM-DD)`);
    } else if (ds === '') {
      this.refuse(line, 'ds', 'is empty; use YYYY-MM-DD, or YYYY-MM for a month, and remove totals');
    } else if (day === undefined) {
      this.refuse(line, 'ds', `"${excerpt(ds)}" is not a date; use YYYY-MM-DD, or YYYY-MM for a month${hintAt(ds)}`);
    } else if (day < EARLIEST_DAY) {
      this.refuse(line, 'ds', `"${ds}" is before ${formatDayNumber(EARLIEST_DAY)}`);
    } else if (day > this.latestDay) {
      this.refuse(
        line,
        'ds',
        `"${ds}" is in the future; the latest day accepted is ${formatDayNumber(this.latestDay)}`,
      );
    } else {
      if (this.days.size < REMEMBERED_DAYS) this.days.set(ds, day);
      return day;
    }
    return undefined;
  }
}

/** What to make of a text that is no date, as far as it shows: ` (here 2026-02-01)`. */
function hintAt(ds: string): string {
  const meant = intendedDate(ds);
  if (meant !== undefined) return ` (here ${meant})`;
  return hasShortYear(ds) ? ', with all four digits of the year' : '';
}

function faultOfUniqueId(uniqueId: string): string | undefined {
  if (uniqueId === '')
    return 'is empty; every row must name its series: fill in cells that were merged, and remove totals';
  if (uniqueId.length > MAX_UNIQUE_ID_LENGTH) return `is longer than ${MAX_UNIQUE_ID_LENGTH} characters`;
  return undefined;
}

/** Why the later of two rows that describe a series is rejected. */
export function describedTwice(uniqueId: string): string {
  return `"${uniqueId}" was already described by an earlier row; keep one row for each series`;
}

/** Beginning of a value, for a message. */
export function excerpt(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
