import { sumOf } from '../../../numeric/sum.js';
import { calendarMonth } from '../../calendar.js';
import { countObserved, meanObserved } from '../../missing.js';
import { SEASON, type MonthlyDemand, type MonthNumber } from '../../types.js';
import { countDemand, type CountedDemand } from '../demand-units.js';

/** Demand of one series in whole steps, by month. */
export interface DatedCounts extends CountedDemand {
  readonly startMonth: MonthNumber;
}

/** Demand by calendar month (January first) beside what it would be without a season, both over the dispersion of the series. */
export interface MonthSums {
  readonly demand: Float64Array;
  readonly level: Float64Array;
}

/** How demand differs between the same months of two years: season leaves no trace in it. */
export interface YearlyChanges {
  readonly pairs: number;
  /** Sum of the squared differences. */
  readonly squares: number;
  /** Sum of the demand of both months. */
  readonly demand: number;
}

/** What a series with two years or more says about the seasons of its workspace. */
export interface SeasonEvidence {
  readonly series: DatedCounts;
  /** Of each of its steps of demand, among those of the others. */
  readonly weight: number;
  readonly sums: MonthSums;
}

/** Seasons change; the combination's calendar regression looks as far back. */
const MAX_YEARS = 5;
/** Fewest observed months of a year that its level is estimated from. */
const MIN_MONTHS = 6;
/** Steps of demand with which a series' dispersion is shrunk toward that of the workspace. */
const PRIOR_DEMAND = 20;
/** Demand, as in {@link YearlyChanges}, from which the weight of a series hardly grows: large sellers must not decide for all. */
const LARGE_DEMAND = 20;

/** Counts the demand of a history. */
export function countByMonth({ values, startMonth }: MonthlyDemand): DatedCounts {
  return { ...countDemand(values), startMonth };
}

/** Differences between the months of the last years and the same months of the year before, where both are observed. */
export function yearlyChanges(counts: Float64Array): YearlyChanges {
  let pairs = 0;
  let squares = 0;
  let demand = 0;
  for (let t = Math.max(SEASON, counts.length - (MAX_YEARS - 1) * SEASON); t < counts.length; t++) {
    const now = counts[t]!;
    const before = counts[t - SEASON]!;
    if (Number.isNaN(now + before)) continue;
    pairs++;
    squares += (now - before) ** 2;
    demand += now + before;
  }
  return { pairs, squares, demand };
}

/** Variance to mean ratio of a series within its season, at least 1; `pooled` is that of its workspace. */
function dispersionOf({ squares, demand }: YearlyChanges, pooled: number): number {
  return Math.max(1, (squares + PRIOR_DEMAND * pooled) / (demand + PRIOR_DEMAND));
}

/** Weight of each step of demand of a series among others. */
export function weightOf({ demand }: YearlyChanges, dispersion: number): number {
  return 1 / (dispersion + demand / LARGE_DEMAND);
}

/**
 * Calls `visit` for each observed month of the last whole years, counted back from the end, with the mean month of its year. The level
 * of a part of a year would have its season in it.
 */
export function forEachMonth(counts: Float64Array, visit: (t: number, mean: number) => void): void {
  for (let end = counts.length, year = 0; end >= SEASON && year < MAX_YEARS; end -= SEASON, year++) {
    const from = end - SEASON;
    if (countObserved(counts, from, end) < MIN_MONTHS) continue;
    const mean = meanObserved(counts, from, end);
    for (let t = from; t < end; t++) if (!Number.isNaN(counts[t]!)) visit(t, mean);
  }
}

/** The evidence of one series; `pooled` is the dispersion of its workspace. */
export function seasonEvidence(series: DatedCounts, changes: YearlyChanges, pooled: number): SeasonEvidence {
  const dispersion = dispersionOf(changes, pooled);
  return { series, weight: weightOf(changes, dispersion), sums: monthSums(series, dispersion) };
}

/** Factors over their mean, so that a year keeps its sum. */
export function withMeanOne(factors: Float64Array): Float64Array {
  const mean = sumOf(factors) / SEASON;
  return factors.map((factor) => factor / mean);
}

/** Sums by calendar month, over the last years, each of them its own level, unless `forEach` visits others. */
function monthSums({ counts, startMonth }: DatedCounts, dispersion: number, forEach = forEachMonth): MonthSums {
  const demand = new Float64Array(SEASON);
  const level = new Float64Array(SEASON);
  forEach(counts, (t, mean) => {
    const month = calendarMonth(startMonth + t);
    demand[month]! += counts[t]! / dispersion;
    level[month]! += mean / dispersion;
  });
  return { demand, level };
}

/** The same of a series of few months, all at one level. */
export function sumsOfFewMonths(series: DatedCounts, dispersion: number): MonthSums {
  return monthSums(series, dispersion, (counts, visit) => {
    const mean = meanObserved(counts);
    counts.forEach((count, t) => Number.isNaN(count) || visit(t, mean));
  });
}
