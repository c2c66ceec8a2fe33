export { detectChanges } from './detect-changes.js';
export {
  assessTrend,
  hasEnded,
  labelAfter,
  nextTrendLabel,
  TREND_LABELS,
  trendChange,
  trendPeriod,
} from './trend/trend-label.js';
export type { TrendAssessment, TrendLabel } from './trend/trend-label.js';
export {
  CHANGE_KINDS,
  DEFAULT_CHANGE_OPTIONS,
  IMPORTANT_CHANGE_OPTIONS,
  isLevelShift,
  SEVERITIES,
  roundedPercent,
} from './types.js';
export type { ChangeKind, ChangeOptions, DemandChange, LevelShift, Severity } from './types.js';
