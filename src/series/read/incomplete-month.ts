import { type MonthNumber } from '../../forecasting/index.js';
import { type DayNumber, dayNumber } from '../upload/demand-day.js';
import type { DailyDemand } from './daily-demand.js';

/** Months before the one in question whose silences count: a year and a month, so that last year's holidays are among them. */
export const MONTHS_BEFORE = 13;
/** Fewest days that a month lacks at its end: fewer are a weekend or a holiday more likely than days that are still to be uploaded. */
const FEWEST_LACKING = 5;
/** Fewest days on record in the months before: demand on fewer comes by the month, or too rarely for its silences to tell anything. */
const FEWEST_DAYS = 26;

/** Whether the newest day on record lies so early in the month that those after it may be still to be uploaded. */
export function endsEarly(month: MonthNumber, newest: DayNumber): boolean {
  return newest >= firstDayOf(month) && lackingDays(month, newest) >= FEWEST_LACKING;
}

/** The days on record of a workspace: whether they are those of a month that lacks its end. */
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
    // many systems write a month as its first day: a series without other days is kept by the month
    const isByDays = demand.some(({ values }) => values.subarray(1).some((value) => !Number.isNaN(value)));
    if (isByDays) for (const month of demand) this.addDays(month);
    const newest = demand.find(({ month }) => month === this.month);
    if (newest === undefined) return;
    if (isByDays && !newest.isFigure) this.byDays += 1;
    else if (newest.values[0] !== 0) this.byMonth += 1; // a zero may be filled in
  }

  private addDays({ month, isFigure, values }: DailyDemand): void {
    if (isFigure) return;
    const first = firstDayOf(month);
    values.forEach((value, index) => {
      if (!Number.isNaN(value) && first + index < this.newest) this.days.add(first + index);
    });
  }

  /**
   * Whether the silence from the newest day to the end of its month is longer than any before. Not so where most series have the month
   * as one figure, which knows all of it, and where the workspace is not kept by days.
   */
  lackTheEnd(): boolean {
    if (!endsEarly(this.month, this.newest) || this.byDays <= this.byMonth) return false;
    const days = [...this.days].sort((a, b) => a - b);
    if (days.filter((day) => day < firstDayOf(this.month)).length < FEWEST_DAYS) return false;
    const longestSilence = Math.max(...days.slice(1).map((day, index) => day - days[index]! - 1));
    return lackingDays(this.month, this.newest) > longestSilence;
  }
}

/** Days of the month after the newest; below zero where that lies in a later month. */
function lackingDays(month: MonthNumber, newest: DayNumber): number {
  return firstDayOf(month + 1) - 1 - newest;
}

function firstDayOf(month: MonthNumber): DayNumber {
  return dayNumber(Math.floor(month / 12), (month % 12) + 1, 1);
}
