import type { DemandChange, LevelShift, TrendAssessment } from '../forecasting/change/index.js';
import type { WorkspaceTenant } from '../platform/database/scope.js';

/** The run whose findings are recorded. */
export interface FindingRun extends WorkspaceTenant {
  readonly runId: string;
}

/** What a run has found in the history of one series. Plain numbers and text: it is stored until the run completes. */
export interface SeriesFindings {
  readonly seriesId: string;
  /** Latest observed month of the series, 12 * year + month - 1. */
  readonly latestMonth: number;
  readonly trend: TrendAssessment;
  /** Spikes and drops given away by one of the latest months, and shifts by one of the last year. */
  readonly changes: readonly DemandChange[];
  /** All level shifts, of which a trend may come; absent where an earlier release has found the changes. */
  readonly shifts?: readonly LevelShift[];
}
