import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type MonthNumber, parseMonth } from '../../src/forecasting/index.js';
import { DATA } from './data-sets.js';

/** Sets of real daily demand that come with the repository, see bench/data/ATTRIBUTION.md. */
export const DAILY_SETS = ['cta', 'cdnow', 'bikeshare'] as const;
export type DailySetName = (typeof DAILY_SETS)[number];

/** Daily demand of one item over complete months. */
export interface DailyItem {
  readonly id: string;
  /** Entry k: the days of month `firstMonth + k`, from the first to the last. */
  readonly months: readonly (readonly number[])[];
}

/** Items of one set over the same months, all complete. */
export interface DailySet {
  readonly firstMonth: MonthNumber;
  readonly items: readonly DailyItem[];
}

/** Reads `bench/data/daily/<name>.csv.gz`: a row a day without gaps, a column an item, from the first of a month to the last of one. */
export function readDailySet(name: DailySetName): DailySet {
  const [head, ...rows] = gunzipSync(readFileSync(join(DATA, 'daily', `${name}.csv.gz`)))
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  const months = Map.groupBy(rows, ([day]) => parseMonth(day!.slice(0, 'YYYY-MM'.length)));
  const days = [...months.values()];
  return {
    firstMonth: Math.min(...months.keys()),
    items: head!.slice(1).map((id, column) => ({
      id,
      months: days.map((ofMonth) => ofMonth.map((row) => Number(row[column + 1]))),
    })),
  };
}
