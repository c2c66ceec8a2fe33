/** Allowance: half of the shift, in sigmas, that the chart is tuned to find. */
export const ALLOWANCE = 0.5;
/** One observation counts at most this many sigmas: a single spike is no new level. */
export const LARGEST_SCORE = 3;

/**
 * One side of a cumulative sum chart (Page, Biometrika 41, 1954): S = max(0, S + increment). With increment z - .5 this is the
 * log-likelihood ratio of a shift by one sigma.
 */
export interface CusumSide {
  /** Current sum, >= 0. */
  sum: number;
  /** Index of the first observation since the sum was last zero: the likely start of a shift. -1 while it is zero. */
  start: number;
}

export function startSide(): CusumSide {
  return { sum: 0, start: -1 };
}

/** Adds one observation. The sum is held at twice the limit, so that one long excursion does not outlive its cause. */
export function addToSide(side: CusumSide, increment: number, index: number, limit: number): void {
  const sum = side.sum + increment;
  if (sum <= 0) {
    resetSide(side);
    return;
  }
  if (side.start < 0) side.start = index;
  side.sum = Math.min(sum, 2 * limit);
}

export function resetSide(side: CusumSide): void {
  side.sum = 0;
  side.start = -1;
}
