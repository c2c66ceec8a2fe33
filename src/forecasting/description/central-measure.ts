import { sumOf } from '../../numeric/sum.js';
import { LEVELS, MEDIAN, type QuantileForecast } from '../types.js';

/** The measure of location by which one number stands for a forecast month. */
export const CENTRAL_MEASURES = ['median', 'mean'] as const;
export type CentralMeasure = (typeof CENTRAL_MEASURES)[number];

/** Share of the summed means below which medians hide what the months add up to: those of rare orders are mostly 0. */
const MEDIANS_HIDE = 0.5;

/** The median, unless the medians of a forecast hide what its months add up to: then the mean. */
export function centralMeasure({ mean, quantiles }: QuantileForecast): CentralMeasure {
  const total = sumOf(mean);
  const medians = mean.reduce((sum, _, k) => sum + quantiles[k * LEVELS + MEDIAN]!, 0);
  return medians < MEDIANS_HIDE * total ? 'mean' : 'median';
}

/** The mean or the median of the forecast's month `k`, counted from 0. */
export function centralValue({ mean, quantiles }: QuantileForecast, k: number, measure: CentralMeasure): number {
  return measure === 'mean' ? mean[k]! : quantiles[k * LEVELS + MEDIAN]!;
}
