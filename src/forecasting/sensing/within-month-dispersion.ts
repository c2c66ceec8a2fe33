import { clamp } from '../../numeric/clamp.js';
import type { ShrunkCurve } from './shrunk-profile.js';
import { curveAt, QUARTERS } from './month-profile.js';
import type { Recurrence } from './recurrence.js';
import type { ShareCurve } from './share-curve.js';

/** From so many months with one a year before, the dispersion is estimated from such months only. */
const COMPARABLE_MONTHS = 12;

/**
 * Dispersion of the demand of one series within a month, variance over mean of independent orders: (x - p T)^2 / (T p (1 - p)) at
 * quarters of its months, x demand so far, T the month's demand, p the share that `shrunk` and what recurs let expect. NaN for
 * under two months.
 */
export function ownDispersion(curve: ShareCurve, shrunk: ShrunkCurve, recurrence: Recurrence | undefined): number {
  const comparable = curve.months.filter(({ month }) => recurrence?.knows(month));
  const months = comparable.length >= COMPARABLE_MONTHS ? comparable : curve.months;
  const n = months.length;
  if (n < 2) return NaN;
  let squares = 0;
  let variance = 0;
  for (const { month, total, excess } of months) {
    QUARTERS.forEach((at, q) => {
      const p = clamp(curveAt(shrunk.cumulative, at) + (recurrence?.excessAt(month, q) ?? 0), 0, 1);
      squares += (total * (at + excess[q]! - p)) ** 2;
      variance += total * p * (1 - p);
    });
  }
  // As far as the curve is the series' own, it was fitted to these months and is not that of the next one.
  return variance > 0 ? ((squares / variance) * (n + shrunk.weight)) / (n - shrunk.weight) : NaN;
}
