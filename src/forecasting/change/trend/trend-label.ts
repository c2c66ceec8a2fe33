import { classifyDemand } from '../../routing/classify.js';
import { withoutReturns } from '../../history.js';
import { monthsSinceEnd } from '../../routing/ended-demand.js';
import { median } from '../../../numeric/sample-quantile.js';
import { sinceRestart } from '../../routing/restart.js';
import type { DemandHistory, MonthNumber } from '../../types.js';
import { percentInWords } from '../../wording.js';
import { monthInWords } from '../../calendar.js';
import { deseasonalize } from './deseasonalize.js';
import { monotonicTrend } from './mann-kendall.js';
import { type DemandChange, type LevelShift, severityOf } from '../types.js';

/** Trend labels of a series, from growth to decline, then those without a trend. */
export const TREND_LABELS = [
  'strong_growth',
  'growth',
  'stable',
  'decline',
  'strong_decline',
  'intermittent',
  'insufficient_data',
] as const;
export type TrendLabel = (typeof TREND_LABELS)[number];

/** Months that a trend is estimated from at most, and observed months at least. */
const WINDOW = 24;
const MIN_MONTHS = 12;

/** What a trend must reach. */
interface TrendLimits {
  readonly significance: number;
  /** Percent a year from which demand grows or declines, and from which it does so strongly. */
  readonly trend: number;
  readonly strong: number;
}
/** To be reported. */
const ENTRY: TrendLimits = { significance: 0.01, trend: 10, strong: 25 };
/** To stay, once it has been reported (hysteresis: with the same limits, a trend near them would come and go with each month). */
const EXIT: TrendLimits = { significance: 0.05, trend: 7, strong: 20 };
/** Months for which the label of a trend may stay when the step that it comes of is older than the window. */
const KEPT_FOR = 6;
/** Months without demand after which frequent demand has declined, whatever the trend before. */
const ENDED_AFTER = 3;
/** Demand cannot fall by more than all of it; of a low median month, a slope that large is left. */
const STEEPEST_FALL = -100;

/** What the months of one run show; {@link nextTrendLabel} decides whether the label of the series follows. */
export interface TrendAssessment {
  readonly label: TrendLabel;
  /** Theil-Sen slope in percent of the median month, a year, -100 or more, -100 of ended demand; null for intermittent demand and too few data. */
  readonly percentPerYear: number | null;
  /** Significance of the trend (Mann-Kendall, corrected by Hamed & Rao); null likewise, and for ended demand. */
  readonly pValue: number | null;
  /** Months that it rests on, of a history shorter than the window; otherwise, and in what earlier releases found, undefined. */
  readonly months?: number;
  /** First month without demand of demand that has ended; otherwise, and in what earlier releases found, undefined. */
  readonly endedSince?: MonthNumber;
}

/**
 * Trend of the last 24 months, deseasonalized, of which at least 12 are observed: growth or decline where the Mann-Kendall test
 * with the correction of Hamed & Rao (1998) is significant at 1 % and the Theil-Sen slope is 10 % a year or more (25 %: strong);
 * otherwise stable. As in the forecast, months of more returns than demand count as months without demand, and months before a
 * restart ({@link sinceRestart}) do not count. Infrequent demand has no trend that months could show. Frequent demand that ended three
 * months ago or more ({@link monthsSinceEnd}) is in strong decline, until it counts as dead.
 */
export function assessTrend(fullHistory: DemandHistory): TrendAssessment {
  const history = sinceRestart(withoutReturns(fullHistory));
  const window = deseasonalize(history).slice(-WINDOW);
  const observed = window.filter((value) => Number.isFinite(value));
  if (observed.length < MIN_MONTHS) return { label: 'insufficient_data', percentPerYear: null, pValue: null };
  const profile = classifyDemand(history.values);
  const level = median(observed);
  const young = window.length < WINDOW && { months: window.length };
  if (profile.pattern !== 'dead' && monthsSinceEnd(history.values) >= ENDED_AFTER) {
    const endedSince = history.startMonth + history.values.findLastIndex((value) => value > 0) + 1;
    return { label: 'strong_decline', percentPerYear: STEEPEST_FALL, pValue: null, ...young, endedSince };
  }
  if (profile.infrequent || profile.pattern === 'dead' || !(level > 0)) {
    return { label: 'intermittent', percentPerYear: null, pValue: null };
  }
  const { slope, pValue } = monotonicTrend(window);
  const percentPerYear = Math.max((100 * 12 * slope) / level, STEEPEST_FALL);
  return { label: labelOf(percentPerYear, pValue, ENTRY), percentPerYear, pValue, ...young };
}

/** The months that the trend of a history rests on, in words: `two years`, or `14 months` of a shorter one. */
export function trendPeriod(history: DemandHistory): string {
  return periodInWords(sinceRestart(withoutReturns(history)).values.length);
}

function periodInWords(months = WINDOW): string {
  return months < WINDOW ? `${months} months` : 'two years';
}

function labelOf(percentPerYear: number, pValue: number, limits: TrendLimits): TrendLabel {
  const size = Math.abs(percentPerYear);
  if (pValue >= limits.significance || size < limits.trend) return 'stable';
  if (percentPerYear > 0) return size >= limits.strong ? 'strong_growth' : 'growth';
  return size >= limits.strong ? 'strong_decline' : 'decline';
}

/** The label of an assessment where another label is shown: a trend that has been reported goes on as long as it stays above lower limits. */
export function labelAfter(shown: TrendLabel | null, { label, percentPerYear, pValue }: TrendAssessment): TrendLabel {
  if (shown === null || !DIRECTION[shown] || percentPerYear === null || pValue === null) return label;
  const strong = shown.startsWith('strong') ? EXIT.strong : ENTRY.strong;
  const kept = labelOf(percentPerYear, pValue, { ...EXIT, strong });
  return DIRECTION[kept] === DIRECTION[shown] ? kept : label;
}

/** Whether an assessment is that demand has ended: then months without any decided, and no slope was tested. */
export function hasEnded({ percentPerYear, pValue }: TrendAssessment): boolean {
  return percentPerYear === STEEPEST_FALL && pValue === null;
}

/**
 * Label to show after a run. A label changes when two runs in a row agree on another one, or `atOnce` when the run raised an
 * alert for the series or its demand has ended; a series without a label takes the first it gets. `previousCandidate` is what the
 * run before assessed, which the caller keeps beside the confirmed label.
 */
export function nextTrendLabel(
  previousConfirmed: TrendLabel | null,
  previousCandidate: TrendLabel | null,
  current: TrendLabel,
  atOnce: boolean,
): TrendLabel {
  if (previousConfirmed === null || atOnce || current === previousCandidate) return current;
  return previousConfirmed;
}

/** Direction of a label: 1, 0 or -1; null where there is no trend to speak of. */
const DIRECTION: Record<TrendLabel, number | null> = {
  strong_growth: 1,
  growth: 1,
  stable: 0,
  decline: -1,
  strong_decline: -1,
  intermittent: null,
  insufficient_data: null,
};

/**
 * The finding that goes with a change of the confirmed label from one direction to another (growth, stable, decline); undefined
 * for changes of strength, for labels without a trend, and where a level shift of the two years has reported it: a step looks like a trend
 * until it is old, and its label may stay for half a year longer; a step against a trend ends it. The end of demand is explained only by
 * a shift that begins in its months without any. `changePercent` is the new trend, percent
 * a year; 0 where the slope that was measured is no trend.
 * @param shifts level shifts of the history
 */
export function trendChange(
  history: DemandHistory,
  previous: TrendLabel,
  confirmed: TrendLabel,
  assessment: TrendAssessment,
  shifts: readonly LevelShift[],
): DemandChange | undefined {
  const before = DIRECTION[previous];
  const after = DIRECTION[confirmed];
  if (before === null || after === null || before === after || assessment.percentPerYear === null) return undefined;
  const month = history.startMonth + history.values.length - 1;
  const step = (after || before) > 0 ? 'level_shift_up' : 'level_shift_down';
  const isExplainedBy = (shift: LevelShift): boolean => {
    const looksAlike = shift.kind === step;
    if (hasEnded(assessment)) return looksAlike && shift.month >= (assessment.endedSince ?? Infinity);
    const since = month - WINDOW - (looksAlike && after === 0 ? KEPT_FOR : 0);
    return (looksAlike || after === 0) && shift.month > since;
  };
  if (shifts.some(isExplainedBy)) return undefined;
  const percent = after === 0 ? 0 : assessment.percentPerYear;
  return {
    kind: 'trend_change',
    month,
    detectedMonth: month,
    severity: severityOf(percent),
    changePercent: percent,
    message: `The trend of demand changed from ${words(previous)} to ${words(confirmed)}: ${courseInWords(percent, assessment)}.`,
  };
}

function courseInWords(percent: number, { months, endedSince }: TrendAssessment): string {
  if (endedSince !== undefined) return `there has been no demand since ${monthInWords(endedSince)}`;
  const period = `over the last ${periodInWords(months)} demand`;
  if (percent === 0) return `${period} had no clear direction`;
  if (percent <= STEEPEST_FALL) return `${period} fell to nothing`;
  return `${period} ${percent > 0 ? 'grew' : 'fell'} by ${percentInWords(Math.abs(percent))} a year`;
}

function words(label: TrendLabel): string {
  return label.replace('_', ' ');
}
