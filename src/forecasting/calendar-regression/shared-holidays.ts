import type { DemandHistory, MonthlyDemand } from '../types.js';
import { usualPrior } from './calendar-prior.js';
import type { HolidayName } from './moving-holidays.js';
import { fitPosterior } from './posterior.js';
import { COMMON_COLUMNS } from './regressors.js';
import { whiten, WINDOW_MONTHS } from './whitening.js';

/** Fewer series than this in a month make no average of it. */
const MIN_SERIES = 8;

/**
 * Holidays whose effect shows in the average course of a workspace, with the effect. Shocks of single years that the series share are
 * noise of that average; counted one by one, every series would be evidence for them.
 */
export function sharedHolidays(histories: readonly DemandHistory[]): ReadonlyMap<HolidayName, number> {
  const { values, startMonth } = averageCourse(histories);
  const prior = usualPrior();
  const whitened = whiten(values, startMonth, prior.holidays);
  if (!whitened) return new Map();
  const { coefficients, holidays } = fitPosterior(whitened, prior);
  return new Map(holidays.map((name, i) => [name, coefficients[COMMON_COLUMNS + i]!]));
}

/**
 * The last months that enough series of a workspace have: means, over the series, of the change of their logarithms from month to month,
 * added up. A few series that go on for longer than the others do not end it.
 */
function averageCourse(histories: readonly DemandHistory[]): MonthlyDemand {
  const ends = histories.map(({ startMonth, values }) => startMonth + values.length).sort((a, b) => b - a);
  const start = ends[MIN_SERIES - 1]! - WINDOW_MONTHS;
  const sums = new Float64Array(WINDOW_MONTHS);
  const counts = new Float64Array(WINDOW_MONTHS);
  for (const { startMonth, values } of histories) {
    const end = Math.min(values.length, start + WINDOW_MONTHS - startMonth);
    for (let t = Math.max(1, start - startMonth); t < end; t++) {
      const change = Math.log(values[t]! / values[t - 1]!);
      if (!Number.isFinite(change)) continue;
      sums[startMonth + t - start]! += change;
      counts[startMonth + t - start]!++;
    }
  }
  const last = counts.findLastIndex((count) => count >= MIN_SERIES) + 1;
  const first = counts.subarray(0, last).findLastIndex((count) => count < MIN_SERIES) + 1;
  let level = 0;
  const values = sums.subarray(first, last).map((sum, t) => Math.exp((level += sum / counts[first + t]!)));
  return { values, startMonth: start + first };
}
