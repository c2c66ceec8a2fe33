import { sortedQuantile } from '../numeric/sample-quantile.js';

/** Raw moments of the demand of a day that has some, in the unit of the series. */
export interface OrderSizes {
  readonly mean: number;
  readonly meanSquare: number;
  readonly meanCube: number;
}

/**
 * A day counts as many times the median at most, or as the third largest day if that is more: a bulk order that came once or twice is no
 * reason to hold half of it for good, while some that come time and again are.
 */
const LARGEST = 10;
const OFTEN = 3;

/** Moments of the demand of days; null if none has any. */
export function orderSizesOf(days: readonly number[]): OrderSizes | null {
  const sizes = new Float64Array(days.filter((size) => size > 0)).sort();
  if (sizes.length === 0) return null;
  const most = Math.max(LARGEST * sortedQuantile(sizes, 0.5), sizes.at(-OFTEN) ?? 0);
  let [sum, squares, cubes] = [0, 0, 0];
  for (const each of sizes) {
    const size = Math.min(each, most);
    sum += size;
    squares += size * size;
    cubes += size * size * size;
  }
  return { mean: sum / sizes.length, meanSquare: squares / sizes.length, meanCube: cubes / sizes.length };
}
