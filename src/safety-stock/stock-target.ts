import { largestDeviation } from '../inventory/index.js';
import type { StockTargetFields } from '../series/index.js';

/** The parameters of a stock recommendation. */
export interface StockTarget {
  /** Months from order to delivery. */
  readonly leadTime: number;
  /** Standard deviation of lead times, in months. */
  readonly leadTimeSd: number;
  /** Cycle service level. */
  readonly serviceLevel: number;
}

/** The target of series that have none of their own. */
const USUAL_TARGET: StockTarget = { leadTime: 1, leadTimeSd: 0, serviceLevel: 0.95 };

/** The target of a series: its own, and the default where it has none. */
export function targetOf(series: StockTargetFields): StockTarget {
  return {
    leadTime: series.lead_time_months ?? USUAL_TARGET.leadTime,
    leadTimeSd: series.lead_time_sd_months ?? USUAL_TARGET.leadTimeSd,
    serviceLevel: series.target_service_level ?? USUAL_TARGET.serviceLevel,
  };
}

/** A target with the lead times that a forecast of so many months covers. */
export function withinHorizon(target: StockTarget, horizon: number): StockTarget {
  const leadTime = Math.min(target.leadTime, horizon);
  return { ...target, leadTime, leadTimeSd: Math.min(target.leadTimeSd, largestDeviation(leadTime, horizon)) };
}
