import type { MonthNumber } from '../../../forecasting/index.js';
import type { Transaction } from '../../../platform/database/database.js';
import { type DayNumber, monthOf } from '../../day-number.js';
import { TARGET_COLUMNS } from '../../stock-targets.queries.js';
import type { UploadBlock } from '../read-upload.js';
import type { RowBlock } from '../row-block.js';
import type { RowCollector } from '../row-collector.js';
import { CopyWriter } from './copy-writer.js';

/**
 * Creates the temporary tables that an upload is written to before the merge: they vanish with the transaction and are not in the
 * write-ahead log. `block` and `number` together identify a series. Lines are for messages about days shared by two blocks, so an upload of
 * a single block has none in `staged_demand`.
 */
export async function createStaging(tx: Transaction): Promise<void> {
  await tx.execute(`
    CREATE TEMPORARY TABLE staged_series (
      block int, number int, id uuid, stored_id uuid, unique_id text COLLATE "C",
      product_name text, category text, unit text, replaced_by text COLLATE "C", metadata jsonb, line int,
      lead_time_months float8, lead_time_sd_months float8, target_service_level float8
    ) ON COMMIT DROP`);
  await tx.execute(`
    CREATE TEMPORARY TABLE staged_demand (
      block int, number int, year int2, observed_months int2, month_figures int2, days date[], quantities float8[], lines int[]
    ) ON COMMIT DROP`);
}

/** Drops the tables before the transaction ends, so that it can merge again. */
export async function dropStaging(tx: Transaction): Promise<void> {
  await tx.execute('DROP TABLE staged_series, staged_demand');
}

/** Writes a block's rows, sorted by series and day, as one row per series and year. */
export async function stageBlock(
  tx: Transaction,
  block: number,
  rows: RowCollector,
  { order, whole }: UploadBlock,
): Promise<void> {
  await stageDemand(tx, block, rows.block, order, !whole);
  await stageSeries(tx, block, rows);
}

async function stageDemand(
  tx: Transaction,
  block: number,
  rows: RowBlock,
  order: Uint32Array,
  withLines: boolean,
): Promise<void> {
  const monthsOfDays = new Map<DayNumber, MonthNumber>();
  const copy = new CopyWriter(tx.client, 'staged_demand');
  try {
    for (let from = 0; from < order.length;) {
      const { series, year, observed, figures, end } = yearFrom(from, rows, order, monthsOfDays);
      const part = order.subarray(from, end);
      const count = part.length;
      const bytes = 42 + 2 * CopyWriter.arrayBytes('int4', count) + CopyWriter.arrayBytes('float8', count);
      const caughtUp = copy.row(8, bytes);
      if (caughtUp) await caughtUp;
      copy.int4(block);
      copy.int4(series);
      copy.int2(year);
      copy.int2(observed);
      copy.int2(figures);
      copy.array('date', count, (index) => rows.dayOf(part[index]!));
      copy.array('float8', count, (index) => rows.quantityOf(part[index]!));
      if (withLines) copy.array('int4', count, (index) => rows.lineOf(part[index]!));
      else copy.missing();
      from = end;
    }
    await copy.end();
  } catch (error) {
    copy.abort();
    throw error;
  }
}

/** The rows of one series and year. */
interface SeriesYear {
  readonly series: number;
  readonly year: number;
  /** Bit masks of the months with a value, and of those that are a single figure. */
  readonly observed: number;
  readonly figures: number;
  /** Where the next series or year begins. */
  readonly end: number;
}

/** The series and year that begin at position `from` of the order. */
function yearFrom(
  from: number,
  rows: RowBlock,
  order: Uint32Array,
  monthsOfDays: Map<DayNumber, MonthNumber>,
): SeriesYear {
  const series = rows.seriesOf(order[from]!);
  const year = Math.floor(remembered(monthsOfDays, rows.dayOf(order[from]!)) / 12);
  let observed = 0;
  let figures = 0;
  let end = from;
  for (; end < order.length; end++) {
    const row = order[end]!;
    const month = remembered(monthsOfDays, rows.dayOf(row));
    if (rows.seriesOf(row) !== series || Math.floor(month / 12) !== year) break;
    const bit = 1 << (month % 12);
    observed |= bit;
    if (rows.isMonth(row)) figures |= bit;
  }
  return { series, year, observed, figures, end };
}

async function stageSeries(tx: Transaction, block: number, rows: RowCollector): Promise<void> {
  const copy = new CopyWriter(
    tx.client,
    `staged_series (block, number, id, stored_id, unique_id, product_name, category, unit, replaced_by, metadata, line, ${TARGET_COLUMNS})`,
  );
  try {
    for (const [number, { id, uniqueId, attributes, line }] of rows.series.entries.entries()) {
      const metadata = JSON.stringify(attributes.metadata ?? {});
      const texts = [uniqueId, attributes.productName, attributes.category, attributes.unit, attributes.replacedBy];
      // a UTF-16 unit takes at most three bytes of UTF-8
      const characters = texts.reduce((sum, text) => sum + (text?.length ?? 0), metadata.length);
      const caughtUp = copy.row(14, 132 + 3 * characters);
      if (caughtUp) await caughtUp;
      copy.int4(block);
      copy.int4(number);
      copy.uuid(id);
      copy.uuid(id); // under which it is stored, unless the workspace already has it
      for (const text of texts) copy.text(text);
      copy.jsonb(metadata);
      copy.int4(line);
      copy.float8(attributes.leadTimeMonths);
      copy.float8(attributes.leadTimeSdMonths);
      copy.float8(attributes.targetServiceLevel);
    }
    await copy.end();
  } catch (error) {
    copy.abort();
    throw error;
  }
}

/** The month of a day, memoized: a file has few distinct days and many rows. */
function remembered(monthsOfDays: Map<DayNumber, MonthNumber>, day: DayNumber): MonthNumber {
  let month = monthsOfDays.get(day);
  if (month === undefined) {
    month = monthOf(day);
    monthsOfDays.set(day, month);
  }
  return month;
}
