import { calendarMonth, calendarMonthsInWords, monthInWords } from '../calendar.js';
import { usualPrior } from '../calendar-regression/calendar-prior.js';
import {
  DEFAULT_CHANGE_OPTIONS,
  type DemandChange,
  detectChanges,
  IMPORTANT_CHANGE_OPTIONS,
  isLevelShift,
  type TrendLabel,
} from '../change/index.js';
import { classifyDemand } from '../routing/classify.js';
import { monthsSinceEnd } from '../routing/ended-demand.js';
import { withoutReturns } from '../history.js';
import { meanObserved, observedValues } from '../missing.js';
import { applyOutlierPolicy } from '../outliers/dampen-outliers.js';
import { orderCycle } from '../routing/order-cycle.js';
import { sellingSeason } from '../routing/selling-season.js';
import { type DemandHistory, LEVELS, MEDIAN, type QuantileForecast, SEASON } from '../types.js';
import { inMonths, LARGEST_PERCENT, readable } from '../wording.js';
import { SILENT_AS_NEVER } from './describe-end.js';

const LABEL_IN_WORDS: Record<TrendLabel, string> = {
  strong_growth: 'Demand is growing strongly.',
  growth: 'Demand is growing.',
  stable: 'Demand is stable.',
  decline: 'Demand is declining.',
  strong_decline: 'Demand is declining strongly.',
  intermittent: 'Demand is intermittent: many months without orders are normal.',
  insufficient_data: 'The history is too short to tell a trend.',
};

/** Months without demand after which it is said to have ended; of an item that never paused as long see {@link SILENT_AS_NEVER}. */
const SILENT = 3;
/** Months for which a level shift is news, and for which it is reported in place of the trend that a step looks like. */
const RECENT = 6;
const RECENT_STEP = SEASON;
/** Difference between the forecast and the year before, as a share of that, from which nobody would call demand stable. */
const PLAIN_DIFFERENCE = 0.15;
/** A trend, of 10 % a year at least, goes on where the forecast lies by this share of the year before on its side. */
const GOES_ON = 0.05;
/** Months since the first demand that show how often it comes: in fewer, an item ordered every other month may have demand in most of them by chance. */
const MIN_SINCE_LAUNCH = 6;
/** Months that must be comparable with the year before. */
const MIN_COMPARED = 3;

/**
 * Where demand is going, in a sentence: what the trend label says, unless the history or the forecast shows more. A label waits
 * for two runs to agree and for two years to be significant; until then a level shift found lately, or a forecast far from the
 * year before, speaks instead of "stable". Months of more returns than demand are without demand, as in the forecast; alerts see
 * them as they were.
 * @param important whether alerts report level shifts of the series sooner
 */
export function describeCourse(
  recorded: DemandHistory,
  forecast: QuantileForecast,
  trendLabel: TrendLabel,
  important: boolean,
): string {
  const history = withoutReturns(recorded);
  const last = history.values.findLastIndex((value) => value > 0);
  const { observed, pattern } = classifyDemand(history.values);
  if (last < 0) {
    return `There was no demand in the ${observed === 1 ? 'only month' : inMonths(observed)} of its history.`;
  }
  const lastDemand = history.startMonth + last;
  const silence = `The last demand was in ${monthInWords(lastDemand)}.`;
  if (pattern === 'dead' || (trendLabel !== 'intermittent' && isSilent(history))) return silence;
  if (trendLabel === 'insufficient_data') return LABEL_IN_WORDS.insufficient_data;
  const changes = detectChanges(recorded, important ? IMPORTANT_CHANGE_OPTIONS : DEFAULT_CHANGE_OPTIONS);
  if (trendLabel === 'intermittent') {
    const endOf = changes.findLast(isLevelShift)?.month ?? lastDemand;
    const hasEnded = monthsSinceEnd(history.values) >= SILENT || endOf > lastDemand;
    if (hasEnded) return regularity(history) ?? silence;
    return news(recorded, changes) ?? busyYear(history) ?? regularity(history) ?? LABEL_IN_WORDS.intermittent;
  }
  if (trendLabel !== 'stable') {
    const told = step(recorded, changes, trendLabel) ?? endedTrend(history, forecast, trendLabel);
    return told ?? LABEL_IN_WORDS[trendLabel];
  }
  const told = news(recorded, changes) ?? plainDirection(history, forecast);
  return told ?? latestMonth(recorded, changes) ?? LABEL_IN_WORDS.stable;
}

/** Whether the last observed months are without demand: of an item sold every month that says more than any trend before. */
function isSilent({ values }: DemandHistory): boolean {
  const lately = observedValues(values).slice(-SILENT);
  const isWithout = lately.length === SILENT && lately.every((value) => value === 0);
  return isWithout || monthsSinceEnd(values) >= SILENT_AS_NEVER;
}

/** When an item is ordered that is not ordered every month, where its orders keep to a calendar or a cycle. */
function regularity({ startMonth, values }: DemandHistory): string | undefined {
  const season = sellingSeason(values);
  if (season) {
    const sells = season.map((selling, i) => selling && values.some((value, t) => t % SEASON === i && value > 0));
    const months = monthsFromPause(sells.map((_, month) => sells[calendarMonth(month - startMonth)]!));
    return `Demand comes every year in ${calendarMonthsInWords(months)}; the other months are normally without orders.`;
  }
  const cycle = orderCycle(values);
  return cycle && `Demand repeats every ${inMonths(cycle.months)}; the months between are normally without orders.`;
}

/** The calendar months of a season, beginning after a pause: that of winter with November, not with January. */
function monthsFromPause(sells: readonly boolean[]): number[] {
  const first = sells.findIndex((selling, month) => selling && !sells.at(month - 1));
  return sells.map((_, k) => (first + k) % SEASON).filter((month) => sells[month]);
}

/**
 * A year, or the months since a launch within it, in which infrequent demand came in most months, for which neither "intermittent"
 * nor an earlier cycle would be right.
 */
function busyYear({ values }: DemandHistory): string | undefined {
  const observed = observedValues(values);
  const year = observed.slice(-SEASON);
  const isLaunch = !observed.subarray(0, -SEASON).some((value) => value > 0);
  const told = isLaunch ? year.subarray(year.findIndex((value) => value > 0)) : year;
  if (told.length < MIN_SINCE_LAUNCH || classifyDemand(told).infrequent) return undefined;
  const months = told.filter((value) => value > 0).length;
  const share = months === told.length ? 'each' : String(months);
  return isLaunch
    ? `Demand came in ${share} of the ${inMonths(told.length)} since its first one.`
    : `Demand came in ${share} of the last ${inMonths(SEASON)}, and less often before.`;
}

/** A level shift found lately, unless it reports an end of demand and demand came since; where the latest month goes against it, that month. */
function news({ startMonth, values }: DemandHistory, changes: readonly DemandChange[]): string | undefined {
  const latest = startMonth + values.length - 1;
  const shift = changes.findLast((change) => isLevelShift(change) && change.detectedMonth > latest - RECENT);
  if (shift?.changePercent === -100 && meanObserved(values.subarray(shift.month - startMonth)) > 0) return undefined;
  const against = shift?.kind === 'level_shift_up' ? 'drop' : 'spike';
  const opposed = shift && changes.find(({ kind, month }) => kind === against && month === latest);
  return (opposed ?? shift)?.message;
}

/** The latest month, where it is a spike or drop. */
function latestMonth({ startMonth, values }: DemandHistory, changes: readonly DemandChange[]): string | undefined {
  return changes.find((change) => !isLevelShift(change) && change.month === startMonth + values.length - 1)?.message;
}

/** The last level shift, where it is what a trend of two years comes from: since a step demand may be as steady as before. */
function step(
  { startMonth, values }: DemandHistory,
  changes: readonly DemandChange[],
  trendLabel: TrendLabel,
): string | undefined {
  const shift = changes.findLast(isLevelShift);
  const direction = trendLabel.endsWith('growth') ? 'level_shift_up' : 'level_shift_down';
  const isRecent = shift !== undefined && shift.detectedMonth >= startMonth + values.length - RECENT_STEP;
  return isRecent && shift.kind === direction && shift.changePercent > -100 ? shift.message : undefined;
}

/** That the forecast does not go on with a trend that the last two years show, such as of a step a year ago. */
function endedTrend(history: DemandHistory, forecast: QuantileForecast, trendLabel: TrendLabel): string | undefined {
  const compared = yearOnYear(history, forecast);
  const [direction, verb] = trendLabel.endsWith('growth') ? [1, 'grown'] : [-1, 'declined'];
  if (!compared || direction * compared.change >= GOES_ON) return undefined;
  const isAlike = Math.abs(compared.change) < GOES_ON;
  if (!isAlike && !compared.isPlain) return undefined;
  const place = isAlike ? 'about as high as' : distance(compared.change);
  return `Demand has ${verb} over two years, but the forecast lies ${place} the same months a year before${compared.aside}.`;
}

function plainDirection(history: DemandHistory, forecast: QuantileForecast): string | undefined {
  const compared = yearOnYear(history, forecast);
  if (!compared?.isPlain || Math.abs(compared.change) < PLAIN_DIFFERENCE) return undefined;
  return `No lasting trend is confirmed yet, but the forecast lies ${distance(compared.change)} the same months a year before${compared.aside}.`;
}

/** How far a forecast lies from what it is compared with, by its change against that. */
function distance(change: number): string {
  const percent = Math.round(Math.abs(100 * change));
  return `${percent > LARGEST_PERCENT ? 'far' : `${readable(percent)} %`} ${change > 0 ? 'above' : 'below'}`;
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

/** Undefined where too little can be compared. */
function yearOnYear(history: DemandHistory, { mean, quantiles }: QuantileForecast): YearOnYear | undefined {
  if (history.values.length < SEASON) return undefined;
  const year = history.values.subarray(-SEASON);
  const usual = usualDemand(history).subarray(-SEASON);
  let [before, asRecorded, after, medians, compared] = [0, 0, 0, 0, 0];
  for (let k = 0; k < Math.min(SEASON, mean.length); k++) {
    if (Number.isNaN(usual[k]!)) continue;
    before += usual[k]!;
    asRecorded += year[k]!;
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
