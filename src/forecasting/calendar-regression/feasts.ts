import { firstDayNumber, monthNumber } from '../calendar.js';

/** Days of a feast in a Gregorian year, in days since 1970-01-01: one, or two of a feast that moves through all months. */
export type Feast = (year: number) => readonly number[];

const [JANUARY, MARCH, DECEMBER] = [1, 3, 12] as const;

/**
 * Easter Sunday of the western churches (Oudin, Bulletin astronomique, 1940; Seidelmann, Explanatory Supplement to the Astronomical
 * Almanac, 1992, section 12.32).
 */
export const easter: Feast = (year) => {
  const century = Math.floor(year / 100);
  const golden = year % 19;
  const moon = (19 * golden + century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25) + 15) % 30;
  const fullMoon = moon - Math.floor(moon / 28) * (1 - Math.floor(29 / (moon + 1)) * Math.floor((21 - golden) / 11));
  const sunday = (year + Math.floor(year / 4) + fullMoon + 2 - century + Math.floor(century / 4)) % 7;
  return [dayNumber(year, MARCH, 28) + fullMoon - sunday];
};

/** Easter Sunday of the orthodox churches, by the Julian calendar (Meeus, Astronomical Algorithms, 1998, chapter 8). */
export const orthodoxEaster: Feast = (year) => {
  const fullMoon = (19 * (year % 19) + 15) % 30;
  const sunday = (2 * (year % 4) + 4 * (year % 7) - fullMoon + 34) % 7;
  const julianBehind = Math.floor(year / 100) - Math.floor(year / 400) - 2;
  return [dayNumber(year, MARCH, 22) + fullMoon + sunday + julianBehind];
};

/** Hours of the clock of China ahead of universal time. */
const CHINA = 8;
/** Lunar New Year of China: the second new moon after the winter solstice. Korea and Vietnam are a day off in three to five years of a hundred. */
export const lunarNewYear: Feast = (year) => [newMoonFrom(dayNumber(year - 1, DECEMBER, 23) - CHINA / 24, 1, CHINA)];

/** Diwali: the evening before the new moon at which the sun is in the sidereal Libra. A day off in six years of a hundred. */
export const diwali: Feast = (year) => [newMoonFrom(IN_LIBRA_OF_2000 + SIDEREAL_YEAR * (year - 2000), 0, -13)];
/** When the sun enters the sidereal Libra (by Lahiri's ayanamsa), in days since 1970-01-01; a fixed day of October is a month off in 2039. */
const IN_LIBRA_OF_2000 = 11_246.928;
const SIDEREAL_YEAR = 365.25636;

/**
 * Eid al-Fitr, the end of Ramadan, by the tabular Islamic calendar (Dershowitz & Reingold, Calendrical Calculations, 2018, chapter 7). By
 * the calendar of Saudi Arabia it is a day earlier in half of the years; where the moon is observed it may be a day later too.
 */
export const eidAlFitr: Feast = (year) => {
  const latest = Math.ceil((year - 621) * (365.2425 / 354.3667));
  return [latest - 2, latest - 1, latest]
    .map((hijri) => HIJRI_EPOCH + 354 * (hijri - 1) + Math.floor((3 + 11 * hijri) / 30) + DAYS_BEFORE_SHAWWAL)
    .filter((day) => day >= dayNumber(year, JANUARY, 1) && day < dayNumber(year + 1, JANUARY, 1));
};
const HIJRI_EPOCH = -492_148;
const DAYS_BEFORE_SHAWWAL = 266;

/** Days from one new moon to the next on average, and the first one of the year 2000, in days since 1970-01-01. */
const LUNATION = 29.530588861;
const NEW_MOON_OF_2000 = 10_962.59766;
const RADIANS = Math.PI / 180;

/** The day of the n-th new moon (0: the first) at or after a time, by a clock so many hours ahead of universal time. */
function newMoonFrom(from: number, n: number, hoursAhead: number): number {
  let lunation = Math.floor((from - NEW_MOON_OF_2000) / LUNATION) - 1;
  while (newMoon(lunation) < from) lunation++;
  return Math.floor(newMoon(lunation + n) + hoursAhead / 24);
}

/** Time of a new moon, counted from the first one of 2000, in days since 1970-01-01 (Meeus 1998, chapter 49; right to half an hour). */
function newMoon(lunation: number): number {
  const centuries = lunation / 1236.85;
  const sun = (2.5534 + 29.1053567 * lunation) * RADIANS;
  const moon = (201.5643 + 385.81693528 * lunation) * RADIANS;
  const latitude = (160.7108 + 390.67050284 * lunation) * RADIANS;
  return (
    NEW_MOON_OF_2000 +
    LUNATION * lunation +
    0.00015437 * centuries * centuries -
    0.4072 * Math.sin(moon) +
    0.17241 * Math.sin(sun) +
    0.01608 * Math.sin(2 * moon) +
    0.01039 * Math.sin(2 * latitude) +
    0.00739 * Math.sin(moon - sun) -
    0.00514 * Math.sin(moon + sun) +
    0.00208 * Math.sin(2 * sun)
  );
}

function dayNumber(year: number, month: number, day: number): number {
  return firstDayNumber(monthNumber(year, month)) + day - 1;
}
