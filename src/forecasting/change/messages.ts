import { monthInWords } from '../calendar.js';
import { comesInWholeUnits } from '../../numeric/whole-units.js';
import type { DemandHistory } from '../types.js';
import { inMonths, LARGEST_PERCENT, readable, readableMean, unitSuffix } from '../wording.js';
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
  const usual = `the ${meanOf(history, expected)} expected`;
  const demand = `${readable(observed)}${unitSuffix(history.unit)}`;
  return {
    kind: observed > expected ? 'spike' : 'drop',
    month,
    detectedMonth: month,
    severity: severityOf(changePercent),
    changePercent,
    message:
      observed < 0
        ? `More was returned than sold in ${monthInWords(month)}: demand was ${demand} against ${usual}.`
        : expected === 0
          ? `Demand in ${monthInWords(month)} was ${demand} where none was expected.`
          : `Demand in ${monthInWords(month)} was ${demand}, ${readable(Math.abs(changePercent))} % ` +
            `${observed > expected ? 'above' : 'below'} ${usual}.`,
  };
}

/** A new level since `start`, given away by the month `end`. */
export function levelShift(history: DemandHistory, start: number, end: number, totals: ShiftTotals): DemandChange {
  const month = history.startMonth + start;
  const changePercent = percentChange(totals.observed, totals.expected);
  const up = totals.observed > totals.expected;
  const since = `since ${monthInWords(month)}`;
  return {
    kind: up ? 'level_shift_up' : 'level_shift_down',
    month,
    detectedMonth: history.startMonth + end,
    severity: severityOf(changePercent),
    changePercent,
    message:
      (totals.observed < 0
        ? `More has been returned than sold ${since}: `
        : totals.expected === 0
          ? `There has been demand ${since} where none was expected: `
          : `Demand has been ${readable(Math.abs(changePercent))} % ${up ? 'higher' : 'lower'} than expected ${since}: `) +
      `${meanOf(history, totals.observed / totals.months)}${unitSuffix(history.unit)} a month over the first ` +
      `${totals.months === 1 ? 'month' : inMonths(totals.months)} against ${meanOf(history, totals.expected / totals.months)}.`,
  };
}

/** No demand can fall by more than all of itself: months of more returns than demand count as months without any. */
const SMALLEST_PERCENT = -100;

/** Change in percent of the expected, -100 at least; demand out of nothing counts as 100 %. */
function percentChange(observed: number, expected: number): number {
  if (!(expected > 0)) return observed > 0 ? 100 : 0;
  return Math.max(Math.min((100 * (observed - expected)) / expected, LARGEST_PERCENT), SMALLEST_PERCENT);
}

function meanOf(history: DemandHistory, value: number): string {
  return readableMean(value, comesInWholeUnits(history.values));
}
