import { usualPrior } from '../calendar-regression/calendar-prior.js';
import { type TrendLabel, trendPeriod } from '../change/index.js';
import { applyOutlierPolicy } from '../outliers/dampen-outliers.js';
import { type DemandHistory, LEVELS, MEDIAN, type QuantileForecast, SEASON } from '../types.js';
import { MAX_PERCENT, readable } from '../wording.js';

/** Difference between the forecast and the year before, as a share of that, from which nobody would call demand stable. */
const PLAIN_DIFFERENCE = 0.15;
/** A trend, of 10 % a year at least, goes on where the forecast lies by this share of the year before on its side. */
const GOES_ON = 0.05;
/** Months that must be comparable with the year before. */
const MIN_COMPARED = 3;

/**
 * That the forecast does not go on with the trend of the label, such as of a step a year ago.
 * @param isLatestOdd whether the latest month stands out, and is left out of the year before
 */
export function endedTrend(
  history: DemandHistory,
  forecast: QuantileForecast,
  trendLabel: TrendLabel,
  isLatestOdd: boolean,
): string | undefined {
  const usual = usualDemand(history);
  const compared = yearOnYear(history, isLatestOdd ? usual.with(-1, NaN) : usual, forecast);
  const direction = trendLabel.endsWith('growth') ? 1 : -1;
  if (!compared || direction * compared.change >= GOES_ON) return undefined;
  const isAlike = Math.abs(compared.change) < GOES_ON;
  if (!isAlike && !compared.isPlain) return undefined;
  const place = isAlike ? 'about as high as' : distance(compared.change);
  return `${trendSoFar(history, trendLabel)}, but the forecast lies ${place} the same months a year before${compared.aside}.`;
}

/** What a trend label says of the months that it rests on, less the full stop. */
export function trendSoFar(history: DemandHistory, trendLabel: TrendLabel): string {
  return `Demand has ${trendLabel.endsWith('growth') ? 'grown' : 'declined'} over ${trendPeriod(history)}`;
}

/** A direction that is plain in the forecast while no trend is confirmed. */
export function plainDirection(history: DemandHistory, forecast: QuantileForecast): string | undefined {
  const compared = yearOnYear(history, usualDemand(history), forecast);
  if (!compared?.isPlain || Math.abs(compared.change) < PLAIN_DIFFERENCE) return undefined;
  return `No lasting trend is confirmed yet, but the forecast lies ${distance(compared.change)} the same months a year before${compared.aside}.`;
}

/** How far a forecast lies from what it is compared with, by its change against that. */
function distance(change: number): string {
  const percent = Math.round(Math.abs(100 * change));
  return `${percent > MAX_PERCENT ? 'far' : `${readable(percent)} %`} ${change > 0 ? 'above' : 'below'}`;
}

/** The history without single odd months: a large order or a month out of stock a year ago gives the forecast no direction. */
function usualDemand({ values, startMonth }: DemandHistory): Float64Array {
  return applyOutlierPolicy('dampen', values, startMonth, usualPrior());
}

/** A forecast beside the same calendar months of the last year, so that a season is no direction. */
interface YearOnYear {
  /** Of what the months add up to on average, as a share of the usual year before. */
  readonly change: number;
  /** Whether the medians, which the other sentences give, lie on the same side of that year. */
  readonly isPlain: boolean;
  /** What a reader who adds up the year must know. */
  readonly aside: string;
}

/**
 * Undefined where too little can be compared.
 * @param usual the history without odd months, NaN where a month is not to be compared
 */
function yearOnYear(
  { values }: DemandHistory,
  usual: Float64Array,
  { mean, quantiles }: QuantileForecast,
): YearOnYear | undefined {
  if (values.length < SEASON) return undefined;
  const year = values.subarray(-SEASON);
  const usualYear = usual.subarray(-SEASON);
  let [before, asRecorded, after, medians, compared] = [0, 0, 0, 0, 0];
  for (let k = 0; k < Math.min(SEASON, mean.length); k++) {
    if (!Number.isNaN(year[k]!)) asRecorded += year[k]!;
    if (Number.isNaN(usualYear[k]!)) continue;
    before += usualYear[k]!;
    after += mean[k]!;
    medians += quantiles[k * LEVELS + MEDIAN]!;
    compared++;
  }
  if (compared < MIN_COMPARED || !(before > 0)) return undefined;
  return {
    change: after / before - 1,
    isPlain: (after - before) * (medians - before) > 0,
    aside: before === asRecorded ? '' : ', single odd months aside',
  };
}
