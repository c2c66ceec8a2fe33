import { type MonthNumber } from '../../forecasting/index.js';
import { type DayNumber, dayNumber } from '../upload/demand-day.js';
import type { DailyDemand } from './daily-demand.js';

/** Preceding months whose silences count: a year and a month, to include last year's holidays. */
export const MONTHS_BEFORE = 13;
/** Minimum number of days missing at the end of a month: fewer are more likely a weekend or a holiday than days still to be uploaded. */
const MIN_LACKING = 5;
/**
 * Minimum number of days on record in the preceding months: with fewer, demand is monthly, or too sparse for its silences to mean anything.
 */
const MIN_DAYS = 26;

/** Whether the newest day on record is early enough in the month that later days may still be to be uploaded. */
export function endsEarly(month: MonthNumber, newest: DayNumber): boolean {
  return newest >= firstDayOf(month) && lackingDays(month, newest) >= MIN_LACKING;
}

/** The days on record in a workspace, to decide whether its newest month lacks its end. */
export class RecordedDays {
  private readonly days: Set<DayNumber>;
  private byDays = 0;
  private byMonth = 0;

  /**
   * @param month the newest complete month with demand
   * @param newest the newest day on record
   */
  constructor(
    private readonly month: MonthNumber,
    private readonly newest: DayNumber,
  ) {
    this.days = new Set([newest]);
  }

  /** Adds a series, from {@link MONTHS_BEFORE} months before the month. */
  addSeries(demand: readonly DailyDemand[]): void {
    // many systems write a month as its first day: a series without other days counts as monthly
    const isByDays = demand.some(({ values }) => values.subarray(1).some((value) => !Number.isNaN(value)));
    if (isByDays) for (const month of demand) this.addDays(month);
    const newest = demand.find(({ month }) => month === this.month);
    if (newest === undefined) return;
    if (isByDays && !newest.isFigure) this.byDays += 1;
    else if (newest.values[0] !== 0) this.byMonth += 1; // a zero may have been filled in
  }

  private addDays({ month, isFigure, values }: DailyDemand): void {
    if (isFigure) return;
    const first = firstDayOf(month);
    values.forEach((value, index) => {
      if (!Number.isNaN(value) && first + index < this.newest) this.days.add(first + index);
    });
  }

  /**
   * Whether the silence from the newest day to the end of its month is longer than any before. False if most series have the month as a
   * single figure, which covers all of it, or if the workspace's demand is not daily.
   */
  lacksEnd(): boolean {
    if (!endsEarly(this.month, this.newest) || this.byDays <= this.byMonth) return false;
    const days = [...this.days].sort((a, b) => a - b);
    if (days.filter((day) => day < firstDayOf(this.month)).length < MIN_DAYS) return false;
    const longestSilence = Math.max(...days.slice(1).map((day, index) => day - days[index]! - 1));
    return lackingDays(this.month, this.newest) > longestSilence;
  }
}

/** Days of the month after the newest day; negative if that is in a later month. */
function lackingDays(month: MonthNumber, newest: DayNumber): number {
  return firstDayOf(month + 1) - 1 - newest;
}

function firstDayOf(month: MonthNumber): DayNumber {
  return dayNumber(Math.floor(month / 12), (month % 12) + 1, 1);
}
