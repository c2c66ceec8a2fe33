export { demandVersion } from './demand-version.queries.js';
export { MissingDaysDto } from './dto/missing-days.dto.js';
export type { SeriesDto } from './dto/series.dto.js';
export { SERIES_PROPERTY } from './dto/series-properties.js';
export { countMonths, monthBit, monthBitOfDay, monthOfDay } from './month-sql.js';
export { applyOverride, type MonthlyOverrides, type OverrideValue } from './overrides/override.js';
export { activeOverrides, inForce, overridesAt, overridesInAdvance } from './overrides/overrides.queries.js';
export { type DailyDemand, readCountedDays, readDailyDemand } from './read/daily-demand.js';
export { findMissingDays, type MissingDays } from './read/find-missing-days.js';
export { findHistoryEnd, type HistoryEnd } from './read/history-end.js';
export { type HistorySelection, type MonthlyHistory, streamMonthlyHistories } from './read/monthly-histories.js';
export { monthInProgress, workspaceTimeZone } from './read/months.queries.js';
export {
  describeSeries,
  hasCurrentSeries,
  hasHistory,
  hasSeries,
  sampleSeries,
  selectSeries,
  type SeriesFilter,
} from './read/series-selection.queries.js';
export { requireSeries } from './read/require-series.js';
export type { RunScope } from './run-scope.js';
export type { StockTargetFields } from './stock-target-fields.js';
export { readStockTargets } from './stock-targets.queries.js';
export { readDemandSources } from './successions.queries.js';
export { SeriesModule } from './series.module.js';
export {
  insertTrendChanges,
  publishTrendChanges,
  readTrendStates,
  saveTrendStates,
  trendLabelAt,
  type TrendState,
} from './trends/trends.queries.js';
export { createSeries, type NewSeries } from './upload/store/create-series.queries.js';
export { storeZeros } from './upload/store/fill-months.queries.js';
export { isUniqueId, latestDemandDay, type MonthOfDemand, replaceMonths } from './upload/store/replace-months.js';
export { holdWorkspace, holdWorkspaceAtOnce, lockWorkspace } from './workspace-locks.queries.js';
