/**
 * Standard deviation as quantiles tell it: the least-squares slope of the quantiles on the standard normal quantiles z of their
 * levels, sum(z q) / sum(z z), an L-estimator that no single level decides.
 *
 * @param quantiles those of one month begin at `from` and rise with their levels
 * @param z standard normal quantiles of the levels, symmetric about 0
 * @returns 0 or more
 */
export function quantileSpread(quantiles: ArrayLike<number>, from: number, z: ArrayLike<number>): number {
  // From the lowest one on: equal quantiles would leave a rounding error, and their spread is none at all.
  let slope = 0;
  let square = 0;
  for (let j = 0; j < z.length; j++) {
    slope += z[j]! * (quantiles[from + j]! - quantiles[from]!);
    square += z[j]! * z[j]!;
  }
  return slope / square;
}
