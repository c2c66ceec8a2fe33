import { sumOf } from '../../numeric/sum.js';
import { monthInWords } from '../calendar.js';
import { centralMeasure } from './central-measure.js';
import { describeCourse } from './describe-course.js';
import { describeEnd } from './describe-end.js';
import { describeHolidays } from './describe-holidays.js';
import type { TrendLabel } from '../change/index.js';
import { isInWholeUnits } from '../../numeric/whole-units.js';
import { describeStaleness } from './staleness.js';
import { type DemandHistory, LEVELS, MEDIAN, type MonthNumber, type SeriesForecast } from '../types.js';
import { inMonths, readable, readableDistinct, withUnit } from '../wording.js';

/** Significant digits of an estimate. */
const ESTIMATE_DIGITS = 4;
/** Width of a range whose ends are rounded, in steps of the last digit that they keep. */
const MIN_RANGE = 10;
/** Pieces that a whole horizon must add up to before they are worth a word. */
const MIN_TOTAL = 0.5;

/** What the description of one series' forecast is made of. */
export interface DescribedForecast {
  /** The history that the forecast was made from, with the unit of its values where that is known. */
  readonly history: DemandHistory;
  readonly forecast: Pick<SeriesForecast, 'firstMonth' | 'mean' | 'quantiles' | 'model'>;
  readonly trendLabel: TrendLabel;
  /** Whether a planner marked the series as important, so that alerts report its level shifts sooner; no by default. */
  readonly important?: boolean;
  /** Newest month of the run's data; absent when unknown. */
  readonly newestMonth?: MonthNumber | undefined;
}

/**
 * The forecast as a planner would say it: the first month with its range (quantiles of 10 and 90 %), what the months add up to
 * where each alone says little, the course of demand, the holiday that moves it, and data that are out of date. Amounts of whole
 * pieces are whole numbers.
 */
export function describeForecast(described: DescribedForecast): string {
  const { history, forecast, trendLabel, important = false, newestMonth } = described;
  const sentences = [
    expectation(described),
    describeCourse(history, forecast, trendLabel, important),
    // of all routes the combination alone knows them, from two years of history on; of demand that has ended they move none
    forecast.model === 'combination' && describeEnd(history) === undefined
      ? describeHolidays(history, forecast.mean.length)
      : undefined,
    describeStaleness(forecast.firstMonth - 1, newestMonth),
  ];
  return sentences.filter((sentence) => sentence !== undefined).join(' ');
}

function expectation(described: DescribedForecast): string {
  const period = monthInWords(described.forecast.firstMonth);
  const first = firstMonth(described, period);
  const total = wholeHorizon(described, first === undefined);
  if (first !== undefined) return `${first}.${total === undefined ? '' : ` Expect ${total}.`}`;
  if (total === undefined) return `Expect no demand in ${period}.`;
  const alone = described.forecast.mean[0] === 0 ? `no demand in ${period}` : `hardly any demand in ${period} alone`;
  return `Expect ${alone}, but ${total}.`;
}

/** The first month with its range, less the full stop; undefined where not even the high quantile has demand. */
function firstMonth({ history, forecast }: DescribedForecast, period: string): string | undefined {
  const pieces = isInWholeUnits(history.values);
  const level = (j: number): number => (pieces ? Math.round(forecast.quantiles[j]!) : forecast.quantiles[j]!);
  const high = level(LEVELS - 1);
  if (!(high > 0)) return undefined;
  const [from, best, to] = estimates([level(0), level(MEDIAN), high]);
  if (from === to) return `Expect ${withUnit(best, history.unit)} in ${period}`;
  // of a median of none, "about 0" would read as if demand had to be near it
  if (level(MEDIAN) === 0)
    return `Most likely there is no demand in ${period}; with nine chances in ten it is at most ${withUnit(to, history.unit)}`;
  return `Expect about ${withUnit(best, history.unit)} in ${period}, and with four chances in five between ${from} and ${to}`;
}

/** Estimates as people read them: whoever says "about" names no single tons of millions, unless the range is of some tons. */
function estimates(values: readonly [number, number, number]): readonly [string, string, string] {
  const [low, best, high] = values;
  const isWide = high - low >= MIN_RANGE * 10 ** (Math.floor(Math.log10(high)) + 1 - ESTIMATE_DIGITS);
  return readableDistinct(isWide ? [toEstimate(low), toEstimate(best), toEstimate(high)] : values);
}

function toEstimate(value: number): number {
  return Number(value.toPrecision(ESTIMATE_DIGITS));
}

/** What the months add up to, where medians hide it or the first month is out of season; undefined where that says nothing. */
function wholeHorizon({ history, forecast }: DescribedForecast, outOfSeason: boolean): string | undefined {
  const { mean } = forecast;
  if (mean.length === 1 || (centralMeasure(forecast) === 'median' && !outOfSeason)) return undefined;
  const total = sumOf(mean);
  const pieces = isInWholeUnits(history.values);
  if (!(total > 0) || (pieces && total < MIN_TOTAL)) return undefined;
  return `about ${withUnit(readable(toEstimate(pieces ? Math.round(total) : total)), history.unit)} in the next ${inMonths(mean.length)} altogether`;
}
