import type { SeriesFindings } from '../../alerts/index.js';
import { assessTrend, detectChanges } from '../../forecasting/change/index.js';
import type { DemandHistory } from '../../forecasting/index.js';

/**
 * Months back from the latest one whose changes are told: a run may be the first after several months, and the data of one
 * series often arrive later than those of another.
 */
const RECENT_MONTHS = 3;

/**
 * What the history of a series has to tell; undefined without observations.
 * @param history ends with its last observed month
 * @param workspaceMonth latest month of the workspace
 */
export function findChanges(history: DemandHistory, workspaceMonth: number): SeriesFindings | undefined {
  if (history.values.length === 0) return undefined;
  const latestMonth = history.startMonth + history.values.length - 1;
  const since = Math.max(latestMonth, workspaceMonth) - RECENT_MONTHS;
  return {
    seriesId: history.id,
    latestMonth,
    trend: assessTrend(history),
    changes: detectChanges(history).filter((change) => change.detectedMonth > since),
  };
}
