import { LEVELS, type QuantileForecast } from '../types.js';

/** Divides a forecast by a number, in place. Powers of two lose no bit. */
export function divideForecast({ mean, quantiles }: QuantileForecast, by: number): void {
  for (let k = 0; k < mean.length; k++) mean[k]! /= by;
  for (let i = 0; i < quantiles.length; i++) quantiles[i]! /= by;
}

/** Takes the mean and the quantiles of month `step` (0-based) to `value * factor + shift`, in place; `factor` > 0. */
export function rescaleMonth({ mean, quantiles }: QuantileForecast, step: number, factor: number, shift: number): void {
  mean[step] = mean[step]! * factor + shift;
  for (let i = step * LEVELS; i < (step + 1) * LEVELS; i++) quantiles[i] = quantiles[i]! * factor + shift;
}
