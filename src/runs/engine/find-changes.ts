import type { SeriesFindings } from '../../alerts/index.js';
import {
  assessTrend,
  DEFAULT_CHANGE_OPTIONS,
  detectChanges,
  IMPORTANT_CHANGE_OPTIONS,
  isLevelShift,
} from '../../forecasting/change/index.js';
import type { DemandHistory } from '../../forecasting/index.js';

/**
 * Months back from the latest one whose spikes and drops are told: a run may be the first after several months, and the data of
 * one series often arrive later than those of another.
 */
const RECENT_MONTHS = 3;
/** The same of level shifts, which go on: a year, after which the season has learnt the new level. */
const RECENT_SHIFT_MONTHS = 12;

/**
 * What the history of a series has to tell; undefined without observations.
 * @param history ends with its last observed month
 * @param workspaceMonth latest month of the workspace
 * @param important whether shifts of regular demand should be told earlier, at more false alarms
 */
export function findChanges(
  history: DemandHistory,
  workspaceMonth: number,
  important: boolean,
): SeriesFindings | undefined {
  if (history.values.length === 0) return undefined;
  const latestMonth = history.startMonth + history.values.length - 1;
  const newest = Math.max(latestMonth, workspaceMonth);
  return {
    seriesId: history.id,
    latestMonth,
    trend: assessTrend(history),
    changes: detectChanges(history, important ? IMPORTANT_CHANGE_OPTIONS : DEFAULT_CHANGE_OPTIONS).filter(
      (change) => change.detectedMonth > newest - (isLevelShift(change) ? RECENT_SHIFT_MONTHS : RECENT_MONTHS),
    ),
  };
}
