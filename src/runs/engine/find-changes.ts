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
 * Number of months for which spikes and drops are reported: a run may be the first in months, and some series' data arrives later
 * than that of others.
 */
const RECENT_MONTHS = 3;
/** The same for level shifts, which persist: a year, after which the seasonal model has learned the new level. */
export const RECENT_SHIFT_MONTHS = 12;

/**
 * The changes and the trend in the history of a series; undefined without observations.
 * @param history ends with its last observed month
 * @param workspaceMonth latest month of the workspace
 * @param important whether to report shifts of regular demand earlier, at the price of more false alarms
 */
export function findChanges(
  history: DemandHistory,
  workspaceMonth: number,
  important: boolean,
): SeriesFindings | undefined {
  if (history.values.length === 0) return undefined;
  const latestMonth = history.startMonth + history.values.length - 1;
  const newest = Math.max(latestMonth, workspaceMonth);
  const changes = detectChanges(history, important ? IMPORTANT_CHANGE_OPTIONS : DEFAULT_CHANGE_OPTIONS);
  return {
    seriesId: history.id,
    latestMonth,
    trend: assessTrend(history),
    changes: changes.filter(
      (change) => change.detectedMonth > newest - (isLevelShift(change) ? RECENT_SHIFT_MONTHS : RECENT_MONTHS),
    ),
    shifts: changes.filter(isLevelShift).map(({ kind, month }) => ({ kind, month })),
  };
}
