import type { DemandChange, LevelShift, TrendAssessment } from '../forecasting/change/index.js';

/** A run's findings in the history of one series. Plain numbers and text: it is stored until the run completes. */
export interface SeriesFindings {
  readonly seriesId: string;
  /** Latest observed month of the series, 12 * year + month - 1. */
  readonly latestMonth: number;
  readonly trend: TrendAssessment;
  /** Spikes and drops revealed by one of the latest months, and shifts revealed by one in the last year. */
  readonly changes: readonly DemandChange[];
  /** All level shifts, from which a trend may result; absent if an earlier release found the changes. */
  readonly shifts?: readonly LevelShift[];
}
