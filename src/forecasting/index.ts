/**
 * The forecasting engine: numbers in, numbers out, no framework. A run calls {@link poolWorkspace} once over all its series
 * and then {@link forecastSeries} for each, in any order and on any machine.
 */
export * from './types.js';
export { parseMonth, formatMonth, monthInWords, monthNumber, daysInMonth, firstWeekday } from './calendar.js';
export { DEFAULT_SETTINGS, LARGEST_HORIZON, SETTING_RANGES } from './settings.js';
export { poolWorkspace } from './pool-workspace.js';
export type { PooledModel } from './pooled-model.js';
export { forecastSeries, forecastWith } from './forecast-series.js';
export { fewestMonths } from './methods/registry.js';
export {
  poolShareCurves,
  senseDemand,
  shareCurve,
  type DailyMonth,
  type PooledShareCurve,
  type SensedDemand,
  type SensingInput,
  type ShareCurve,
} from './sensing/index.js';
export type { CentralMeasure } from './description/central-measure.js';
export {
  explainChange,
  type ChangeParts,
  type ExplainedChange,
  type ExplainedMonth,
  type ExplainedRun,
} from './explanation/explain-change.js';
export { MonthlyChangeSums, sumChanges, summarizeChange } from './explanation/summarize-change.js';
export { describeForecast, type DescribedForecast } from './description/describe-forecast.js';
export { describeStaleness, isStale } from './description/staleness.js';
export {
  emptyAccuracy,
  finishAccuracy,
  mergeAccuracy,
  seriesAccuracy,
  type AccuracyMetrics,
  type AccuracySums,
} from './evaluation/accuracy.js';
