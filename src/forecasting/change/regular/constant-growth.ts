import { clamp } from '../../../numeric/clamp.js';
import { SEASON } from '../../types.js';

/** Rates of growth a year on the root scale lie within this: demand grows by a factor of 7.4 at most. */
const MAX_RATE = 1;

/** Growth by a constant percentage, which roots of demand are divided by. */
export interface ConstantGrowth {
  /** Of the root, a year: half of that of demand. */
  readonly rate: number;
  /** Index of the month since which it is this rate, and the factor there. */
  readonly origin: number;
  readonly factor: number;
}

/** Roots as they are. */
export const NO_GROWTH: ConstantGrowth = { rate: 0, origin: 0, factor: 1 };

/** What the root of month `index` is divided by. */
export function growthFactor({ rate, origin, factor }: ConstantGrowth, index: number): number {
  return rate === 0 ? factor : factor * Math.exp((rate * (index - origin)) / SEASON);
}

/** The same up to month `index`, and growth by `more` a year on top of it from there on. */
export function fasterFrom(growth: ConstantGrowth, index: number, more: number): ConstantGrowth {
  return {
    rate: clamp(growth.rate + more, -MAX_RATE, MAX_RATE),
    origin: index,
    factor: growthFactor(growth, index),
  };
}
