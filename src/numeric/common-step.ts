import { commonDivisor } from './common-divisor.js';

/** Largest demand in common steps; a series that needs more has no common step. */
const MAX_COUNT = 1e6;
/** Whole demands count as pieces until this many of them agree on a larger pack: one order of five is no pack of five. */
export const MIN_PACK_SAMPLE = 8;

/** The smallest step that all sizes are multiples of; null where there is none. */
export function commonStep(sizes: Float64Array): number | null {
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
  let step = 0;
  for (const size of sizes) {
    step = commonDivisor(size, step, largest);
    if (step < largest / MAX_COUNT) return null;
  }
  const isCommon = sizes.every((size) => isMultiple(size, step));
  return isCommon && largest / step <= MAX_COUNT ? step : null;
}

/** Whether a size is a whole number of steps, but for rounding. */
export function isMultiple(size: number, step: number): boolean {
  return Math.abs(size / step - Math.round(size / step)) < 1e-3;
}
