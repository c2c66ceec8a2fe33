import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PROJECT_ROOT } from '../../config/paths.js';
import { parseMonth, type DemandHistory, type MonthNumber } from '../../src/forecasting/index.js';

/** One series of a benchmark set with its held-out horizon. */
export interface BenchmarkSeries {
  readonly history: DemandHistory;
  readonly actual: Float64Array;
}

export interface BenchmarkSet {
  readonly name: string;
  readonly horizon: number;
  readonly series: readonly BenchmarkSeries[];
}

/** Sets that come with the repository, see bench/data/ATTRIBUTION.md. */
export const BUNDLED_SETS = ['m3', 'hospital', 'carparts2509'] as const;
export type BundledSet = (typeof BUNDLED_SETS)[number];

export const DATA = join(PROJECT_ROOT, 'bench', 'data');

/**
 * Reads a set: `train.csv.gz` and `test.csv.gz` (`unique_id,ds,y`, in any order) in `bench/data/<name>`, or in the folder `name`
 * if it holds a slash, so that a set outside the repository can be scored by the same program. Months without a row or with an
 * empty `y` are missing (NaN). Throws where a row or a pair of parts cannot be what it should.
 */
export function readSet(name: string): BenchmarkSet {
  const folder = name.includes('/') ? name : join(DATA, name);
  const train = readLong(join(folder, 'train.csv.gz'));
  const test = readLong(join(folder, 'test.csv.gz'));
  let horizon = 0;
  const series: BenchmarkSeries[] = [];
  for (const [id, past] of train) {
    const future = test.get(id);
    if (!future) throw new Error(`${name}: series ${id} has no test part`);
    const startMonth = Math.min(...past.keys());
    const origin = Math.min(...future.keys());
    if (Math.max(...past.keys()) >= origin) throw new Error(`${name}: the parts of series ${id} overlap`);
    const actual = monthly(future, origin, Math.max(...future.keys()) + 1);
    horizon = Math.max(horizon, actual.length);
    series.push({ history: { id, startMonth, values: monthly(past, startMonth, origin) }, actual });
  }
  return { name: name.split('/').findLast((part) => part !== '') ?? name, horizon, series };
}

/** Demand by month. */
type LongSeries = Map<MonthNumber, number>;

function readLong(path: string): Map<string, LongSeries> {
  const read = new Map<string, LongSeries>();
  const lines = gunzipSync(readFileSync(path)).toString('utf8').split(/\r?\n/);
  for (const line of lines.slice(1)) {
    if (line === '') continue;
    const [id = '', ds = '', y = ''] = line.split(',');
    const month = parseMonth(ds);
    const series = read.get(id) ?? new Map<MonthNumber, number>();
    if (series.has(month)) throw new Error(`${path}: series ${id} has two rows of ${ds}`);
    read.set(id, series.set(month, y === '' ? NaN : Number(y)));
  }
  return read;
}

/** The months from `start` to the one before `end`. */
function monthly(series: LongSeries, start: MonthNumber, end: MonthNumber): Float64Array {
  return Float64Array.from({ length: end - start }, (_, k) => series.get(start + k) ?? NaN);
}

/**
 * The set as it was `horizons` horizons before its held-out part, scored on the training months that follow: where constants
 * are chosen. Series that then have under 13 months are left out.
 */
export function cutBack(set: BenchmarkSet, horizons: number): BenchmarkSet {
  if (horizons === 0) return set;
  const series: BenchmarkSeries[] = [];
  for (const { history, actual } of set.series) {
    const length = history.values.length - horizons * actual.length;
    if (length < 13) continue;
    series.push({
      history: { ...history, values: history.values.slice(0, length) },
      actual: history.values.slice(length, length + actual.length),
    });
  }
  return { ...set, series };
}

/** The set with every history shortened to its last `months` months; series that are shorter are left out. */
export function shorten(set: BenchmarkSet, months: number): BenchmarkSet {
  const series: BenchmarkSeries[] = [];
  for (const { history, actual } of set.series) {
    const dropped = history.values.length - months;
    if (dropped < 0) continue;
    series.push({
      history: { ...history, startMonth: history.startMonth + dropped, values: history.values.slice(dropped) },
      actual,
    });
  }
  return { ...set, series };
}
