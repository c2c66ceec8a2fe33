import { clamp } from '../../numeric/clamp.js';
import { restoreEffects, withoutEffects } from '../methods/rescale.js';
import type { QuantileForecast } from '../types.js';
import type { WhitenedSeries } from './whitening.js';

/** Effects beyond a factor of e^5 are estimation failures. */
const MAX_EFFECT = 5;

/** Effects of the calendar on the months of a history and after it: how to take them out, and the way back. */
export interface CalendarEffects {
  /** Values from the first month of the history on, without the effects; gaps stay gaps. */
  readonly without: (values: Float64Array) => Float64Array;
  /** A value without effects at month `t` of the history or after it, with those of that month put back. */
  readonly restoreValue: (value: number, t: number) => number;
  /** Adds or multiplies the effects of the months after the history into a copy of a forecast made without them. */
  readonly restore: (forecast: QuantileForecast) => QuantileForecast;
}

/** Of a history without known effects. */
export const NO_EFFECTS: CalendarEffects = {
  without: (values) => values,
  restoreValue: (value) => value,
  restore: (forecast) => forecast,
};

/**
 * @param effectAt effect by month of the history, in logarithms or in units of `scale`
 * @param months of the history
 */
export function calendarEffects(
  effectAt: (t: number) => number,
  { logarithmic, scale }: Pick<WhitenedSeries, 'logarithmic' | 'scale'>,
  months: number,
): CalendarEffects {
  // the scale of logarithms is 1
  const effect = (t: number): number => scale * clamp(effectAt(t), -MAX_EFFECT, MAX_EFFECT);
  return {
    without: (values) => withoutEffects(values, effect, logarithmic),
    restoreValue: (value, t) => (logarithmic ? value * Math.exp(effect(t)) : value + effect(t)),
    restore: ({ mean, quantiles }) => {
      const restored = { mean: mean.slice(), quantiles: quantiles.slice() };
      restoreEffects(restored, (k) => effect(months + k), logarithmic);
      return restored;
    },
  };
}
