/** What is this small a share of the largest value is taken for an error of rounding. */
const TOLERANCE = 1e-6;

/**
 * Largest number that `a` and `b` (>= 0) are both whole multiples of, by Euclid's algorithm. What is below a millionth of
 * `largest`, the largest value that a common divisor is looked for, counts as none.
 */
export function commonDivisor(a: number, b: number, largest: number): number {
  const tolerance = TOLERANCE * largest;
  let [larger, smaller] = a > b ? [a, b] : [b, a];
  while (smaller > tolerance) {
    const rest = larger % smaller;
    larger = smaller;
    smaller = smaller - rest < tolerance ? 0 : rest;
  }
  return larger;
}
