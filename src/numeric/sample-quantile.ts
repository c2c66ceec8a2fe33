/**
 * Quantile of an ascending sample by linear interpolation of order statistics: type 7 of Hyndman & Fan (The American
 * Statistician 50, 1996), the default of R and numpy. NaN for an empty sample.
 */
export function sortedQuantile(sorted: Float64Array, level: number): number {
  const { length } = sorted;
  if (length === 0) return NaN;
  const position = level * (length - 1);
  const below = Math.floor(position);
  const low = sorted[below]!;
  if (below + 1 >= length) return low;
  return low + (position - below) * (sorted[below + 1]! - low);
}

/** Type 7 quantile of an unsorted sample, which is left untouched. */
export function sampleQuantile(sample: ArrayLike<number>, level: number): number {
  return sortedQuantile(Float64Array.from(sample).sort(), level);
}

/** Median of an unsorted sample; NaN for an empty one. */
export function median(sample: ArrayLike<number>): number {
  return sampleQuantile(sample, 0.5);
}

/** Standard deviations of a normal distribution in its median absolute deviation, 1/Φ⁻¹(¾). */
export const MAD_TO_DEVIATION = 1.4826;
