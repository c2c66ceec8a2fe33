/**
 * The scale that regular demand is judged on, the signed square root: counts get constant variance, and a season that grows with
 * the level nearly a constant one.
 */

/** Signed square root of demand. */
export function toRootScale(demand: number): number {
  return Math.sign(demand) * Math.sqrt(Math.abs(demand));
}

/** Demand of a signed square root. */
export function fromRootScale(root: number): number {
  return Math.sign(root) * root * root;
}

/**
 * Deviation of one month from the root `expected` (> 0) when it is judged by itself: rises are measured on a logarithmic scale and
 * falls on that of demand, both to first order in roots. The tail of right-skewed demand is then no spike, and low months of
 * symmetric demand are no drops; in sums of several months such tails even out.
 */
export function singleMonthDeviation(root: number, expected: number): number {
  if (root > expected) return expected * Math.log(root / expected);
  return (root * Math.abs(root) - expected * expected) / (2 * expected);
}
