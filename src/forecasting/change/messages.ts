import { clamp } from '../../numeric/clamp.js';
import { sumOf } from '../../numeric/sum.js';
import { monthInWords } from '../calendar.js';
import type { DemandHistory } from '../types.js';
import { inMonths, MAX_PERCENT, percentInWords, readable, withUnit } from '../wording.js';
import { DemandChange, severityOf } from './types.js';

/** Totals of observed months, and what was expected of them before a level shift began. */
export interface ShiftTotals {
  readonly observed: number;
  readonly expected: number;
  readonly months: number;
}

/** An observed month after a level shift. */
export interface LaterMonth extends ShiftTotals {
  /** After a return, what the level of before the former shift makes of it; otherwise undefined. */
  readonly atFormerLevel?: number | undefined;
}

/** One month far above or below what was expected of it, which was known as that in the month `known`. */
export function spikeOrDrop(
  history: DemandHistory,
  index: number,
  observed: number,
  expected: number,
  known = index,
): DemandChange {
  const month = history.startMonth + index;
  const changePercent = percentChange(observed, expected);
  return {
    kind: observed > expected ? 'spike' : 'drop',
    month,
    detectedMonth: history.startMonth + known,
    severity: severityOf(changePercent),
    changePercent,
    message: spikeOrDropMessage(history, month, observed, expected),
  };
}

function spikeOrDropMessage(history: DemandHistory, month: number, observed: number, expected: number): string {
  const demand = withUnit(readable(observed), history.unit);
  const usual = `the ${readable(expected)} expected`;
  const when = monthInWords(month);
  if (observed < 0) return `More was returned than sold in ${when}: demand was ${demand} against ${usual}.`;
  if (observed === 0)
    return `There was no demand in ${when} against the ${withUnit(readable(expected), history.unit)} expected.`;
  if (isNone(expected, observed)) return `Demand in ${when} was ${demand} where none was expected.`;
  const apart =
    multiple(observed, expected) ?? `${distance(observed, expected)} ${observed > expected ? 'above' : 'below'}`;
  return `Demand in ${when} was ${demand}, ${apart} ${usual}.`;
}

/** Months of a level shift, as positions in its history. */
export interface ShiftMonths {
  /** The first of the new level. */
  readonly start: number;
  /** The one that gave it away. */
  readonly end: number;
  /** The first of the former shift, of the other direction, where demand is back at its level from before that. */
  readonly undone?: number | undefined;
}

/**
 * Months on another level than was expected of them, or back on the level from before the former shift.
 * @param later each observed month after them, which only a run over a longer history knows
 */
export function levelShift(
  history: DemandHistory,
  months: ShiftMonths,
  totals: ShiftTotals,
  later: readonly LaterMonth[],
): DemandChange {
  const { start, end, undone } = months;
  const month = history.startMonth + start;
  const { observed, expected } = totals;
  const changePercent = percentChange(observed, expected);
  const course = courseOf(history, months, totals, later);
  return {
    kind: observed > expected ? 'level_shift_up' : 'level_shift_down',
    month,
    detectedMonth: history.startMonth + end,
    severity: severityOf(changePercent),
    changePercent,
    message: levelShiftMessage(history, months, course),
    ...(undone === undefined ? {} : { undoesFormer: true }),
    ...(course.span.lasts ? {} : { isOver: true }),
  };
}

/** What became of a level shift: the months that it is known to have lasted for, and their totals. */
interface Course {
  readonly span: Span;
  readonly totals: ShiftTotals;
  readonly isSilence: boolean;
}

function courseOf(
  history: DemandHistory,
  { start, end }: ShiftMonths,
  totals: ShiftTotals,
  later: readonly LaterMonth[],
): Course {
  if (totals.observed === 0 && history.values.subarray(start, end + 1).every((value) => !(value > 0))) {
    return { span: silence(history, start, end), totals, isSilence: true };
  }
  const more = monthsUntilEnd(totals, later);
  if (more === undefined) return { span: lastingFrom(history, start), totals, isSilence: false };
  const span = pastMonths(history, start, nthObservedAfter(history, end, more));
  return { span, totals: later.slice(0, more).reduce(added, totals), isSilence: false };
}

function levelShiftMessage(
  history: DemandHistory,
  { undone }: ShiftMonths,
  { span, totals, isSilence }: Course,
): string {
  const { observed, expected, months } = totals;
  const usual = readable(expected / months);
  if (isSilence) {
    const there = span.lasts ? 'There has been' : 'There was';
    return `${there} no demand ${span.words} against the ${withUnit(usual, history.unit)} a month expected.`;
  }
  const course = undone === undefined ? shiftInWords(span, totals) : returnInWords(span, history.startMonth + undone);
  const over = span.lasts ? ` over the first ${months === 1 ? 'month' : inMonths(months)}` : '';
  const against = isNone(expected, observed) ? '' : ` against ${usual}`;
  return `${course}: ${withUnit(readable(observed / months), history.unit)} a month${over}${against}.`;
}

/** Months that say whether a level still lasts, at least: one alone may stand out from it. */
const MIN_MONTHS_TO_END = 2;

/**
 * How many of the later months a shift lasted for that no longer does: as many as it was found in, or all if there are fewer, are at last
 * together nearer to what was expected of them than to the new level. Its end is where the months since are that most clearly.
 * Undefined while it lasts.
 */
function monthsUntilEnd({ observed, expected, months }: ShiftTotals, later: readonly LaterMonth[]): number | undefined {
  if (later.length < MIN_MONTHS_TO_END) return undefined;
  // of next to nothing, months differ a thousandfold, and not by a season
  const isSeasonal = !isNone(expected, observed);
  const beyond = later.map((month) => {
    const share = isSeasonal ? month.expected / expected : month.months / months;
    const lasting = month.atFormerLevel ?? month.expected + share * (observed - expected);
    const halfway = (month.expected + lasting) / 2;
    return observed > expected ? halfway - month.observed : month.observed - halfway;
  });
  if (!(sumOf(beyond, beyond.length - Math.max(months, MIN_MONTHS_TO_END)) > 0)) return undefined;
  let [sum, most, first] = [0, 0, beyond.length];
  for (let i = beyond.length - 1; i >= 0; i--) {
    sum += beyond[i]!;
    if (sum > most) [most, first] = [sum, i];
  }
  return first;
}

function added(a: ShiftTotals, b: ShiftTotals): ShiftTotals {
  return { observed: a.observed + b.observed, expected: a.expected + b.expected, months: a.months + b.months };
}

/** Position of the `n`th observed month after `index`; `index` for 0. */
function nthObservedAfter({ values }: DemandHistory, index: number, n: number): number {
  let [at, left] = [index, n];
  while (left > 0) if (!Number.isNaN(values[++at]!)) left--;
  return at;
}

/** The months of a shift in words. */
interface Span {
  readonly lasts: boolean;
  readonly words: string;
}

const lastingFrom = ({ startMonth }: DemandHistory, start: number): Span => ({
  lasts: true,
  words: `since ${monthInWords(startMonth + start)}`,
});

function pastMonths({ startMonth }: DemandHistory, start: number, end: number): Span {
  const from = monthInWords(startMonth + start);
  return { lasts: false, words: end === start ? `in ${from}` : `from ${from} to ${monthInWords(startMonth + end)}` };
}

/** Months without demand from `start` on: as lasting only if none came after `end`, which a run over later months knows. */
function silence(history: DemandHistory, start: number, end: number): Span {
  const { values } = history;
  const resumed = values.findIndex((value, t) => t > end && value > 0);
  if (resumed < 0) return lastingFrom(history, start);
  const last = values.findLastIndex((value, t) => t < resumed && !Number.isNaN(value));
  return pastMonths(history, start, last);
}

function shiftInWords({ lasts, words }: Span, { observed, expected }: ShiftTotals): string {
  const was = lasts ? 'has been' : 'was';
  if (observed < 0) return `More ${was} returned than sold ${words}`;
  if (isNone(expected, observed)) return `There ${was} demand ${words} where none was expected`;
  const times = multiple(observed, expected);
  if (times !== undefined) return `Demand ${was} ${times} what was expected ${words}`;
  return `Demand ${was} ${distance(observed, expected)} ${observed > expected ? 'higher' : 'lower'} than expected ${words}`;
}

function returnInWords({ lasts, words }: Span, undone: number): string {
  return `Demand ${lasts ? 'has been' : 'was'} back ${words} at its level from before ${monthInWords(undone)}`;
}

/** No demand can fall by more than all of itself: months of more returns than demand count as months without any. */
const MIN_PERCENT = -100;

/** Change in percent of the expected, -100 at least; demand out of nothing counts as 100 %. */
function percentChange(observed: number, expected: number): number {
  if (!(expected > 0)) return 100;
  return clamp((100 * (observed - expected)) / expected, MIN_PERCENT, MAX_PERCENT);
}

/** What was expected is none to people below this, and below this share of the observed: after months without demand smoothing leaves 0.0033 pieces. */
const NEGLIGIBLE = { units: 0.01, share: 0.001 };

function isNone(expected: number, observed: number): boolean {
  return expected <= Math.min(NEGLIGIBLE.units, NEGLIGIBLE.share * Math.abs(observed));
}

/** Multiple of the expected from which a rise is given as one: nobody reads "1,174 % higher". */
const MIN_MULTIPLE = 4;

/** `4.4 times`, `13 times`; undefined where a percentage is clearer, or nothing but `far` can be said. */
function multiple(observed: number, expected: number): string | undefined {
  const times = observed / expected;
  if (!(times >= MIN_MULTIPLE) || percentChange(observed, expected) === MAX_PERCENT) return undefined;
  return `${readable(times < 10 ? times : Math.round(times))} times`;
}

/** `50 %`, or `far` where the percentage is cut off; of a fall to next to nothing `almost 100 %`. */
function distance(observed: number, expected: number): string {
  const percent = percentChange(observed, expected);
  if (percent === MAX_PERCENT) return 'far';
  const size = percentInWords(Math.abs(percent));
  return size === '100 %' && observed > 0 && percent < 0 ? `almost ${size}` : size;
}
