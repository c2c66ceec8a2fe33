import { aggregatedRate, averageInterval } from './adida.js';
import { rateForecaster } from './rate-forecaster.js';

/**
 * Intermittent multiple aggregation prediction algorithm (Petropoulos & Kourentzes, JORS 66, 2015): the mean of the rates at
 * every bucket length from one month to the average interval.
 */
function imapaRate(demand: Float64Array): number {
  const widest = averageInterval(demand);
  let total = 0;
  for (let width = 1; width <= widest; width++) total += aggregatedRate(demand, width);
  return total / widest;
}

/** IMAPA as a forecaster, see {@link imapaRate}. */
export const imapa = rateForecaster(imapaRate);
