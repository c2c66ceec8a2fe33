/** Points of a share curve: cumulative demand after k/31 of a month, k = 0 .. 31. */
const STEPS = 31;
/** Complete months that the workspace's share counts for beside a series' own, and the elapsed share beside the workspace's. */
const PRIOR_MONTHS = 6;

/** How demand builds up within a month; plain numbers, so that curves are stored and added. */
export interface ShareCurve {
  /** Complete months with demand in it. */
  readonly months: number;
  /** Demand of these months. */
  readonly total: number;
  /** Demand of these months after k/31 of the month, k = 0 .. 31. */
  readonly cumulative: readonly number[];
  /** Sum over months of (x - p T)^2 at quarters of the month, x demand so far, T the month's demand, p the share of all months. */
  readonly squaredDeviation: number;
  /** Sum of T p (1 - p) at the same points: what squaredDeviation would be for independent single pieces. */
  readonly binomialVariance: number;
}

/**
 * Share curve of one series from its complete months, each an array of daily demand from the first to the last day. Negative
 * days (returns) and missing ones (NaN) count as no demand; months without demand tell nothing.
 */
export function shareCurve(dailyMonths: readonly ArrayLike<number>[]): ShareCurve {
  const curves = dailyMonths.map(buildUp).filter((curve) => curve[STEPS]! > 0);
  const cumulative = Array.from({ length: STEPS + 1 }, (_, k) => curves.reduce((sum, curve) => sum + curve[k]!, 0));
  const total = cumulative[STEPS]!;
  let squaredDeviation = 0;
  let binomialVariance = 0;
  for (const quarter of [0.25, 0.5, 0.75]) {
    const p = total > 0 ? shareAt(cumulative, quarter) / total : quarter;
    for (const curve of curves) {
      squaredDeviation += (shareAt(curve, quarter) - p * curve[STEPS]!) ** 2;
      binomialVariance += curve[STEPS]! * p * (1 - p);
    }
  }
  return { months: curves.length, total, cumulative, squaredDeviation, binomialVariance };
}

/** Sum of the curves of a workspace, every series weighing as much as its number of months whatever its volume. */
export function poolShareCurves(curves: Iterable<ShareCurve>): ShareCurve {
  let months = 0;
  let squaredDeviation = 0;
  let binomialVariance = 0;
  const cumulative = new Array<number>(STEPS + 1).fill(0);
  for (const curve of curves) {
    if (!(curve.total > 0)) continue;
    const scale = curve.months / curve.total;
    months += curve.months;
    curve.cumulative.forEach((value, k) => (cumulative[k]! += scale * value));
    // In units of the series' mean month, so that dispersions of different volumes can be added.
    squaredDeviation += scale * scale * curve.squaredDeviation;
    binomialVariance += scale * curve.binomialVariance;
  }
  return { months, total: months, cumulative, squaredDeviation, binomialVariance };
}

/**
 * Share of a month's demand usually sold when `elapsed` (0..1) of the month is over: the series' own, shrunk toward the
 * workspace's with the weight of six months, and that toward the elapsed share itself likewise.
 */
export function expectedShare(own: ShareCurve | undefined, pool: ShareCurve | undefined, elapsed: number): number {
  const at = Math.min(Math.max(elapsed, 0), 1);
  return shrink(own, at, shrink(pool, at, at));
}

/**
 * Dispersion of demand within a month, variance over mean of independent orders: own estimate (x - p T)^2 / (T p (1 - p)),
 * shrunk toward the workspace's, which is relative to volume, with the weight of six months; `fallback` where there is neither.
 */
export function dispersionWithin(
  own: ShareCurve | undefined,
  pool: ShareCurve | undefined,
  monthMean: number,
  fallback: number,
): number {
  const pooled =
    pool && pool.binomialVariance > 0 ? (pool.squaredDeviation / pool.binomialVariance) * monthMean : fallback;
  if (!own || !(own.binomialVariance > 0)) return pooled;
  // One month is spent on the share that deviations are measured from.
  const degrees = Math.max(own.months - 1, 0);
  const estimate = (own.squaredDeviation / own.binomialVariance) * (own.months / Math.max(degrees, 1));
  return (degrees * estimate + PRIOR_MONTHS * pooled) / (degrees + PRIOR_MONTHS);
}

function shrink(curve: ShareCurve | undefined, at: number, target: number): number {
  if (!curve || !(curve.total > 0)) return target;
  const share = shareAt(curve.cumulative, at) / curve.total;
  return (curve.months * share + PRIOR_MONTHS * target) / (curve.months + PRIOR_MONTHS);
}

/** Linear interpolation of a cumulative curve. */
function shareAt(cumulative: readonly number[], at: number): number {
  const position = at * STEPS;
  const below = Math.min(Math.floor(position), STEPS - 1);
  return cumulative[below]! + (position - below) * (cumulative[below + 1]! - cumulative[below]!);
}

/** Demand of one month after k/31 of it, days being spread evenly over their length. */
function buildUp(days: ArrayLike<number>): number[] {
  const sums = [0];
  for (let day = 0; day < days.length; day++)
    sums.push(sums[day]! + Math.max(Number.isFinite(days[day]!) ? days[day]! : 0, 0));
  return Array.from({ length: STEPS + 1 }, (_, k) => {
    const position = (k / STEPS) * days.length;
    const below = Math.min(Math.floor(position), days.length - 1);
    if (below < 0) return 0;
    return sums[below]! + (position - below) * (sums[below + 1]! - sums[below]!);
  });
}
