/**
 * The forecasting engine: numbers in, numbers out, no framework. A run calls {@link poolWorkspace} once over all its series
 * and then {@link forecastSeries} for each, in any order and on any machine. What is done and why: docs/engine.md, whose
 * map names the page of each method.
 *
 * The path of one series:
 *
 *   pool-workspace.ts             what the workspace's series have in common, learned before any of them is forecast
 *   forecast-series.ts            one series: checks, backtest and choice of method (evaluation/), and the path below for `auto`
 *     outliers/                   odd months, and demand counted in the wrong month, drawn to what is usual
 *     routing/                    pattern and length of the history decide which of these forecasts it (routed-forecast.ts):
 *       routing/young-forecast.ts   under 13 months, or since a new start: the count model, mixed in by how likely demand is rare (infrequency.ts)
 *       routing/frequent-forecast.ts any other: one of the next three, or the combination
 *       routing/short-histories/    under two years, by these:
 *         borrowed-season.ts          the season of those other series that its months follow
 *         new-item.ts                 1 to 3 months: a level with a borrowed season
 *         short-history.ts            4 to 23 months: the members, with and without a borrowed season
 *         recent-level.ts             6 to 12 months: how far that forecast is drawn toward the last six
 *       routing/selling-season.ts   goods of a season: the combination, gathered into their months
 *       routing/order-cycle.ts      orders every second to every sixth month: their sizes smoothed, in their months
 *       intermittent/               infrequent demand and small counts: a count model pooled over the workspace
 *       combination/                all others: quantiles averaged over members, then calibrated
 *         calendar-regression/        takes season, working days and moving holidays out of the history, and puts them back
 *         methods/                    classical members; those that can be asked for by name are in registry.ts
 *         network/                    the pretrained network
 *     quantiles/                  nine quantiles and a mean: normal, simulated, bounds of the mean
 *
 * Beside it: change/ (alerts and trend labels), sensing/ (the month in progress), explanation/ (why a forecast changed),
 * description/ (a forecast in words), totals/ (the demand of several series together).
 */
export * from './types.js';
export {
  parseMonth,
  formatDay,
  formatMonth,
  monthInWords,
  monthNumber,
  daysInMonth,
  firstWeekday,
} from './calendar.js';
export { DEFAULT_SETTINGS, MAX_HORIZON, SETTING_RANGES, windowMonths } from './settings.js';
export { stratifiedSample } from './history.js';
export { poolWorkspace } from './pool-workspace.js';
export type { PooledModel } from './pooled-model.js';
export { restoreModel, type StoredModel } from './stored-model.js';
export { forecastSeries, forecastWith } from './forecast-series.js';
export { fewestMonths } from './methods/registry.js';
export { poolShareCurves, type PooledShareCurve } from './sensing/pooled-share-curve.js';
export { senseDemand, type SensedDemand, type SensingInput } from './sensing/sense-demand.js';
export { shareCurve, type DailyMonth, type ShareCurve } from './sensing/share-curve.js';
export { CENTRAL_MEASURES, centralMeasure, type CentralMeasure } from './description/central-measure.js';
export {
  explainChange,
  type ChangeParts,
  type ExplainedChange,
  type ExplainedMonth,
  type ExplainedRun,
} from './explanation/explain-change.js';
export { type ChangeSum, MonthlyChangeSums, sumChanges, summarizeChange } from './explanation/summarize-change.js';
export { describeForecast, type DescribedForecast } from './description/describe-forecast.js';
export { describeEnd } from './description/describe-end.js';
export { describeStaleness, isStale } from './description/staleness.js';
export {
  emptyAccuracy,
  finishAccuracy,
  mergeAccuracy,
  monthAccuracy,
  seriesAccuracy,
  type AccuracyMetrics,
  type AccuracySums,
} from './evaluation/accuracy.js';
export { outcomeWindow } from './evaluation/outcome.js';
export { TotalForecast } from './totals/total-forecast.js';
