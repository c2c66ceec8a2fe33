import { median } from '../numeric/sample-quantile.js';
import { adjustCalendar, type CalendarAdjustment } from './calendar-regression/adjustment.js';
import type { CalendarPrior } from './calendar-regression/calendar-prior.js';
import { WINDOW_MONTHS } from './calendar-regression/whitening.js';
import { bridgeGaps } from './combination/bridged-gaps.js';
import { observedRange } from './missing.js';
import { settleDemand } from './moved-demand.js';
import { classifyDemand } from './routing/classify.js';
import { SEASON, type MonthNumber, type OutlierPolicy } from './types.js';

/** Fewest months that can be judged: half of the calendar months are then seen twice. */
const MIN_MONTHS = 1.5 * SEASON;
/** Months before and after one that the level there is estimated from. */
const NEIGHBOURS = 3;
/**
 * A month is odd beyond this many robust standard deviations from the level before and after it, and beyond half or double of it.
 * Of 5, 6 and 8 deviations and factors of 1.6 and 2, all are alike or gain on training origins of m3, hospital, tourism and M1.
 */
const ODD_DEVIATIONS = 6;
const ODD_FACTOR = Math.LN2;
/** A month without demand counts as a tenth of the level: odd only where demand varies by less than 40 %. */
const NO_DEMAND = -Math.log(10);
/** Longest run of odd months: a longer one is a level. */
const LONGEST_RUN = 3;
/**
 * How many may be odd: low ones one in ten or one run, for fewer leave even q10 to the other months; high ones one in twenty-four;
 * one of each in any case. Where there are more they are part of what is sold: a promotion a year, in whichever month, is demand
 * to be expected.
 */
const LOW_SHARE = 1 / 10;
const HIGH_SHARE = 1 / 24;
/**
 * Months of the last year that may be without demand, unlike the year before, unless they are one silence: where one in ten is, more
 * are in one year of forty. An item that is ordered every third month now has more in half a year.
 */
const SILENT_LATELY = 3;
/** Median absolute deviation to standard deviation of a normal distribution. */
const MAD_TO_DEVIATION = 1.4826;
/** Rounds of judging anew without the odd months: they settle in two or three, a run of three in four. */
const ROUNDS = 5;

/** Odd months, by how far they are off in logarithms. */
type OddMonths = ReadonlyMap<number, number>;

/**
 * The history that is fitted: where the policy says so, with its odd months dampened ({@link dampenOutliers}). Small counts keep every
 * month, since the count model reads from them the step that demand comes in.
 */
export function applyOutlierPolicy(
  policy: OutlierPolicy,
  values: Float64Array,
  startMonth: MonthNumber,
  prior: CalendarPrior,
): Float64Array {
  const dampens = policy === 'dampen' && classifyDemand(values).countShare === 0;
  return dampens ? dampenOutliers(values, startMonth, prior) : values;
}

/**
 * The history with its odd months drawn to what is usual: mistyped quantities, stock-outs, single large orders. An odd month lies
 * beyond six robust standard deviations (Hampel, JASA 69, 1974) and beyond half or double of the months before it and of those
 * after it, in logarithms of the calendar-adjusted history. It is isolated (a run of three at most, usual months around it), rare,
 * and does not recur from year to year: levels, yearly peaks and closures stay. It is replaced by the line between its neighbours
 * with the season of its month. The rest is judged anew without it, because a season estimated with odd months hides them. Demand that
 * belongs to odd low months and was counted in the month beside them is taken off that one.
 * Last months without demand become missing where as long a silence was odd before: it ended, so will this one.
 * @param values monthly demand, not negative, NaN where missing
 * @param prior what the workspace knows of its season
 * @returns a copy; the very history where nothing is odd, or too little is known to decide
 */
export function dampenOutliers(values: Float64Array, startMonth: MonthNumber, prior: CalendarPrior): Float64Array {
  const judged = judgedMonths(values);
  if (!judged || isOftenSilent(values, judged.slice(-SEASON))) return values;
  let odd: OddMonths = new Map();
  for (let round = 0; round < ROUNDS; round++) {
    const usual = values.map((value, t) => (value === 0 || odd.has(t) ? NaN : value));
    const adjustment = adjustCalendar(usual, startMonth, prior);
    const found = oddMonths(values, odd, judged, adjustment);
    if (!areRare(found, judged.length)) return values;
    if (found.size === odd.size && [...found.keys()].every((t) => odd.has(t))) {
      if (odd.size === 0) return values;
      const settled = settleDemand(values, new Set(lowMonths(odd)), adjustment);
      const bridged = bridgeGaps(usual, settled.adjustment);
      const replaced = new Set([...odd.keys(), ...endingSilence(values, odd, judged)]);
      return settled.values.map((value, t) => (replaced.has(t) ? bridged[t]! : value));
    }
    odd = found;
  }
  return values;
}

/** Last months without demand that will end, since as long a silence was odd before; not those whose month had none a year ago. */
function endingSilence(values: Float64Array, odd: OddMonths, judged: readonly number[]): readonly number[] {
  const end = values.findLastIndex((value) => value > 0);
  const silent = judged.filter((t) => t > end);
  const asLong = [...odd.keys()].some((t) => silent.every((_, i) => values[t + i] === 0 && odd.has(t + i)));
  return asLong ? silent.filter((t) => values[t - SEASON] !== 0) : [];
}

/**
 * Observed months that are judged, in order; null where they are few, or all lie within half to double of each other, which
 * spares most steady histories the regression.
 */
function judgedMonths(values: Float64Array): readonly number[] | null {
  const first = Math.max(0, values.length - WINDOW_MONTHS);
  const judged: number[] = [];
  for (let t = first; t < values.length; t++) if (!Number.isNaN(values[t]!)) judged.push(t);
  const { smallest, largest } = observedRange(values.subarray(first));
  return judged.length >= MIN_MONTHS && largest > Math.exp(ODD_FACTOR) * smallest ? judged : null;
}

/** Months that are odd, judged by the level that those not known as `odd` have around them. */
function oddMonths(
  values: Float64Array,
  odd: OddMonths,
  judged: readonly number[],
  { restoreValue }: CalendarAdjustment,
): OddMonths {
  const levels = judged.map((t) => Math.log(values[t]! / restoreValue(1, t)));
  /** Levels of the nearest usual months with demand on one side of the i-th. */
  const beside = (i: number, step: -1 | 1): number[] => {
    const found: number[] = [];
    for (let j = i + step; j >= 0 && j < judged.length && found.length < NEIGHBOURS; j += step) {
      if (values[judged[j]!]! > 0 && !odd.has(judged[j]!)) found.push(levels[j]!);
    }
    return found;
  };
  const deviation = (i: number, neighbours: readonly number[]): number =>
    Math.max(NO_DEMAND, levels[i]! - median(neighbours));
  const sides = judged.map((_, i) => [beside(i, -1), beside(i, 1)]);
  const spread = median(sides.map((neighbours, i) => Math.abs(deviation(i, neighbours.flat()))));
  const limit = Math.max(ODD_DEVIATIONS * MAD_TO_DEVIATION * spread, ODD_FACTOR);
  const offs = sides.map((neighbours, i) =>
    smallest(neighbours.filter(({ length }) => length > 0).map((side) => deviation(i, side))),
  );
  const beyond = new Map<number, number>();
  judged.forEach((t, i) => {
    const bothSides = sides[i]!.every(({ length }) => length > 0);
    if (bothSides && Math.abs(offs[i]!) > limit) beyond.set(t, offs[i]!);
  });
  /** The same month of every year, in order: whether it is off to that side, or nearly so (at either end by one side alone). */
  const years = (t: number, off: number): boolean[] =>
    offs
      .filter((_, j) => (judged[j]! - t) % SEASON === 0)
      .map((other) => other * off > 0 && Math.abs(other) > limit / 2);
  return new Map([...beyond].filter(([t, off]) => isShortRun(t, beyond) && !recurs(years(t, off), values[t] === 0)));
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
  return last - first < LONGEST_RUN;
}

/**
 * Whether so many of the `latest` months are without demand, and not in one run, that this is how the item is ordered now: more than
 * the year before, or half of them. A silence that lasts until now is no evidence of that where it is longer than all before it together.
 */
function isOftenSilent(values: Float64Array, latest: readonly number[]): boolean {
  const end = values.findLastIndex((value) => value > 0);
  const silent = latest.filter((t) => values[t] === 0);
  const between = silent.filter((t) => t < end);
  const counted = 2 * between.length < silent.length ? between : silent;
  const unlikeBefore = counted.filter((t) => values[t - SEASON] !== 0);
  return (
    (unlikeBefore.length > SILENT_LATELY && !isOneRun(unlikeBefore)) ||
    (2 * counted.length >= latest.length && !isOneRun(counted))
  );
}

/** Whether ascending months, one at least, follow each other. */
function isOneRun(months: readonly number[]): boolean {
  return months.at(-1)! - months[0]! < months.length;
}

/** Whether so few of the months are odd that they are no part of what is sold. */
function areRare(odd: OddMonths, months: number): boolean {
  const low = lowMonths(odd);
  const inOneRun = Math.max(...low) - Math.min(...low) < Math.min(low.length, LONGEST_RUN);
  const high = odd.size - low.length;
  return (inOneRun || low.length <= months * LOW_SHARE) && high <= Math.max(1, months * HIGH_SHARE);
}

/** The odd months below their level, in order. */
function lowMonths(odd: OddMonths): number[] {
  return [...odd].filter(([, deviation]) => deviation < 0).map(([t]) => t);
}
