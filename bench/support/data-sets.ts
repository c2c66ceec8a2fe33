import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PROJECT_ROOT } from '../../config/paths.js';
import { UsageError } from '../../src/cli/input/usage-error.js';
import { parseMonth, type DemandHistory, type MonthNumber } from '../../src/forecasting/index.js';
import { messageOf } from '../../src/platform/faults.js';
import { delimiterOf, readHeader, type Header } from '../../src/series/upload/formats/csv-header.js';
import { CsvRecords } from '../../src/series/upload/formats/csv-records.js';
import { UnreadableBody } from '../../src/series/upload/faults.js';

/** One series of a benchmark set with its held-out horizon. */
export interface BenchmarkSeries {
  readonly history: DemandHistory;
  readonly actual: Float64Array;
}

/** Series that are forecast from their own last month on. */
export interface BenchmarkSet {
  readonly name: string;
  /** Held-out months; of the series with most where they differ. */
  readonly horizon: number;
  readonly series: readonly BenchmarkSeries[];
}

/** Sets that come with the repository, see bench/data/ATTRIBUTION.md. */
export const BUNDLED_SETS = ['m3', 'hospital', 'carparts2509'] as const;
export type BundledSet = (typeof BUNDLED_SETS)[number];

/** Folder of the sets. */
export const DATA = join(PROJECT_ROOT, 'bench', 'data');

/** Files that may hold a part of a set. */
const ENDINGS = ['.csv.gz', '.csv'];
/** What stands for a month without a value, in lower case: nothing, and what other programs write for it. */
const MISSING = new Set(['', 'nan', 'na', 'null']);

/**
 * Reads the sets that were asked for: each a name of a bundled one or, with a slash in it, a folder outside the repository. That is
 * a set, or holds a folder for each of several.
 * @throws {UsageError} naming the file and the row that cannot be read, or the series whose parts do not fit
 */
export function readSets(names: readonly string[]): BenchmarkSet[] {
  return names.flatMap((name) => {
    const folder = name.includes('/') ? name : join(DATA, name);
    if (findPart(folder, 'train') !== undefined || !isFolder(folder)) return readSet(name);
    const within = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && findPart(join(folder, entry.name), 'train') !== undefined)
      .map((entry) => readSet(join(folder, entry.name)));
    return within.length > 0 ? within : readSet(name);
  });
}

/**
 * Reads one set: `train` and `test`, each `.csv.gz` or `.csv`, with the columns `unique_id`, `ds` and `y` among others, rows in any
 * order. Of a date the month counts. Months without a row or a value are missing (NaN).
 * @throws {UsageError} as {@link readSets}
 */
export function readSet(name: string): BenchmarkSet {
  const folder = name.includes('/') ? name : join(DATA, name);
  const train = readPart(folder, 'train');
  const test = readPart(folder, 'test');
  if (train.size === 0) throw new UsageError(`${name}: holds no series`);
  for (const id of test.keys()) {
    if (!train.has(id)) throw new UsageError(`${name}: series ${id} has no train part`);
  }
  let horizon = 0;
  const series: BenchmarkSeries[] = [];
  for (const [id, past] of train) {
    const future = test.get(id);
    if (!future) throw new UsageError(`${name}: series ${id} has no test part`);
    const startMonth = Math.min(...past.keys());
    const origin = Math.min(...future.keys());
    if (Math.max(...past.keys()) >= origin) throw new UsageError(`${name}: the parts of series ${id} overlap`);
    const actual = monthly(future, origin, Math.max(...future.keys()) + 1);
    horizon = Math.max(horizon, actual.length);
    series.push({ history: { id, startMonth, values: monthly(past, startMonth, origin) }, actual });
  }
  return { name: name.split('/').findLast((part) => part !== '') ?? name, horizon, series };
}

/** Demand by month. */
type LongSeries = Map<MonthNumber, number>;

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

function findPart(folder: string, part: 'train' | 'test'): string | undefined {
  return ENDINGS.map((ending) => join(folder, `${part}${ending}`)).find((path) => existsSync(path));
}

function readPart(folder: string, part: 'train' | 'test'): Map<string, LongSeries> {
  const path = findPart(folder, part);
  if (path === undefined) throw new UsageError(`${folder}: holds neither ${part}.csv.gz nor ${part}.csv`);
  const text = new TextDecoder().decode(readBytes(path));
  const read = new Map<string, LongSeries>();
  let header: Header | undefined;
  const records = new CsvRecords(
    (fields, count, line) => {
      if (header) addRow(read, header, fields.slice(0, count), `${path}: line ${line}`);
      else header = readHeader(fields.slice(0, count), line);
    },
    delimiterOf(/^.*/.exec(text)![0]),
  );
  try {
    records.push(text);
    records.end();
  } catch (error) {
    if (error instanceof UnreadableBody) throw new UsageError(`${path}: line ${error.line}: ${error.message}`);
    throw error;
  }
  return read;
}

function readBytes(path: string): Buffer {
  try {
    const bytes = readFileSync(path);
    return path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  } catch (error) {
    throw new UsageError(`${path}: ${messageOf(error)}`);
  }
}

function addRow(read: Map<string, LongSeries>, header: Header, fields: readonly string[], place: string): void {
  const { uniqueId, demand } = header;
  if (!demand) throw new UsageError(`${place}: ds and y: the file has no such columns`);
  const [id, ds, y] = [uniqueId, demand.ds, demand.y].map((column) => (fields[column] ?? '').trim());
  const value = MISSING.has(y!.toLowerCase()) ? NaN : finiteOf(y!, place);
  const month = monthOf(ds!, place);
  const series = read.get(id!) ?? new Map<MonthNumber, number>();
  if (series.has(month)) throw new UsageError(`${place}: series ${id} has another row of ${ds!.slice(0, 7)}`);
  read.set(id!, series.set(month, value));
}

function finiteOf(y: string, place: string): number {
  if (!Number.isFinite(Number(y))) throw new UsageError(`${place}: y: expected a number or nothing, got "${y}"`);
  return Number(y);
}

function monthOf(ds: string, place: string): MonthNumber {
  try {
    return parseMonth(ds.slice(0, 'YYYY-MM'.length));
  } catch {
    throw new UsageError(`${place}: ds: expected a date that begins with YYYY-MM, got "${ds}"`);
  }
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
