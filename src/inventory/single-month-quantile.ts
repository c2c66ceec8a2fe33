import type { LeadTime } from './lead-time.js';
import type { DemandForecast } from './types.js';

/** A quantile that the forecast has of one of the months of a lead time. */
export interface MonthQuantile {
  readonly level: number;
  readonly quantile: number;
}

/**
 * What any one whole month of the lead time asks for: the largest of the forecast's own quantiles at the highest of its levels
 * below `serviceLevel`. Demand is never negative, so that of the whole lead time has no lower quantile. Undefined where no whole
 * month or no such level is.
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
