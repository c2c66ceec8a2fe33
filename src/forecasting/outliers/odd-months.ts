import { MAD_TO_DEVIATION, median } from '../../numeric/sample-quantile.js';
import type { CalendarAdjustment } from '../calendar-regression/adjustment.js';
import { SEASON } from '../types.js';

/** Months before and after one that the level there is estimated from. */
const NEIGHBORS = 3;
/**
 * A month is odd beyond this many robust standard deviations from the level before and after it, and beyond half or double of it.
 * Of 5, 6 and 8 deviations and factors of 1.6 and 2, all are alike or gain on training origins of m3, hospital, tourism and M1.
 */
const ODD_DEVIATIONS = 6;
export const ODD_FACTOR = 2;
/** A month without demand counts as a tenth of the level: odd only where demand varies by less than 40 %. */
const NO_DEMAND = -Math.log(10);
/** Longest run of odd months: a longer one is a level. */
const MAX_RUN = 3;
/**
 * How many may be odd: low ones one in ten or one run, for fewer leave even q10 to the other months; high ones one in twenty-four;
 * one of each in any case. Where there are more they are part of what is sold: a promotion a year, in whichever month, is demand
 * to be expected.
 */
const LOW_SHARE = 1 / 10;
const HIGH_SHARE = 1 / 24;

/** Odd months, by how far they are off in logarithms. */
export type OddMonths = ReadonlyMap<number, number>;

/**
 * Months that are odd: beyond the limit from the usual months before them and from those after them, on the same side of both, in a
 * short run, and not odd every year.
 * @param values monthly demand, NaN where missing
 * @param known months known as odd, by which no other is judged
 * @param judged observed months that are judged, in order
 * @param adjustment of the usual months
 */
export function findOddMonths(
  values: Float64Array,
  known: OddMonths,
  judged: readonly number[],
  { restoreValue }: Pick<CalendarAdjustment, 'restoreValue'>,
): OddMonths {
  const levels = judged.map((t) => Math.log(values[t]! / restoreValue(1, t)));
  const isUsual = judged.map((t) => values[t]! > 0 && !known.has(t));
  const sides = judged.map((_, i) => [nearestUsual(levels, isUsual, i, -1), nearestUsual(levels, isUsual, i, 1)]);
  const deviation = (i: number, neighbors: readonly number[]): number =>
    Math.max(NO_DEMAND, levels[i]! - median(neighbors));
  const spread = median(sides.map((neighbors, i) => Math.abs(deviation(i, neighbors.flat()))));
  const limit = Math.max(ODD_DEVIATIONS * MAD_TO_DEVIATION * spread, Math.log(ODD_FACTOR));
  const offs = sides.map((neighbors, i) =>
    smallest(neighbors.filter(({ length }) => length > 0).map((side) => deviation(i, side))),
  );
  const beyond = new Map<number, number>();
  judged.forEach((t, i) => {
    const hasBothSides = sides[i]!.every(({ length }) => length > 0);
    if (hasBothSides && Math.abs(offs[i]!) > limit) beyond.set(t, offs[i]!);
  });
  /** The same month of every year, in order: whether it is off to that side, or nearly so (at either end by one side alone). */
  const years = (t: number, off: number): boolean[] =>
    offs
      .filter((_, j) => (judged[j]! - t) % SEASON === 0)
      .map((other) => other * off > 0 && Math.abs(other) > limit / 2);
  return new Map([...beyond].filter(([t, off]) => isShortRun(t, beyond) && !recurs(years(t, off), values[t] === 0)));
}

/** Levels of the nearest usual months on one side of the i-th, the nearest first. */
function nearestUsual(
  levels: readonly number[],
  isUsual: readonly boolean[],
  i: number,
  step: -1 | 1,
): readonly number[] {
  const nearest: number[] = [];
  for (let j = i + step; j >= 0 && j < levels.length && nearest.length < NEIGHBORS; j += step) {
    if (isUsual[j]) nearest.push(levels[j]!);
  }
  return nearest;
}

/**
 * Whether the deviations of one calendar month, by year, are part of its season. Any other year is enough, but for months without
 * demand, since shortages fall on the same month by chance: those come again where, counted from one of them until now, more than
 * half of the years have them. One year alone is not enough to decide.
 */
function recurs(years: readonly boolean[], withoutDemand: boolean): boolean {
  if (years.length < 2) return true;
  if (!withoutDemand) return years.filter(Boolean).length > 1;
  const latestFirst = years.toReversed();
  return latestFirst.some((_, i) => {
    const count = latestFirst.slice(0, i + 1).filter(Boolean).length;
    return count > 1 && 2 * count > i + 1;
  });
}

/** The smallest of deviations that are all on one side of zero, else 0. */
function smallest(deviations: readonly number[]): number {
  const [first = 0] = deviations;
  if (!deviations.every((deviation) => deviation * first > 0)) return 0;
  return Math.sign(first) * Math.min(...deviations.map(Math.abs));
}

function isShortRun(t: number, beyond: OddMonths): boolean {
  let first = t;
  let last = t;
  while (beyond.has(first - 1)) first--;
  while (beyond.has(last + 1)) last++;
  return last - first < MAX_RUN;
}

/** Whether so few of the months are odd that they are no part of what is sold. */
export function areRare(odd: OddMonths, months: number): boolean {
  const low = lowMonths(odd);
  const inOneRun = Math.max(...low) - Math.min(...low) < Math.min(low.length, MAX_RUN);
  const high = odd.size - low.length;
  return (inOneRun || low.length <= months * LOW_SHARE) && high <= Math.max(1, months * HIGH_SHARE);
}

/** The odd months below their level, in order. */
export function lowMonths(odd: OddMonths): number[] {
  return [...odd].filter(([, deviation]) => deviation < 0).map(([t]) => t);
}
