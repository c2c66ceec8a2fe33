import { monthInWords } from '../calendar.js';
import { comesInPieces } from '../history.js';
import type { DemandHistory } from '../types.js';
import { inMonths, readable, readableMean } from '../wording.js';
import { DemandChange, severityOf } from './types.js';

/** Totals of the months since a level shift began. */
export interface ShiftTotals {
  readonly observed: number;
  readonly expected: number;
  readonly months: number;
}

/** One month far above or below what was expected of it. */
export function spikeOrDrop(history: DemandHistory, index: number, observed: number, expected: number): DemandChange {
  const month = history.startMonth + index;
  const changePercent = percentChange(observed, expected);
  const direction = observed > expected ? 'above' : 'below';
  return {
    kind: observed > expected ? 'spike' : 'drop',
    month,
    detectedMonth: month,
    severity: severityOf(changePercent),
    changePercent,
    message:
      `Demand in ${monthInWords(month)} was ${readable(observed)}${unitOf(history)}, ` +
      `${readable(Math.abs(changePercent))} % ${direction} the ${meanOf(history, expected)} expected.`,
  };
}

/** A new level since `start`, given away by the month `end`. */
export function levelShift(history: DemandHistory, start: number, end: number, totals: ShiftTotals): DemandChange {
  const month = history.startMonth + start;
  const changePercent = percentChange(totals.observed, totals.expected);
  const up = totals.observed > totals.expected;
  return {
    kind: up ? 'level_shift_up' : 'level_shift_down',
    month,
    detectedMonth: history.startMonth + end,
    severity: severityOf(changePercent),
    changePercent,
    message:
      `Demand has been ${readable(Math.abs(changePercent))} % ${up ? 'higher' : 'lower'} than expected since ${monthInWords(month)}: ` +
      `${meanOf(history, totals.observed / totals.months)}${unitOf(history)} a month over ${inMonths(totals.months)} against ` +
      `${meanOf(history, totals.expected / totals.months)}.`,
  };
}

/** Largest change that is told as a percentage; out of next to nothing everything is a large one. */
const LARGEST_PERCENT = 9999;

/** Change in percent of the expected; demand out of nothing counts as 100 %. */
function percentChange(observed: number, expected: number): number {
  if (expected > 0) return Math.min((100 * (observed - expected)) / expected, LARGEST_PERCENT);
  return observed > 0 ? 100 : 0;
}

function meanOf(history: DemandHistory, value: number): string {
  return readableMean(value, comesInPieces(history.values));
}

function unitOf({ unit }: DemandHistory): string {
  return unit === undefined || unit === '' ? '' : ` ${unit}`;
}
