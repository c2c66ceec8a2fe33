import { commonDivisor } from '../../numeric/common-divisor.js';

/** Demand counted in whole steps. */
export interface CountedDemand {
  /** Non-negative counts of `unit` by month, NaN where missing; returns count as no demand. */
  readonly counts: Float64Array;
  /** Size of one step in the series' own unit. */
  readonly unit: number;
}

/** Largest demand in common steps; a series that needs more has no common step. */
const MAX_COUNT = 1e6;
/** Whole demands count as pieces until this many of them agree on a larger pack: one order of five is no pack of five. */
const MIN_PACK_SAMPLE = 8;
/** A step of which so few make a usual order is none of a few fractions: a single order of 2.5 is no pack of 2.5. */
const COARSE_STEPS = 5;
/** Demand without a common step is measured in fractions of its mean size, fine enough to be all but continuous. */
const CONTINUOUS_STEPS = 20;

/**
 * Counts demand in the smallest step that all its values are multiples of (packs of 12, half metres), by Euclid's algorithm
 * with a tolerance; without such a step, or where a few fractions have a coarse one, in twentieths of the mean demand size.
 */
export function countDemand(values: Float64Array): CountedDemand {
  const demand = values.map((value) => Math.max(0, value));
  let largest = 0;
  let total = 0;
  let demands = 0;
  for (const value of demand) {
    if (!(value > 0)) continue;
    largest = Math.max(largest, value);
    total += value;
    demands++;
  }
  const areFew = demands < MIN_PACK_SAMPLE;
  if (areFew && demand.every((value) => Number.isNaN(value) || Number.isInteger(value))) {
    return { counts: demand, unit: 1 };
  }
  const mean = total / demands;
  const step = commonStep(demand, largest);
  const isClear = step !== null && !(areFew && step > mean / COARSE_STEPS);
  const unit = isClear ? step : mean / CONTINUOUS_STEPS;
  return { counts: demand.map((value) => value / unit), unit };
}

function commonStep(demand: Float64Array, largest: number): number | null {
  const smallest = largest / MAX_COUNT;
  let step = 0;
  for (const value of demand) {
    if (!(value > 0)) continue;
    step = commonDivisor(value, step, largest);
    if (step < smallest) return null;
  }
  const whole = !demand.some((value) => Math.abs(value / step - Math.round(value / step)) >= 1e-3);
  return whole && largest / step <= MAX_COUNT ? step : null;
}
