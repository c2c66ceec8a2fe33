/** Significant digits of a converted quantity: those behind come from binary fractions. */
const DIGITS = 12;

/**
 * A quantity in the unit that a product is kept in, unrounded.
 * @param size how many of that unit the one it was sold in holds; NaN, as the result then, where the platform does not tell
 */
export function inUnitKept(quantity: number, size: number): number {
  return Number((quantity * size).toPrecision(DIGITS));
}
