import { commonStep, MIN_PACK_SAMPLE } from '../../numeric/common-step.js';
import { sumOf } from '../../numeric/sum.js';
import { isInWholeUnits } from '../../numeric/whole-units.js';
import { isMostlyInPieces } from '../pieces.js';

/** Demand counted in whole steps. */
export interface CountedDemand {
  /** Counts of `unit` by month, NaN where missing. */
  readonly counts: Float64Array;
  /** Size of one step in the series' own unit. */
  readonly unit: number;
  /** Whether demand has no common step, as of kilograms: it is measured in {@link MEASURED_STEPS} a demand of mean size. */
  readonly measured: boolean;
}

/** A step of which so few make a usual order is none of a few fractions: a single order of 2.5 is no pack of 2.5. */
const COARSE_STEPS = 5;
/** Demand without a common step is measured in fractions of its mean size, fine enough to be all but continuous. */
export const MEASURED_STEPS = 20;

/**
 * Counts demand in the smallest step that all its values are multiples of (packs of 12, half meters), by Euclid's algorithm
 * with a tolerance; without such a step, or where a few fractions have a coarse one, in twentieths of the mean demand size.
 * The odd months of demand in pieces are rounded to pieces, unless they are of a coarse step, as halves.
 * @param demand not negative, NaN where missing
 */
export function countDemand(demand: Float64Array): CountedDemand {
  const sizes = demand.filter((value) => value > 0);
  const areFew = sizes.length < MIN_PACK_SAMPLE;
  const areWhole = isInWholeUnits(demand);
  if (areFew && areWhole) return { counts: demand, unit: 1, measured: false };
  const step = commonStep(sizes);
  const isFine = step === null || step < 1 / COARSE_STEPS;
  if (isFine && !areWhole && isMostlyInPieces(demand)) return countDemand(demand.map(Math.round));
  const mean = sumOf(sizes) / sizes.length;
  const isClear = step !== null && !(areFew && step > mean / COARSE_STEPS);
  const unit = isClear ? step : mean / MEASURED_STEPS;
  return { counts: demand.map((value) => value / unit), unit, measured: !isClear };
}
