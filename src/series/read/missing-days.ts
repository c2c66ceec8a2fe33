import { type MonthNumber } from '../../forecasting/index.js';
import { type DayNumber, firstDayOf } from '../day-number.js';
import { daysBetween, longestSilence, MIN_DAYS, MIN_LACKING, type RecordedDays } from './recorded-days.js';

/** Newest months whose silences are judged: as many as those whose drops a run reports. */
export const MONTHS_JUDGED = 3;
/**
 * Number of further days with demand that are to be expected in a silence, beyond the length of the longest one before. Where demand is at
 * random, one silence in five is the longest of a year: with 0, a run in six would name days on which nothing was sold.
 */
const MIN_EXPECTED = 2;

/** Consecutive days without demand in any series of a workspace. */
export interface Silence {
  readonly first: DayNumber;
  readonly last: DayNumber;
}

/**
 * The silences that begin in the last {@link MONTHS_JUDGED} months and are much longer than any in the 13 months before them, oldest first.
 * Empty if the workspace's demand is not daily.
 * @param recorded the workspace's days, from those 13 months to the month after the last one
 * @param lastMonth the last month in which a silence may begin
 */
export function findSilences(recorded: RecordedDays, lastMonth: MonthNumber): Silence[] {
  const judgedFrom = firstDayOf(lastMonth + 1 - MONTHS_JUDGED);
  const days = recorded.inOrder();
  const before = days.filter((day) => day < judgedFrom);
  if (!recorded.isDaily() || before.length < MIN_DAYS) return [];
  const share = before.length / (judgedFrom - before[0]!);
  const usual = longestSilence(before);
  return silences(days, MIN_LACKING).filter(
    ({ first, last }) =>
      first >= judgedFrom && first < firstDayOf(lastMonth + 1) && (last + 1 - first - usual) * share >= MIN_EXPECTED,
  );
}

/**
 * Whether more series cannot show any silence: those given have demand often enough.
 * @param end the last day that was looked at
 */
export function hasNoSilence(recorded: RecordedDays, lastMonth: MonthNumber, end: DayNumber): boolean {
  const judgedFrom = firstDayOf(lastMonth + 1 - MONTHS_JUDGED);
  const judged = recorded.inOrder().filter((day) => day >= judgedFrom);
  return longestSilence([judgedFrom - 1, ...judged, end + 1]) < MIN_LACKING;
}

/** The silences of at least `least` days between two of the days. */
function silences(days: readonly DayNumber[], least: number): Silence[] {
  return days.slice(1).flatMap((day, index) => {
    const before = days[index]!;
    return daysBetween(before, day) < least ? [] : [{ first: before + 1, last: day - 1 }];
  });
}
