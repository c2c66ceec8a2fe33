import { easter } from '../../src/forecasting/calendar-regression/feasts.js';
import { type Random } from '../random.js';

const DAY_MS = 86_400_000;
/** Mean days from one new moon to the next. */
const SYNODIC_MONTH = 29.530588;
/** New moon of 6 January 2000, in days since 1970. */
const NEW_MOON = 10962.76;

const dayNumber = (year: number, month: number, day: number): number => Date.UTC(year, month, day) / DAY_MS;

/** First new moon from 21 January on: the lunar new year to within a day. The shipped weights come of it, and not of the one in feasts.ts. */
function lunarNewYear(year: number): number {
  const from = dayNumber(year, 0, 21);
  return NEW_MOON + Math.ceil((from - NEW_MOON) / SYNODIC_MONTH) * SYNODIC_MONTH;
}

/** A day of the lunar calendar of twelve months, which moves 11 days a year through the seasons. */
const driftingFeast = (year: number, offset: number): number => {
  const length = 12 * SYNODIC_MONTH;
  const from = dayNumber(year, 0, 1);
  return NEW_MOON + offset + Math.ceil((from - NEW_MOON - offset) / length) * length;
};

/**
 * Adds what the calendar does to a month on the log scale: weekdays with sales of their own (as in X-13's trading-day
 * regressors, Bell and Hillmer 1983), and in some series a moving holiday whose effect is shared by the months it touches.
 */
export function addTradingDays(random: Random, series: Float64Array): void {
  const startYear = random.integer(1955, 2025);
  const startMonth = random.integer(0, 12);
  const strength = random.lognormal(-0.7, 0.6);
  const closedSundays = random.chance(0.6);
  const rates = Array.from({ length: 7 }, (_, day) => {
    const closed = closedSundays && (day === 0 || (day === 6 && random.chance(0.5)));
    return closed ? 1 - strength : 1 + 0.3 * strength * random.normal();
  });
  const holiday = random.uniform();
  const holidayEffect = random.chance(0.4) ? random.normal(0, 0.12) : 0;
  const before = random.integer(1, 21);
  const feast = random.uniform(0, 354);
  for (let t = 0; t < series.length; t++) {
    const year = startYear + Math.floor((startMonth + t) / 12);
    const month = (startMonth + t) % 12;
    const first = dayNumber(year, month, 1);
    const next = dayNumber(year, month + 1, 1);
    let trade = 0;
    for (let day = first; day < next; day++) trade += rates[(((day + 4) % 7) + 7) % 7]!;
    const end = holiday < 0.5 ? easter(year)[0]! : holiday < 0.75 ? lunarNewYear(year) : driftingFeast(year, feast);
    const shared = Math.max(0, Math.min(end, next) - Math.max(end - before, first)) / before;
    series[t] = series[t]! + Math.log(Math.max(trade, 1) / 30.4) + holidayEffect * shared;
  }
}
