import { clamp } from '../../numeric/clamp.js';
import { shrunkCurve, shrunkWeekdays, PRIOR_MONTHS } from './shrunk-profile.js';
import { EVEN_CURVE, EVEN_WEEK, profileShares, QUARTERS } from './month-profile.js';
import type { PooledShareCurve } from './pooled-share-curve.js';
import type { ShareCurve } from './share-curve.js';
import type { MonthNumber } from '../types.js';
import { ownDispersion } from './within-month-dispersion.js';

/** What is known of how demand builds up within a month. */
export interface BuildUp {
  /** Of the series; absent without daily history. */
  readonly own?: ShareCurve | undefined;
  /** Of the workspace. */
  readonly pool?: PooledShareCurve | undefined;
}

/**
 * Share of a month's demand usually sold when `elapsed` (0..1) of it is over. Weekdays and the place in the month are the series'
 * own, shrunk toward the workspace's and those toward even days; what the workspace's same month of the year before showed
 * besides is added as far as such things recur.
 */
export function expectedShare({ own, pool }: BuildUp, month: MonthNumber, elapsed: number): number {
  const { cumulative } = ownCurve({ own, pool });
  const weekdays = shrunkWeekdays(own, shrunkWeekdays(pool, EVEN_WEEK));
  const share = profileShares({ cumulative, weekdays }, month, [elapsed])[0]!;
  const recurring = QUARTERS.map((_, q) => pool?.recurrence.excessAt(month, q) ?? 0);
  // What recurs may halve what is sold by now or what is still to come, not take all of it.
  return clamp(share + betweenQuarters(recurring, elapsed), 0.5 * share, 0.5 + 0.5 * share);
}

/**
 * Dispersion of demand within a month, variance over mean of independent orders: the series' own, shrunk on the scale of
 * logarithms toward the workspace's, which is relative to volume; `fallback` where there is neither.
 */
export function dispersionWithin({ own, pool }: BuildUp, monthMean: number, fallback: number): number {
  const pooled = pool && pool.relativeDispersion > 0 ? pool.relativeDispersion * monthMean : fallback;
  const estimate = own ? ownDispersion(own, ownCurve({ own, pool }), pool?.recurrence) : NaN;
  if (!(estimate >= 0)) return pooled;
  const degrees = own!.months.length - 1;
  const weight = degrees / (degrees + PRIOR_MONTHS);
  // A series of equal days has no dispersion of its own; a hundredth of the usual one stands in for it.
  return Math.max(estimate, 0.01 * pooled) ** weight * pooled ** (1 - weight);
}

function ownCurve({ own, pool }: BuildUp) {
  return shrunkCurve(own, shrunkCurve(pool, EVEN_CURVE).cumulative);
}

/** Linear interpolation between 0 at the ends of the month and the values at its quarters. */
function betweenQuarters(values: readonly number[], elapsed: number): number {
  const points = [0, ...values, 0];
  const position = elapsed * (points.length - 1);
  const below = Math.min(Math.floor(position), points.length - 2);
  return points[below]! + (position - below) * (points[below + 1]! - points[below]!);
}
