import { clamp } from '../../numeric/clamp.js';
import { isMostlyInPieces } from '../pieces.js';
import type { DemandPattern } from '../types.js';

/** Average demand interval that separates frequent from infrequent demand (Syntetos, Boylan & Croston, JORS 56, 2005). */
const INTERVAL_CUTOFF = 1.32;
/** Squared coefficient of variation of demand sizes that separates regular from erratic sizes (same source). */
const VARIATION_CUTOFF = 0.49;
/** Fewer observed months than this is a new item: nothing of its own to estimate a shape from. */
export const NEW_BELOW = 4;
/** Fewer observed months than this is short: less than one season, a seasonal pattern cannot be estimated from the series alone. */
export const SHORT_BELOW = 13;
/**
 * Demand in pieces is forecast as counts up to the first of these means, by the combination from the second on, by both between
 * them. M3, hospital, tourism and M1 thinned to means of 2.5 to 5 gain 1.0, .8, 1.8 and .35 % of WQL9 at training origins over counts
 * below a mean of 5; car parts stay the same, for which 1.5 and 5 cost .15 %. Under a year, all below the second are alike.
 */
const COUNTS_UP_TO = 2;
const COUNTS_BELOW = 6;
/** Standard errors by which whole numbers scatter less than orders that come by chance, from which they are a fixed quantity a month. */
const FIXED_BELOW = -6;
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
  /** How far demand in pieces is small enough to be forecast as counts: 1 up to a mean of 2, falling to 0; 0 for others, and for a fixed quantity. */
  readonly smallShare: number;
  /** Weight of the count model in the forecast: 1 where demand is infrequent, else {@link smallShare}. */
  readonly countShare: number;
}

/**
 * Syntetos-Boylan-Croston class of a demand history (NaN = missing, not zero), preceded by the cases that the scheme leaves
 * out: `new` (under 4 observed months), `dead` (no demand for 24 observed months, or never any), `short` (under 13 months). Months of
 * more returns than demand, which forecasts never see (withoutReturns), are taken for demand.
 */
export function classifyDemand(values: Float64Array): DemandProfile {
  let observed = 0;
  let demands = 0;
  let sum = 0;
  let squares = 0;
  let sinceDemand = 0;
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
    squares += value * value;
  }
  const squaredVariation = squaredVariationOf(values, demands, sum);
  const averageInterval = demands > 0 ? observed / demands : Infinity;
  const infrequent = isInfrequent(observed, demands);
  const mayCount = demands > 0 && isMostlyInPieces(values);
  const smallShare = mayCount && !isFixedQuantity(observed, sum, squares) ? smallShareOf(sum / observed, observed) : 0;
  return {
    pattern: patternOf({ observed, demands, sinceDemand, infrequent, squaredVariation }),
    observed,
    averageInterval,
    squaredVariation,
    infrequent,
    smallShare,
    countShare: infrequent ? 1 : smallShare,
  };
}

/** Whether demand in so many of the observed months is infrequent. */
export function isInfrequent(observed: number, demands: number): boolean {
  return observed > 0 && observed / demands >= INTERVAL_CUTOFF;
}

/** Squared coefficient of variation of the demands that are not zero, of which there are `demands` with this sum. */
function squaredVariationOf(values: Float64Array, demands: number, sum: number): number {
  const mean = sum / demands;
  if (demands < 2) return 0;
  let squares = 0;
  for (const value of values) {
    if (value !== 0 && !Number.isNaN(value)) squares += (value - mean) * (value - mean);
  }
  return squares / (demands - 1) / (mean * mean);
}

/**
 * Whether whole numbers scatter so much less than Poisson counts that they are the same quantity nearly every month, as of a contract: the
 * count model would give a piece a month for five years an interval from 0 to 2. By the index of dispersion, whose cube root is
 * nearly normal (Wilson & Hilferty, PNAS 17, 1931). No series of the bundled sets, M1 or tourism is one.
 */
function isFixedQuantity(observed: number, sum: number, squares: number): boolean {
  const freedom = observed - 1;
  const dispersion = ((squares * observed) / sum - sum) / freedom;
  const variance = 2 / (9 * freedom);
  return (Math.cbrt(dispersion) - 1 + variance) / Math.sqrt(variance) < FIXED_BELOW;
}

function smallShareOf(mean: number, observed: number): number {
  const share = clamp((COUNTS_BELOW - mean) / (COUNTS_BELOW - COUNTS_UP_TO), 0, 1);
  return observed < SHORT_BELOW ? Math.ceil(share) : share;
}

/** What the class depends on. */
interface PatternTraits extends Pick<DemandProfile, 'observed' | 'infrequent' | 'squaredVariation'> {
  /** Months with demand. */
  readonly demands: number;
  /** Observed months since the last of them. */
  readonly sinceDemand: number;
}

function patternOf({ observed, demands, sinceDemand, infrequent, squaredVariation }: PatternTraits): DemandPattern {
  if (observed < NEW_BELOW) return 'new';
  if (demands === 0 || sinceDemand >= DEAD_AFTER) return 'dead';
  if (observed < SHORT_BELOW) return 'short';
  if (infrequent) return squaredVariation >= VARIATION_CUTOFF ? 'lumpy' : 'intermittent';
  return squaredVariation >= VARIATION_CUTOFF ? 'erratic' : 'smooth';
}
