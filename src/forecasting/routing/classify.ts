import type { DemandPattern } from '../types.js';

/** Average demand interval that separates frequent from infrequent demand (Syntetos, Boylan & Croston, JORS 56, 2005). */
const INTERVAL_CUTOFF = 1.32;
/** Squared coefficient of variation of demand sizes that separates regular from erratic sizes (same source). */
const VARIATION_CUTOFF = 0.49;
/** Fewer observed months than this is a new item: nothing of its own to estimate a shape from. */
export const NEW_BELOW = 4;
/** Fewer observed months than this is short: less than one season, no seasonal pattern can be told from the series alone. */
export const SHORT_BELOW = 13;
/**
 * Whole-number demand below this mean is forecast as counts even when few months are zero: at both training origins of
 * carparts the count model beat the combination by a quarter and more on such series.
 */
const LOW_COUNT_MEAN = 5;
/** Months without any demand after which an item that once sold counts as dead. */
const DEAD_AFTER = 24;

/** What a history shows of its demand pattern. */
export interface DemandProfile {
  readonly pattern: DemandPattern;
  /** Months with an observation. */
  readonly observed: number;
  /** Observed months per month with demand (average demand interval); Infinity without demand. */
  readonly averageInterval: number;
  /** Squared coefficient of variation of the non-zero demands; 0 when fewer than two. */
  readonly squaredVariation: number;
  /** Long intervals between demands: the classes `intermittent` and `lumpy`, whatever the length. */
  readonly infrequent: boolean;
  /** Infrequent, or whole numbers with a small mean: to be forecast as counts. */
  readonly countLike: boolean;
}

/**
 * Syntetos-Boylan-Croston class of a demand history (NaN = missing, not zero), preceded by the cases that the scheme leaves
 * out: `new` (under 4 observed months), `dead` (no demand for 24 observed months, or never any), `short` (under 13 months).
 */
export function classifyDemand(values: Float64Array): DemandProfile {
  let observed = 0;
  let demands = 0;
  let sum = 0;
  let sumSquares = 0;
  let sinceDemand = 0;
  let hasNegative = false;
  let whole = true;
  for (let t = 0; t < values.length; t++) {
    const value = values[t]!;
    if (Number.isNaN(value)) continue;
    observed++;
    if (value === 0) {
      sinceDemand++;
      continue;
    }
    sinceDemand = 0;
    demands++;
    sum += value;
    if (value < 0) hasNegative = true;
    if (!Number.isInteger(value)) whole = false;
  }
  const meanDemand = demands > 0 ? sum / demands : 0;
  for (let t = 0; t < values.length; t++) {
    const value = values[t]!;
    if (value !== 0 && !Number.isNaN(value)) sumSquares += (value - meanDemand) * (value - meanDemand);
  }
  const squaredVariation = demands > 1 && meanDemand !== 0 ? sumSquares / (demands - 1) / (meanDemand * meanDemand) : 0;
  const averageInterval = demands > 0 ? observed / demands : Infinity;
  const infrequent = observed > 0 && averageInterval >= INTERVAL_CUTOFF;
  return {
    pattern: patternOf(observed, demands, sinceDemand, infrequent, squaredVariation),
    observed,
    averageInterval,
    squaredVariation,
    infrequent,
    countLike: infrequent || (whole && !hasNegative && sum < LOW_COUNT_MEAN * observed),
  };
}

function patternOf(
  observed: number,
  demands: number,
  sinceDemand: number,
  infrequent: boolean,
  squaredVariation: number,
): DemandPattern {
  if (observed < NEW_BELOW) return 'new';
  if (demands === 0 || sinceDemand >= DEAD_AFTER) return 'dead';
  if (observed < SHORT_BELOW) return 'short';
  if (infrequent) return squaredVariation >= VARIATION_CUTOFF ? 'lumpy' : 'intermittent';
  return squaredVariation >= VARIATION_CUTOFF ? 'erratic' : 'smooth';
}
