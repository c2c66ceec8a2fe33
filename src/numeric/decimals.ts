import { clamp } from './clamp.js';

/** Powers of ten that a double holds exactly, so that a quotient by one is the double nearest to the decimal. */
const POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
/** Significant digits that hold what sums and products of decimals come to; what binary fractions add stands behind them. */
const EXACT_DIGITS = 12;

/** Decimals that a number of this size has with so many significant digits: 0 to 22. */
export function decimalsOf(size: number, digits: number): number {
  return clamp(digits - 1 - Math.floor(Math.log10(size)), 0, POWERS.length - 1);
}

/** The value with so many decimals, 0 to 22. */
export function toDecimals(value: number, decimals: number): number {
  const scale = POWERS[decimals]!;
  return Math.round(value * scale) / scale + 0; // no negative zero
}

/**
 * A sum, difference or product of decimals without the tail of binary fractions: .3 for .1 + .2.
 * @param size of the largest number that it comes of: the tail is as long as that number's
 */
export function withoutTail(value: number, size = Math.abs(value)): number {
  return toDecimals(value, decimalsOf(size, EXACT_DIGITS));
}

/**
 * The sum of decimals without the tail of binary fractions: 0 for .1 + .2 - .3. More digits than adding can have brought
 * about are those of the values, and stay.
 */
export function decimalSum(values: ArrayLike<number>): number {
  let [sum, size] = [0, 0];
  for (let k = 0; k < values.length; k += 1) {
    sum += values[k]!;
    size = Math.max(size, Math.abs(values[k]!), Math.abs(sum));
  }
  const rounded = withoutTail(sum, size);
  return Math.abs(rounded - sum) <= values.length * Number.EPSILON * size ? rounded : sum;
}
