import { normalQuantile } from '../../numeric/normal.js';
import { LEVELS, QUANTILE_LEVELS } from '../types.js';

/** Standard normal quantiles at the engine's nine levels. */
export const NORMAL_QUANTILES: Float64Array = Float64Array.from(QUANTILE_LEVELS, normalQuantile);

/** Writes the nine quantiles of a normal distribution into the row of month `step` (0-based) of `out`. */
export function writeNormalQuantiles(out: Float64Array, step: number, mean: number, deviation: number): void {
  for (let j = 0; j < LEVELS; j++) out[step * LEVELS + j] = mean + NORMAL_QUANTILES[j]! * deviation;
}
