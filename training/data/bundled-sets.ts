import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** The sets under bench/data (their sources: bench/data/ATTRIBUTION.md). */
export const BUNDLED_SETS = ['m3', 'hospital', 'carparts2509'] as const;
export type SetName = (typeof BUNDLED_SETS)[number];

export interface BundledSeries {
  readonly id: string;
  /** First month, `yyyy-mm-dd`. */
  readonly start: string;
  readonly train: Float64Array;
  readonly test: Float64Array;
}

function readPart(file: string): Map<string, { start: string; values: number[] }> {
  const parts = new Map<string, { start: string; values: number[] }>();
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n').slice(1);
  for (const line of lines) {
    if (line === '') continue;
    const [id, date, value] = line.split(',');
    if (id === undefined || date === undefined || value === undefined) throw new Error(`${file}: bad line "${line}"`);
    const series = parts.get(id) ?? { start: date, values: [] };
    series.values.push(Number(value));
    parts.set(id, series);
  }
  return parts;
}

/** Reads one set; `directory` is bench/data. */
export function readSet(directory: string, set: SetName): BundledSeries[] {
  const train = readPart(`${directory}/${set}/train.csv.gz`);
  const test = readPart(`${directory}/${set}/test.csv.gz`);
  return Array.from(train, ([id, { start, values }]) => {
    const future = test.get(id);
    if (future === undefined) throw new Error(`${set}: series ${id} has no test part`);
    return { id, start, train: Float64Array.from(values), test: Float64Array.from(future.values) };
  });
}
