import { type MonthNumber } from '../../forecasting/index.js';
import { type DayNumber, firstDayOf } from '../day-number.js';
import { daysBetween, longestSilence, MIN_DAYS, MIN_LACKING, type RecordedDays } from './recorded-days.js';

/** Whether the newest day on record is early enough in the month that later days may still be to be uploaded. */
export function endsEarly(month: MonthNumber, newest: DayNumber): boolean {
  return newest >= firstDayOf(month) && lackingDays(month, newest) >= MIN_LACKING;
}

/**
 * Whether the silence from the newest day to the end of its month is longer than any before. False if most series have the month as a
 * single figure, which covers all of it, or if the workspace's demand is not daily.
 * @param recorded the workspace's days up to the newest one, from {@link MONTHS_BEFORE} months before the month
 * @param month the newest complete month with demand
 * @param newest the newest day on record, whether or not it is among those given
 */
export function lacksEnd(recorded: RecordedDays, month: MonthNumber, newest: DayNumber): boolean {
  if (!endsEarly(month, newest) || !recorded.isDaily()) return false;
  const days = recorded.inOrder().filter((day) => day < newest);
  if (days.filter((day) => day < firstDayOf(month)).length < MIN_DAYS) return false;
  return lackingDays(month, newest) > longestSilence([...days, newest]);
}

/** Days of the month after the newest day; negative if that is in a later month. */
function lackingDays(month: MonthNumber, newest: DayNumber): number {
  return daysBetween(newest, firstDayOf(month + 1));
}
