import type { Mark } from './decimal-mark.js';
import type { DayNumber } from '../day-number.js';

/** Rows at which a block is flushed: enough for an upload of a million rows. */
export const BLOCK_ROWS = 1_015_808;
const FIRST_CAPACITY = 4_096;
const RADIX = 65_536;

/** Flags of a row, as bits. */
const IS_MONTH = 1;
const IN_DOUBT: Readonly<Record<Mark, number>> = { '.': 2, ',': 4 };

/**
 * Rows of an upload in typed arrays, 21 bytes each. They are sorted here so that the database receives one array per series and year
 * instead of a row per value. The arrays grow as needed and are reused for the next block.
 */
export class RowBlock {
  private series = new Int32Array(FIRST_CAPACITY);
  private day = new Int32Array(FIRST_CAPACITY);
  private quantity = new Float64Array(FIRST_CAPACITY);
  private line = new Int32Array(FIRST_CAPACITY);
  private flags = new Uint8Array(FIRST_CAPACITY);
  private rows = 0;

  get size(): number {
    return this.rows;
  }

  /** @param isMonth whether the quantity is that of the whole month beginning on the day */
  add(series: number, day: DayNumber, quantity: number, line: number, isMonth: boolean): void {
    if (this.rows === this.series.length) this.grow();
    this.series[this.rows] = series;
    this.day[this.rows] = day;
    this.quantity[this.rows] = quantity;
    this.line[this.rows] = line;
    this.flags[this.rows] = isMonth ? IS_MONTH : 0;
    this.rows += 1;
  }

  /** Marks the row added last: its quantity is a thousand times as large if the mark separates thousands. */
  doubt(mark: Mark): void {
    this.flags[this.rows - 1]! |= IN_DOUBT[mark];
  }

  /** The mark turned out to separate thousands: multiplies the quantities in doubt by 1,000. */
  thousandfold(mark: Mark): void {
    for (let row = 0; row < this.rows; row++) {
      if (this.flags[row]! & IN_DOUBT[mark]) this.quantity[row] = Math.round(this.quantity[row]! * 1_000);
    }
  }

  clear(): void {
    this.rows = 0;
  }

  seriesOf(row: number): number {
    return this.series[row]!;
  }
  dayOf(row: number): DayNumber {
    return this.day[row]!;
  }
  quantityOf(row: number): number {
    return this.quantity[row]!;
  }
  lineOf(row: number): number {
    return this.line[row]!;
  }
  isMonth(row: number): boolean {
    return (this.flags[row]! & IS_MONTH) !== 0;
  }

  /**
   * Row numbers ordered by series, day and line: a stable radix sort over 16-bit digits, a tenth of a second for a million rows. Rows
   * already in order, as in most files, are not sorted.
   */
  sorted(): Uint32Array {
    let order = new Uint32Array(this.rows);
    for (let row = 0; row < this.rows; row++) order[row] = row;
    if (this.inOrder()) return order;
    let scratch = new Uint32Array(this.rows);
    const digits = [
      (row: number) => (this.day[row]! + RADIX / 2) & 0xffff,
      (row: number) => this.series[row]! & 0xffff,
      (row: number) => this.series[row]! >>> 16,
    ];
    for (const digit of digits) {
      scatter(order, scratch, digit);
      [order, scratch] = [scratch, order];
    }
    return order;
  }

  private inOrder(): boolean {
    for (let row = 1; row < this.rows; row++) {
      const step = this.series[row]! - this.series[row - 1]!;
      if (step < 0 || (step === 0 && this.day[row]! < this.day[row - 1]!)) return false;
    }
    return true;
  }

  private grow(): void {
    const capacity = this.rows * 2;
    const widen = <Column extends Int32Array | Float64Array | Uint8Array>(column: Column, wider: Column): Column => {
      wider.set(column);
      return wider;
    };
    this.series = widen(this.series, new Int32Array(capacity));
    this.day = widen(this.day, new Int32Array(capacity));
    this.quantity = widen(this.quantity, new Float64Array(capacity));
    this.line = widen(this.line, new Int32Array(capacity));
    this.flags = widen(this.flags, new Uint8Array(capacity));
  }
}

/** One pass of the counting sort: `from` reordered into `into` by a digit below 65,536, stably. */
function scatter(from: Uint32Array, into: Uint32Array, digit: (row: number) => number): void {
  const next = new Uint32Array(RADIX + 1);
  for (const row of from) next[digit(row) + 1]!++;
  for (let value = 0; value < RADIX; value++) next[value + 1]! += next[value]!;
  for (const row of from) into[next[digit(row)]!++] = row;
}
