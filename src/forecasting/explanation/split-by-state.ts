import { sumOf } from '../../numeric/sum.js';

/** Change of a forecast path by what changed in it; the three sum to the change in every month. */
export interface StateChange {
  readonly level: Float64Array;
  readonly trend: Float64Array;
  readonly season: Float64Array;
}

/** Months below which a change that grows along the path cannot be told from a season. */
const MIN_FOR_TREND = 6;

/**
 * Splits the change from path `before` to path `after` (same months): with s the shape of `before` (each month over the mean
 * month; ones where nothing was forecast) and t the months counted from the first, by least squares
 *
 *   after - before = a s + b s t + rest
 *
 * a s is a change of level, which moves strong and weak months in proportion, b s t one of trend, the rest one of season. Under
 * six months no trend is told apart.
 */
export function splitByState(before: Float64Array, after: Float64Array): StateChange {
  const n = before.length;
  const mean = sumOf(before) / n;
  const shape = before.map((value) => (mean > 0 ? value / mean : 1));
  let ss = 0;
  let st = 0;
  let tt = 0;
  let sd = 0;
  let td = 0;
  for (let k = 0; k < n; k++) {
    const s = shape[k]!;
    const change = after[k]! - before[k]!;
    ss += s * s;
    st += s * s * k;
    tt += s * s * k * k;
    sd += s * change;
    td += s * k * change;
  }
  const determinant = ss * tt - st * st;
  const withTrend = n >= MIN_FOR_TREND && determinant > 1e-9 * ss * tt;
  const a = withTrend ? (sd * tt - td * st) / determinant : sd / ss;
  const b = withTrend ? (td * ss - sd * st) / determinant : 0;
  const level = shape.map((s) => a * s);
  const trend = shape.map((s, k) => b * s * k);
  const season = after.map((value, k) => value - before[k]! - level[k]! - trend[k]!);
  return { level, trend, season };
}
