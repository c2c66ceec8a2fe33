import type { LeadTime } from './lead-time.js';
import type { DemandForecast } from './types.js';

/** A quantile that the forecast has of one of the months of a lead time. */
export interface MonthQuantile {
  readonly level: number;
  readonly quantile: number;
}

/**
 * Lower bound of the quantile of lead-time demand: the largest quantile of a whole month of the lead time, at the highest level of
 * the forecast below `serviceLevel`. Demand is never negative, so that of the whole lead time has no lower quantile than that of
 * one of its months. Undefined without a whole month or without such a level.
 */
export function singleMonthQuantile(
  { quantiles, levels }: DemandForecast,
  { whole }: LeadTime,
  serviceLevel: number,
): MonthQuantile | undefined {
  const at = levels.findLastIndex((level) => level < serviceLevel);
  if (at < 0 || whole === 0) return undefined;
  const months = Array.from({ length: whole }, (_, month) => quantiles[month * levels.length + at]!);
  return { level: levels[at]!, quantile: Math.max(...months) };
}
