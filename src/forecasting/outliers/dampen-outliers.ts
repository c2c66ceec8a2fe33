import { adjustCalendar, type CalendarAdjustment } from '../calendar-regression/adjustment.js';
import type { CalendarPrior } from '../calendar-regression/calendar-prior.js';
import { WINDOW_MONTHS } from '../calendar-regression/whitening.js';
import { bridgeGaps } from '../combination/bridged-gaps.js';
import { observedRange } from '../missing.js';
import { classifyDemand } from '../routing/classify.js';
import { SEASON, type MonthNumber, type OutlierPolicy } from '../types.js';
import { settleDemand } from './moved-demand.js';
import { areRare, findOddMonths, lowMonths, ODD_FACTOR, type OddMonths } from './odd-months.js';

/** Fewest months that can be judged: half of the calendar months are then seen twice. */
const MIN_MONTHS = 1.5 * SEASON;
/**
 * Months of the last year that may be without demand, unlike the year before, unless they are one silence: where one in ten is, more
 * are in one year of forty. An item that is ordered every third month now has more in half a year.
 */
const SILENT_LATELY = 3;
/** Rounds of judging anew without the odd months: they settle in two or three, a run of three in four. */
const ROUNDS = 5;

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
 * and does not recur from year to year: levels, yearly peaks and closures stay. It is replaced by the line between its neighbors
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
    const found = findOddMonths(values, odd, judged, adjustment);
    if (!areRare(found, judged.length)) return values;
    if (found.size === odd.size && [...found.keys()].every((t) => odd.has(t))) {
      return odd.size === 0 ? values : replaceOddMonths(values, odd, judged, usual, adjustment);
    }
    odd = found;
  }
  return values;
}

/** The history with each odd month on the line between its neighbors, and without demand that belongs to the low ones. */
function replaceOddMonths(
  values: Float64Array,
  odd: OddMonths,
  judged: readonly number[],
  usual: Float64Array,
  adjustment: CalendarAdjustment,
): Float64Array {
  const settled = settleDemand(values, new Set(lowMonths(odd)), adjustment);
  const bridged = bridgeGaps(usual, settled.adjustment);
  const replaced = new Set([...odd.keys(), ...endingSilence(values, odd, judged)]);
  return settled.values.map((value, t) => (replaced.has(t) ? bridged[t]! : value));
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
  return judged.length >= MIN_MONTHS && largest > ODD_FACTOR * smallest ? judged : null;
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
