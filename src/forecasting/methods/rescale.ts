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

/** A series without the effects of its months: divided by their exponentials where they are logarithms, else less them. Gaps stay gaps. */
export function withoutEffects(
  values: Float64Array,
  effectAt: (t: number) => number,
  logarithmic: boolean,
): Float64Array {
  return values.map((value, t) => (logarithmic ? value * Math.exp(-effectAt(t)) : value - effectAt(t)));
}

/** Puts the effect of each month ahead (0-based) back into a forecast, in place; the way back of {@link withoutEffects}. */
export function restoreEffects(
  forecast: QuantileForecast,
  effectAhead: (step: number) => number,
  logarithmic: boolean,
): void {
  for (let k = 0; k < forecast.mean.length; k++) {
    const effect = effectAhead(k);
    if (logarithmic) rescaleMonth(forecast, k, Math.exp(effect), 0);
    else rescaleMonth(forecast, k, 1, effect);
  }
}
