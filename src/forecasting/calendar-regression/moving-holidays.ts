import { daysInMonth, firstDayNumber } from '../calendar.js';
import { SEASON, type MonthNumber } from '../types.js';
import { excessOf } from './excess.js';
import { diwali, easter, eidAlFitr, lunarNewYear, orthodoxEaster, type Feast } from './feasts.js';

/** Days around a feast that its effect is spread over evenly: the first and the last of them, counted from the feast. */
interface Period {
  readonly feast: Feast;
  readonly from: number;
  readonly to: number;
}

const PERIODS = {
  // The week before and the Monday after, which most countries have off (the regressor of X-12-ARIMA: Findley et al., JBES 16, 1998).
  easter: { feast: easter, from: -7, to: 1 },
  orthodox_easter: { feast: orthodoxEaster, from: -7, to: 1 },
  before_lunar_new_year: { feast: lunarNewYear, from: -14, to: -1 },
  lunar_new_year: { feast: lunarNewYear, from: 0, to: 7 },
  eid_al_fitr: { feast: eidAlFitr, from: -8, to: 6 },
  diwali: { feast: diwali, from: -14, to: 1 },
} satisfies Record<string, Period>;

/** Holidays that lie in one month or in another by the year. Names are stored with priors. */
export type HolidayName = keyof typeof PERIODS;
export const HOLIDAYS = Object.keys(PERIODS) as readonly HolidayName[];

const excesses = Object.fromEntries(
  HOLIDAYS.map((name) => [name, excessOf((month) => shareIn(PERIODS[name], month))]),
) as Readonly<Record<HolidayName, (month: MonthNumber) => number>>;

/** Share of a holiday's days that lie in the month, beyond the long-run mean of that calendar month. */
export function holidayExcess(name: HolidayName, month: MonthNumber): number {
  return excesses[name](month);
}

/** The days of the feast in a Gregorian year, in days since 1970-01-01. */
export function daysOfHoliday(name: HolidayName, year: number): readonly number[] {
  return PERIODS[name].feast(year);
}

function shareIn({ feast, from, to }: Period, month: MonthNumber): number {
  const first = firstDayNumber(month);
  const last = first + daysInMonth(month) - 1;
  const year = Math.floor(month / SEASON);
  let days = 0;
  for (const day of [year - 1, year, year + 1].flatMap(feast))
    days += Math.max(0, Math.min(last, day + to) - Math.max(first, day + from) + 1);
  return days / (to - from + 1);
}
