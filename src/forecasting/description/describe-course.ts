import { calendarMonth, calendarMonthsInWords, monthInWords } from '../calendar.js';
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
import { orderCycle } from '../routing/order-cycle.js';
import { endOfSilence, sinceRestart } from '../routing/restart.js';
import { sellingSeason } from '../routing/selling-season.js';
import { type DemandHistory, type QuantileForecast, SEASON } from '../types.js';
import { inMonths } from '../wording.js';
import { SILENT_AS_NEVER } from './describe-end.js';
import { endedTrend, plainDirection, trendSoFar } from './year-on-year.js';

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
/** Months since the first demand that show how often it comes: in fewer, an item ordered every other month may have demand in most of them by chance. */
const MIN_SINCE_LAUNCH = 6;

/**
 * Where demand is going, in a sentence: what the trend label says, unless the history or the forecast shows more. A label waits
 * for two runs to agree and for two years to be significant; until then a level shift found lately, a latest month that stands out,
 * or a forecast far from the year before, speaks instead of "stable". Months of more returns than demand are without demand, as in the forecast; alerts see
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
  if (trendLabel === 'insufficient_data') return beginning(history) ?? LABEL_IN_WORDS.insufficient_data;
  const changes = detectChanges(recorded, important ? IMPORTANT_CHANGE_OPTIONS : DEFAULT_CHANGE_OPTIONS);
  if (trendLabel === 'intermittent') {
    const endOf = changes.findLast(isLevelShift)?.month ?? lastDemand;
    const hasEnded = monthsSinceEnd(history.values) >= SILENT || endOf > lastDemand;
    if (hasEnded) return regularity(history) ?? silence;
    const rhythm = news(recorded, changes) ?? busyYear(history) ?? regularity(history) ?? missedOrder(history);
    return rhythm ?? latestMonth(recorded, changes) ?? LABEL_IN_WORDS.intermittent;
  }
  const latest = latestMonth(recorded, changes);
  if (trendLabel === 'stable') {
    return news(recorded, changes) ?? latest ?? plainDirection(history, forecast) ?? LABEL_IN_WORDS.stable;
  }
  const trend =
    step(recorded, changes, trendLabel) ??
    counterStep(recorded, changes, trendLabel) ??
    endedTrend(history, forecast, trendLabel, latest !== undefined) ??
    LABEL_IN_WORDS[trendLabel];
  return latest === undefined ? trend : `${trend} ${latest}`;
}

/** The month in which demand began, began again after a silence or became frequent, where a history goes back further than that. */
function beginning(history: DemandHistory): string | undefined {
  const since = sinceRestart(history);
  const first = since.values.findIndex((value) => value > 0) + since.startMonth;
  const isFirst = history.values.findIndex((value) => value > 0) + history.startMonth === first;
  if (isFirst && !history.values.subarray(0, first - history.startMonth).includes(0)) return undefined;
  const wasSilent = endOfSilence(history.values) + history.startMonth === first;
  const course = isFirst ? 'began in' : wasSilent ? 'began again in' : 'has come more often since';
  return `Demand ${course} ${monthInWords(first)}, too recently to tell a trend.`;
}

/** Whether the last observed months are without demand: of an item sold every month that says more than any trend before. */
function isSilent({ values }: DemandHistory): boolean {
  const lately = observedValues(values).slice(-SILENT);
  const isWithout = lately.every((value) => value === 0);
  return isWithout || monthsSinceEnd(values) >= SILENT_AS_NEVER;
}

/** When an item is ordered that is not ordered every month, where its orders keep to a calendar or a cycle. */
function regularity(history: DemandHistory): string | undefined {
  const season = yearlyMonths(history.values);
  if (season)
    return `Demand comes every year in ${seasonInWords(season, history)}; the other months are normally without orders.`;
  const cycle = orderCycle(history.values);
  return cycle && `Demand repeats every ${inMonths(cycle.months)}; the months between are normally without orders.`;
}

/** That orders which kept to a calendar or a cycle up to the last one did not come when they were due. */
function missedOrder({ values, ...history }: DemandHistory): string | undefined {
  const last = values.findLastIndex((value) => value > 0);
  const before = { ...history, values: values.subarray(0, last + 1) };
  const season = yearlyMonths(before.values);
  const months = season ? SEASON : orderCycle(before.values)?.months;
  if (months === undefined) return undefined;
  const isDue = (t: number): boolean => (season ? season[t % SEASON]! : t === last + months);
  const due = values.findIndex((value, t) => t > last && value === 0 && isDue(t));
  if (due < 0) return undefined;
  const usual = season
    ? `Demand came every year in ${seasonInWords(season, before)}`
    : `Demand repeated every ${inMonths(months)}`;
  return `${usual}, but there was none in ${monthInWords(history.startMonth + due)}.`;
}

/** Which months i, i + 12, ... of a history with a season had demand in most years: an order now and then makes no month of the season. */
function yearlyMonths(values: Float64Array): readonly boolean[] | undefined {
  const yearly = sellingSeason(values)?.map((selling, i) => {
    const years = values.filter((value, t) => t % SEASON === i && !Number.isNaN(value));
    return selling && years.filter((value) => value > 0).length > years.length / 2;
  });
  return yearly?.includes(true) ? yearly : undefined;
}

/** `November and December`. */
function seasonInWords(sells: readonly boolean[], { startMonth }: Pick<DemandHistory, 'startMonth'>): string {
  return calendarMonthsInWords(monthsFromPause(sells.map((_, month) => sells[calendarMonth(month - startMonth)]!)));
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
  const period = isLaunch ? year.subarray(year.findIndex((value) => value > 0)) : year;
  if (period.length < MIN_SINCE_LAUNCH || classifyDemand(period).infrequent) return undefined;
  const months = period.filter((value) => value > 0).length;
  const share = months === period.length ? 'each' : String(months);
  return isLaunch
    ? `Demand came in ${share} of the ${inMonths(period.length)} since its first one.`
    : `Demand came in ${share} of the last ${inMonths(SEASON)}, and less often before.`;
}

/** A level shift found lately; where the latest month goes against it, that month. */
function news(recorded: DemandHistory, changes: readonly DemandChange[]): string | undefined {
  const shift = recentShift(recorded, changes);
  const against = shift?.kind === 'level_shift_up' ? 'drop' : 'spike';
  const latest = recorded.startMonth + recorded.values.length - 1;
  const opposed = shift && changes.find(({ kind, month }) => kind === against && month === latest);
  return (opposed ?? shift)?.message;
}

/** The last level shift, where it was found lately, unless it reports an end of demand and demand came since. */
function recentShift(
  { startMonth, values }: DemandHistory,
  changes: readonly DemandChange[],
): DemandChange | undefined {
  const latest = startMonth + values.length - 1;
  const shift = changes.findLast((change) => isLevelShift(change) && change.detectedMonth > latest - RECENT);
  const hasResumed = shift?.changePercent === -100 && meanObserved(values.subarray(shift.month - startMonth)) > 0;
  return hasResumed ? undefined : shift;
}

/** The latest month, where it is a spike or drop: it explains the forecast, and a year before that counts it gives no direction. */
function latestMonth({ startMonth, values }: DemandHistory, changes: readonly DemandChange[]): string | undefined {
  return changes.find((change) => !isLevelShift(change) && change.month === startMonth + values.length - 1)?.message;
}

/** The last level shift, where it lasts and is what a trend of two years comes from: since a step demand may be as steady as before. */
function step(
  { startMonth, values }: DemandHistory,
  changes: readonly DemandChange[],
  trendLabel: TrendLabel,
): string | undefined {
  const shift = changes.findLast(isLevelShift);
  const isRecent = shift !== undefined && shift.detectedMonth >= startMonth + values.length - RECENT_STEP;
  const explains = isRecent && !shift.isOver && goesWith(shift, trendLabel) && shift.changePercent > -100;
  return explains ? shift.message : undefined;
}

/** A level shift found lately against the trend of the label that lasts, which would otherwise be said beside an alert of the contrary. */
function counterStep(
  recorded: DemandHistory,
  changes: readonly DemandChange[],
  trendLabel: TrendLabel,
): string | undefined {
  const shift = recentShift(recorded, changes);
  if (shift === undefined || shift.isOver || goesWith(shift, trendLabel)) return undefined;
  return `${trendSoFar(withoutReturns(recorded), trendLabel)}, but ${shift.message.charAt(0).toLowerCase()}${shift.message.slice(1)}`;
}

function goesWith({ kind }: DemandChange, trendLabel: TrendLabel): boolean {
  return (kind === 'level_shift_up') === trendLabel.endsWith('growth');
}
