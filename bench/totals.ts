import {
  DEFAULT_SETTINGS,
  forecastSeries,
  LEVELS,
  poolWorkspace,
  type SeriesForecast,
  TotalForecast,
} from '../src/forecasting/index.js';
import type { Arguments } from './support/arguments.js';
import { BUNDLED_SETS, cutBack, readSets, type BenchmarkSet } from './support/data-sets.js';

/** Series in a total. */
const SIZES = [10, 50, 200];
/** Months in a total, from the first one of the forecast on. */
const PERIODS = { month: 1, quarter: 3, year: 12 };
const HORIZON = 12;

interface Item {
  readonly forecast: SeriesForecast;
  readonly history: Float64Array;
  readonly actual: Float64Array;
}

/** See {@link run}. */
export const OPTIONS = { values: ['sets', 'cut'] };

/**
 * Coverage of q10 to q90 of the total demand of series that lie evenly spread over a set, as if all histories ended in the same month:
 * of each month of a year, each quarter and the year; and of the sums of the q10 and the q90 of their months, which are not the
 * quantiles of the sum. A total on the edge of a range counts half. Options: `--sets m3,hospital`, `--cut 1` (one horizon earlier, where
 * constants may be chosen). `width` is that of the range in units of the other.
 */
export function run(options: Arguments): Promise<object> {
  const report: Record<string, Record<string, number>> = {};
  for (const read of readSets(options.list('sets') ?? BUNDLED_SETS)) {
    const items = forecastSet(cutBack(read, options.count('cut') ?? 0));
    for (const size of SIZES) {
      const groups = groupsOf(items, size);
      const row: Record<string, number> = { totals: groups.length };
      for (const [name, months] of Object.entries(PERIODS)) {
        const { covered, coveredBySums, width } = judge(groups, months);
        row[name] = Number(covered.toFixed(1));
        row[`${name}, by sums`] = Number(coveredBySums.toFixed(1));
        row[`${name}, width`] = Number(width.toFixed(2));
      }
      report[`${read.name}, ${size} series`] = row;
    }
  }
  return Promise.resolve(report);
}

function forecastSet({ series }: BenchmarkSet): Item[] {
  const settings = { ...DEFAULT_SETTINGS, horizon: HORIZON };
  const pooled = poolWorkspace(
    series.map(({ history }) => history),
    settings,
  );
  return series.flatMap(({ history, actual }) => {
    const result = forecastSeries(history, pooled, settings);
    if (result.kind === 'skipped') return [];
    const backtest = result.backtest.map((window) => ({
      ...window,
      firstMonth: window.firstMonth - result.firstMonth,
    }));
    return [{ forecast: { ...result, firstMonth: 0, backtest }, history: history.values, actual }];
  });
}

/** Each series in one total; a few are left over. */
function groupsOf(items: readonly Item[], size: number): Item[][] {
  const count = Math.floor(items.length / size);
  return Array.from({ length: count }, (_, group) => items.filter((_item, i) => i % count === group).slice(0, size));
}

/**
 * Percent of totals within their q10 and q90, and within the sums of those of their months; and how wide the one range is in units of
 * the other, on average.
 */
function judge(
  groups: readonly (readonly Item[])[],
  months: number,
): { covered: number; coveredBySums: number; width: number } {
  const known = { totals: 0, covered: 0, coveredBySums: 0, widths: 0, width: 0 };
  for (const group of groups) {
    totalOf(group, months).forEach(({ quantiles }, period) => {
      const sumOf = (valueOf: (item: Item, month: number) => number): number =>
        sumOver(group, period * months, months, valueOf);
      const demand = sumOf(({ actual }, month) => actual[month] ?? NaN);
      if (Number.isNaN(demand)) return;
      const range = [quantiles[0]!, quantiles[LEVELS - 1]!] as const;
      const quantileOf = (level: number): number =>
        sumOf(({ forecast }, month) => forecast.quantiles[month * LEVELS + level]!);
      const sums = [quantileOf(0), quantileOf(LEVELS - 1)] as const;
      known.totals++;
      known.covered += inside(range, demand);
      known.coveredBySums += inside(sums, demand);
      if (sums[1] > sums[0]) {
        known.widths++;
        known.width += (range[1] - range[0]) / (sums[1] - sums[0]);
      }
    });
  }
  return {
    covered: (100 * known.covered) / known.totals,
    coveredBySums: (100 * known.coveredBySums) / known.totals,
    width: known.width / known.widths,
  };
}

function totalOf(group: readonly Item[], months: number): ReturnType<TotalForecast['totals']> {
  const total = new TotalForecast((month) => Math.floor(month / months));
  for (const { forecast, history } of group) total.add(forecast, history);
  return total.totals();
}

/** 1 inside of a range, a half on its edge. */
function inside([low, high]: readonly [number, number], demand: number): number {
  return (Number(demand >= low && demand <= high) + Number(demand > low && demand < high)) / 2;
}

function sumOver(
  group: readonly Item[],
  from: number,
  months: number,
  valueOf: (item: Item, month: number) => number,
): number {
  let sum = 0;
  for (const item of group) for (let k = 0; k < months; k++) sum += valueOf(item, from + k);
  return sum;
}
