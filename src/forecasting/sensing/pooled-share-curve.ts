import { shrunkCurve } from './shrunk-profile.js';
import { EVEN_CURVE, EVEN_WEEK, QUARTERS } from './month-profile.js';
import { Recurrence } from './recurrence.js';
import type { MonthBuildUp, ShareCurve } from './share-curve.js';
import { ownDispersion } from './within-month-dispersion.js';

/** How demand builds up within a month, over a workspace. */
export interface PooledShareCurve extends ShareCurve<MonthBuildUp> {
  readonly recurrence: Recurrence;
  /** Typical dispersion of demand within a month, in units of the series' mean month; NaN where none could be measured. */
  readonly relativeDispersion: number;
}

/**
 * Mean of the curves of a workspace, every series weighing as much as its number of months whatever its volume. A month is one
 * month however many series show it: they share its weather and its holidays. Undefined where no series shows any.
 */
export function poolShareCurves(curves: Iterable<ShareCurve>): PooledShareCurve | undefined {
  const known = Array.from(curves).filter((curve) => curve.months.length > 0);
  if (known.length === 0) return undefined;
  const weights = known.reduce((sum, curve) => sum + curve.months.length, 0);
  const mean = (entry: (curve: ShareCurve) => number) =>
    known.reduce((sum, curve) => sum + curve.months.length * entry(curve), 0) / weights;
  const months = meanMonths(known);
  const pool = {
    months,
    cumulative: EVEN_CURVE.map((_, k) => mean((curve) => curve.cumulative[k]!)),
    weekdays: EVEN_WEEK.map((_, k) => mean((curve) => curve.weekdays[k]!)),
    recurrence: new Recurrence(months),
  };
  return { ...pool, relativeDispersion: typicalDispersion(known, pool) };
}

/** By month, the mean excess of all series that show it; every series counts the same. */
function meanMonths(curves: readonly ShareCurve[]): MonthBuildUp[] {
  const all = curves.flatMap((curve) => curve.months);
  return [...Map.groupBy(all, ({ month }) => month)]
    .sort(([a], [b]) => a - b)
    .map(([month, shown]) => ({
      month,
      excess: QUARTERS.map((_, q) => shown.reduce((sum, one) => sum + one.excess[q]!, 0) / shown.length),
    }));
}

/** Geometric mean of the series' own dispersions over their mean months; NaN where no series has one. */
function typicalDispersion(curves: readonly ShareCurve[], pool: Omit<PooledShareCurve, 'relativeDispersion'>): number {
  const { cumulative } = shrunkCurve(pool, EVEN_CURVE);
  let logarithms = 0;
  let weights = 0;
  for (const curve of curves) {
    const n = curve.months.length;
    const dispersion = ownDispersion(curve, shrunkCurve(curve, cumulative), pool.recurrence);
    if (!(dispersion > 0)) continue;
    const meanMonth = curve.months.reduce((sum, month) => sum + month.total, 0) / n;
    logarithms += n * Math.log(dispersion / meanMonth);
    weights += n;
  }
  return Math.exp(logarithms / weights);
}
