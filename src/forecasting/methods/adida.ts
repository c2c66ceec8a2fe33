import { rateForecaster } from './rate-forecaster.js';
import { fitSimpleSmoothing } from './simple-exponential-smoothing.js';

/** Smoothing of aggregated demand: buckets are few, so large values chase noise. */
const ALPHA_RANGE = { lowest: 0.05, highest: 0.5, points: 46 };

/** Demand rate a month from smoothed sums over consecutive buckets of `width` months; the oldest months that fill no bucket are left out. */
export function aggregatedRate(demand: Float64Array, width: number): number {
  const buckets = Math.floor(demand.length / width);
  const sums = new Float64Array(buckets);
  const skip = demand.length - buckets * width;
  for (let t = skip; t < demand.length; t++) sums[Math.floor((t - skip) / width)]! += demand[t]!;
  return fitSimpleSmoothing(sums, ALPHA_RANGE).level / width;
}

/** Average interval between demands in months, rounded: at least one, at most the whole history. */
export function averageInterval(demand: Float64Array): number {
  return Math.round(demand.length / demand.filter((value) => value !== 0).length);
}

/**
 * Aggregate-disaggregate intermittent demand approach (Nikolopoulos, Syntetos, Boylan, Petropoulos & Assimakopoulos, JORS
 * 62, 2011): demand is summed over buckets as long as the average interval, smoothed, and spread evenly.
 */
export const adida = rateForecaster((demand) => aggregatedRate(demand, averageInterval(demand)));
