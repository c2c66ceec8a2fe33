import { usualPrior } from '../calendar-regression/calendar-prior.js';
import { daysOfHoliday, type HolidayName, holidayExcess } from '../calendar-regression/moving-holidays.js';
import { fitPosterior } from '../calendar-regression/posterior.js';
import { COMMON_COLUMNS } from '../calendar-regression/regressors.js';
import { whiten } from '../calendar-regression/whitening.js';
import { dayInWords, firstDayNumber } from '../calendar.js';
import { trimStart, withoutReturns } from '../history.js';
import { applyOutlierPolicy } from '../outliers/dampen-outliers.js';
import { sinceRestart } from '../routing/restart.js';
import { type DemandHistory, type MonthNumber, SEASON } from '../types.js';

const IN_WORDS: Readonly<Record<HolidayName, string>> = {
  easter: 'Easter',
  orthodox_easter: 'the orthodox Easter',
  before_lunar_new_year: 'the Lunar New Year',
  lunar_new_year: 'the Lunar New Year',
  eid_al_fitr: 'Eid al-Fitr',
  diwali: 'Diwali',
};
/** Holidays whose days are known; those of the moon may be a day off. */
const EXACT: readonly HolidayName[] = ['easter', 'orthodox_easter'];

/** Effect on a month, relative to the same month a year before, from which it is worth a word. */
const MIN_MENTIONED = 0.05;
const MID_MONTH = 14;

/** A month that a holiday makes differ from the year before. */
interface MovedMonth {
  readonly name: HolidayName;
  readonly month: MonthNumber;
  /** Share of the month's demand. */
  readonly difference: number;
}

/**
 * Which holiday moves demand from one month to another against the year before, where the history itself shows that it does: without that
 * word a forecast looks as if it had put the season into the wrong month. Undefined where none does within the next year.
 */
export function describeHolidays(recorded: DemandHistory, months: number): string | undefined {
  const moved = mostMovedMonth(sinceRestart(trimStart(withoutReturns(recorded))), months);
  if (!moved) return undefined;
  const year = Math.floor(moved.month / SEASON);
  const middle = firstDayNumber(moved.month) + MID_MONTH;
  const days = [year - 2, year - 1, year, year + 1].flatMap((near) => daysOfHoliday(moved.name, near));
  const at = days.reduce((best, day, i) => (Math.abs(day - middle) < Math.abs(days[best]! - middle) ? i : best), 0);
  const on = EXACT.includes(moved.name) ? 'on' : 'about';
  return `Demand has moved with ${IN_WORDS[moved.name]}, which is ${on} ${dayInWords(days[at]!)} and was ${on} ${dayInWords(days[at - 1]!)}.`;
}

function mostMovedMonth({ values, startMonth }: DemandHistory, months: number): MovedMonth | undefined {
  const prior = usualPrior();
  // a sold-out month that met no holiday once, of the few years that there are, would be an effect of it
  const usual = applyOutlierPolicy('dampen', values, startMonth, prior);
  const series = whiten(usual, startMonth, prior.holidays);
  if (!series) return undefined;
  const { coefficients, holidays } = fitPosterior(series, prior);
  const next = startMonth + values.length;
  let most: MovedMonth | undefined;
  holidays.forEach((name, i) => {
    for (let month = next; month < next + Math.min(months, SEASON); month++) {
      const change = holidayExcess(name, month) - holidayExcess(name, month - SEASON);
      const difference = Math.abs(coefficients[COMMON_COLUMNS + i]! * change);
      if (difference >= Math.max(MIN_MENTIONED, most?.difference ?? 0)) most = { name, month, difference };
    }
  });
  return most;
}
