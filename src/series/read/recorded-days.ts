import { type MonthNumber } from '../../forecasting/index.js';
import { type DayNumber, firstDayOf } from '../day-number.js';
import type { DailyDemand } from './daily-demand.js';

/** Preceding months whose silences count: a year and a month, to include last year's holidays. */
export const MONTHS_BEFORE = 13;
/** Minimum number of days missing in a row: fewer are more likely a weekend or a holiday than days still to be uploaded. */
export const MIN_LACKING = 5;
/**
 * Minimum number of days on record in the preceding months: with fewer, demand is monthly, or too sparse for its silences to mean anything.
 */
export const MIN_DAYS = 26;

/** The days on record in a workspace, whichever series have demand on them. */
export class RecordedDays {
  private readonly days = new Set<DayNumber>();
  private byDays = 0;
  private byMonth = 0;

  /**
   * @param month the month by which {@link isDaily} is decided
   * @param last later days are ignored: entered in advance, they do not show how far demand is known
   */
  constructor(
    private readonly month: MonthNumber,
    private readonly last: DayNumber,
  ) {}

  /** Adds a series. */
  addSeries(demand: readonly DailyDemand[]): void {
    // many systems write a month as its first day: a series without other days counts as monthly
    const isByDays = demand.some(({ values }) => values.subarray(1).some((value) => !Number.isNaN(value)));
    if (isByDays) for (const month of demand) this.addDays(month);
    const newest = demand.find(({ month }) => month === this.month);
    if (newest === undefined) return;
    if (isByDays && !newest.isFigure) this.byDays += 1;
    else if (!mayBeFilled(newest.values)) this.byMonth += 1;
  }

  private addDays({ month, isFigure, values }: DailyDemand): void {
    if (isFigure || mayBeFilled(values)) return;
    const first = firstDayOf(month);
    values.forEach((value, index) => {
      if (!Number.isNaN(value) && first + index <= this.last) this.days.add(first + index);
    });
  }

  /** Whether most series that have the month have it by days, rather than as a single figure, which covers all of it. */
  isDaily(): boolean {
    return this.byDays > this.byMonth;
  }

  /** In ascending order. */
  inOrder(): readonly DayNumber[] {
    return [...this.days].sort((a, b) => a - b);
  }
}

/** Whether the only value of the month may have been filled in: a zero on its first day. */
function mayBeFilled(values: Float64Array): boolean {
  return values[0] === 0 && values.subarray(1).every(Number.isNaN);
}

/** Number of days between two days. */
export const daysBetween = (earlier: DayNumber, later: DayNumber): number => later - earlier - 1;

/** The longest silence between two of the days, in days; 0 if there are none. */
export function longestSilence(days: readonly DayNumber[]): number {
  return Math.max(0, ...days.slice(1).map((day, index) => daysBetween(days[index]!, day)));
}
