import { sumOf } from '../../numeric/sum.js';
import { curveAt, QUARTERS } from './month-profile.js';
import type { MonthBuildUp, ShareCurve } from './share-curve.js';

/**
 * Prior weight in complete months: of the workspace's profile beside a series' own, and of even days beside the workspace's. This
 * and the caution were chosen on simulated demand of another seed than the benchmark's and on the first years of its real sets.
 */
export const PRIOR_MONTHS = 2;
/** Power, in multiples of what noise alone would have, that a build-up over the month must show before it has any weight. */
const CAUTION = 3;

/** A cumulative curve shrunk toward a target. */
export interface ShrunkCurve {
  /** Weight of the curve observed, 0..1; the target has the rest. */
  readonly weight: number;
  readonly cumulative: readonly number[];
}

/**
 * A cumulative curve of n months shrunk toward `target` with the empirical-Bayes weight
 *
 *   max(0, 1 - 3 noise / power) n / (n + 2)
 *
 * power: squared distance of the mean curve from the target, summed over the quarters of the month; noise: squared standard error of
 * that mean. The second factor is there because a few months may be alike by chance.
 */
export function shrunkCurve(curve: ShareCurve<MonthBuildUp> | undefined, target: readonly number[]): ShrunkCurve {
  const n = curve?.months.length ?? 0;
  if (!curve || n < 2) return { weight: 0, cumulative: target };
  let power = 0;
  let noise = 0;
  QUARTERS.forEach((at, q) => {
    const distances = curve.months.map((month) => month.excess[q]! - (curveAt(target, at) - at));
    const mean = sumOf(distances) / n;
    power += mean * mean;
    noise += distances.reduce((sum, distance) => sum + (distance - mean) ** 2, 0) / ((n - 1) * n);
  });
  const weight = power > 0 ? Math.max(0, 1 - (CAUTION * noise) / power) * (n / (n + PRIOR_MONTHS)) : 0;
  return { weight, cumulative: target.map((share, k) => share + weight * (curve.cumulative[k]! - share)) };
}

/** Weekday factors shrunk toward `target`, the weight of those observed being n / (n + 2) for n months. */
export function shrunkWeekdays(
  curve: ShareCurve<MonthBuildUp> | undefined,
  target: readonly number[],
): readonly number[] {
  if (!curve) return target;
  const n = curve.months.length;
  return target.map((factor, k) => (n * curve.weekdays[k]! + PRIOR_MONTHS * factor) / (n + PRIOR_MONTHS));
}
