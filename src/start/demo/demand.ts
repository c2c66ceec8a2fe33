import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { PROJECT_ROOT } from '../../../config/paths.js';
import {
  daysInMonth,
  formatDay,
  formatMonth,
  type MonthNumber,
  monthNumber,
  parseMonth,
} from '../../forecasting/index.js';

/** One series in this many includes daily demand for the current month. */
const WITH_DAYS = 10;

interface Row {
  readonly uniqueId: string;
  readonly month: MonthNumber;
  readonly quantity: string;
  readonly described: readonly string[];
}

/**
 * The demo CSV with the dates of each category shifted forward by whole months, so that all end with the previous month. Every
 * tenth series also has daily demand for the current month up to yesterday: its figure of twelve months before, evenly distributed
 * over the days, in whole pieces.
 * @param now determines the current month, in UTC like the demo's workspace
 */
export async function demoDemand(now: Date): Promise<string> {
  const { header, rows } = await readRows();
  const ends = new Map<string, MonthNumber>();
  for (const { month, described } of rows) {
    const category = described[1] ?? '';
    ends.set(category, Math.max(ends.get(category) ?? month, month));
  }
  const current = monthInProgress(now);
  const lines = [header];
  const aYearBefore = new Map<string, Row>();
  for (const row of rows) {
    const month = row.month + current - 1 - (ends.get(row.described[1] ?? '') ?? row.month);
    lines.push([row.uniqueId, yearMonth(month), row.quantity, ...row.described].join(','));
    if (month === current - 12) aYearBefore.set(row.uniqueId, row);
  }
  for (const [index, row] of [...aYearBefore.values()].entries()) {
    if (index % WITH_DAYS === 0) lines.push(...daysOf(row, now));
  }
  return lines.join('\n');
}

/** The month `count` months before the current one, `YYYY-MM`. */
export function monthsBefore(now: Date, count: number): string {
  return yearMonth(monthInProgress(now) - count);
}

/** The month's figure distributed over the days up to yesterday, rounded so that the running sum is never off by more than half a piece. */
function daysOf({ uniqueId, quantity, described }: Row, now: Date): string[] {
  const month = monthInProgress(now);
  const soldBy = (day: number): number => Math.round((Number(quantity) * day) / daysInMonth(month));
  return Array.from({ length: now.getUTCDate() - 1 }, (_, index) => {
    return [uniqueId, formatDay(month, index + 1), soldBy(index + 1) - soldBy(index), ...described].join(',');
  });
}

async function readRows(): Promise<{ header: string; rows: Row[] }> {
  const rows: Row[] = [];
  let header = '';
  const lines = createInterface({
    input: createReadStream(join(PROJECT_ROOT, 'demo', 'demand.csv.gz')).pipe(createGunzip()),
  });
  for await (const text of lines) {
    if (header === '') {
      header = text;
      continue;
    }
    const [uniqueId = '', ds = '', quantity = '', ...described] = text.split(',');
    rows.push({ uniqueId, month: parseMonth(ds), quantity, described });
  }
  return { header, rows };
}

const monthInProgress = (now: Date): MonthNumber => monthNumber(now.getUTCFullYear(), now.getUTCMonth() + 1);
const yearMonth = (month: MonthNumber): string => formatMonth(month).slice(0, 'YYYY-MM'.length);
