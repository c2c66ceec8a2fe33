import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PROJECT_ROOT } from '../../config/paths.js';
import { parseMonth, type DemandHistory } from '../../src/forecasting/index.js';

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
 * Reads a set: `train.csv.gz` and `test.csv.gz` (`unique_id,ds,y`) in `bench/data/<name>`, or in the folder `name` if it
 * holds a slash, so that a set outside the repository can be scored by the same program.
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
    horizon = Math.max(horizon, future.values.length);
    series.push({
      history: { id, startMonth: past.startMonth, values: past.values },
      actual: future.values,
    });
  }
  return { name: name.split('/').at(-1) ?? name, horizon, series };
}

interface LongSeries {
  readonly startMonth: number;
  readonly values: Float64Array;
}

function readLong(path: string): Map<string, LongSeries> {
  const collected = new Map<string, { startMonth: number; values: number[] }>();
  const lines = gunzipSync(readFileSync(path)).toString('utf8').split('\n');
  for (const line of lines.slice(1)) {
    if (line === '') continue;
    const [id = '', ds = '', y = ''] = line.split(',');
    const known = collected.get(id);
    if (known) known.values.push(Number(y));
    else collected.set(id, { startMonth: parseMonth(ds), values: [Number(y)] });
  }
  return new Map(
    Array.from(collected, ([id, { startMonth, values }]) => [id, { startMonth, values: Float64Array.from(values) }]),
  );
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
