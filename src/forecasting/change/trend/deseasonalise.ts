import { calendarMonth } from '../../calendar.js';
import type { DemandHistory } from '../../types.js';
import { centredMean } from '../centred-mean.js';
import { ShrunkSeason } from './shrunk-season.js';

/**
 * Demand freed of its season, NaN where missing: ratios to a centred moving average of twelve months, averaged per calendar
 * month and shrunk ({@link ShrunkSeason}). Under about two and a half years no season can be told and the values are returned
 * as they are.
 */
export function deseasonalise(history: DemandHistory): Float64Array {
  const { values } = history;
  const season = new ShrunkSeason();
  for (let t = 6; t + 6 < values.length; t++) {
    const level = centredMean(values, t);
    if (Number.isFinite(values[t]!) && level > 0) {
      season.record(calendarMonth(history.startMonth + t), values[t]! / level - 1);
    }
  }
  season.refresh();
  // A month that hardly sells tells little of the level; a tenth is as far as it is scaled up.
  return values.map((value, t) => value / Math.max(1 + season.pattern[calendarMonth(history.startMonth + t)]!, 0.1));
}
