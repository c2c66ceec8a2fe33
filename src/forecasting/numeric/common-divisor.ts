/** What is this small a share of the largest value is taken for an error of rounding. */
export const TOLERANCE = 1e-6;

/**
 * Largest number that `a` and `b` (>= 0) are both whole multiples of, by Euclid's algorithm; rests up to `tolerance` count as
 * none, and so does an argument of that size.
 */
export function commonDivisor(a: number, b: number, tolerance: number): number {
  let [larger, smaller] = a > b ? [a, b] : [b, a];
  while (smaller > tolerance) {
    const rest = larger % smaller;
    larger = smaller;
    smaller = smaller - rest < tolerance ? 0 : rest;
  }
  return larger;
}
