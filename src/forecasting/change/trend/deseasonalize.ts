import { calendarMonth } from '../../calendar.js';
import type { DemandHistory } from '../../types.js';
import { centeredMean } from '../centered-mean.js';
import { type MonthlyDeviation, shrunkSeason } from './shrunk-season.js';

/**
 * Demand freed of its season, NaN where missing: ratios to a centered moving average of twelve months, averaged per calendar
 * month and shrunk ({@link shrunkSeason}). Under about two and a half years no season can be estimated and the values are returned
 * as they are.
 */
export function deseasonalize({ values, startMonth }: DemandHistory): Float64Array {
  const deviations: MonthlyDeviation[] = [];
  for (let t = 6; t + 6 < values.length; t++) {
    const level = centeredMean(values, t);
    if (!Number.isFinite(values[t]!) || !(level > 0)) continue;
    deviations.push({ calendarMonth: calendarMonth(startMonth + t), deviation: values[t]! / level - 1 });
  }
  const season = shrunkSeason(deviations);
  // A month that hardly sells says little about the level: it is scaled up tenfold at most.
  return values.map((value, t) => value / Math.max(1 + season[calendarMonth(startMonth + t)]!, 0.1));
}
