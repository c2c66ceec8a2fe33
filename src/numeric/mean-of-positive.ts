import { sumOf } from './sum.js';

/** Mean of the values above 0, as of the months with demand; NaN without any. */
export function meanOfPositive(values: Float64Array): number {
  const positive = values.filter((value) => value > 0);
  return sumOf(positive) / positive.length;
}
