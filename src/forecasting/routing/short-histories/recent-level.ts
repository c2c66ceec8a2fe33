import { quantileLoss } from '../../evaluation/accuracy.js';
import { countObserved, meanObserved, observedValues } from '../../missing.js';
import { LEVELS, MEDIAN, type QuantileForecast } from '../../types.js';

/** Observed months whose mean is the recent level. */
const LEVEL_MONTHS = 6;
/** Weights are compared in steps of a twentieth up to this one. */
const STEPS = 20;
const MAX_WEIGHT = 0.6;
/**
 * Penalty on the squared weight, in units of the loss without the level: the first for any workspace, the second divided by the number of
 * cases, as for the members' weights (combination/learn-gains.ts).
 */
const SHRINKAGE = 0.15;
const SHRINKAGE_OF_FEW = 10;
/** Fewer cases (a series at one origin each) than this teach nothing. */
const MIN_SAMPLE = 8;

/** A short history at an earlier origin. */
export interface LevelCase {
  /** Its forecast by the weight of the recent level. */
  readonly forecastBy: (levelWeight: number) => QuantileForecast;
  /** What then happened, NaN where missing. */
  readonly actual: Float64Array;
  /** Unit of the losses. Cases of a scale that is not above 0 do not count. */
  readonly scale: number;
}

/** Mean of the last six observed months; at least one month is observed. */
export function recentLevel(values: Float64Array): number {
  return meanObserved(observedValues(values).slice(-LEVEL_MONTHS));
}

/**
 * The forecast with the median of each month moved toward the level, by `weight` of the way (0 to 1), and mean and quantiles by as much:
 * from a few months the network takes chance for a trend or a season.
 */
export function towardLevel({ mean, quantiles }: QuantileForecast, level: number, weight: number): QuantileForecast {
  const shifts = mean.map((_, k) => weight * (level - quantiles[k * LEVELS + MEDIAN]!));
  return {
    mean: mean.map((value, k) => value + shifts[k]!),
    quantiles: quantiles.map((value, i) => value + shifts[Math.floor(i / LEVELS)]!),
  };
}

/**
 * Weight of the recent level that would have been best for the cases: of the mean scaled pinball loss, as a share of that without the
 * level, and a penalty that draws it to 0.
 */
export function learnLevelWeight(cases: readonly LevelCase[]): number {
  const informative = cases.filter(({ scale, actual }) => scale > 0 && countObserved(actual) > 0);
  if (informative.length < MIN_SAMPLE) return 0;
  const shrinkage = SHRINKAGE + SHRINKAGE_OF_FEW / informative.length;
  const lossOf = (weight: number): number => informative.reduce((sum, one) => sum + scaledLoss(one, weight), 0);
  const without = lossOf(0);
  let best = 0;
  let least = 1;
  // loss and penalty are convex, or nearly so with a borrowed season: the first weight that is no better ends the search
  for (let step = 1; step <= MAX_WEIGHT * STEPS; step++) {
    const weight = step / STEPS;
    const penalized = lossOf(weight) / without + shrinkage * weight ** 2;
    if (!(penalized < least)) break;
    best = weight;
    least = penalized;
  }
  return best;
}

function scaledLoss({ forecastBy, actual, scale }: LevelCase, weight: number): number {
  const { quantiles } = forecastBy(weight);
  let loss = 0;
  for (const [k, value] of actual.entries()) {
    if (!Number.isNaN(value)) loss += quantileLoss(value, quantiles, k * LEVELS);
  }
  return loss / countObserved(actual) / scale;
}
