import { calendarMonth } from '../calendar.js';
import { rescaleMonth } from '../methods/rescale.js';
import { SEASON, type MonthNumber, type QuantileForecast } from '../types.js';
import { holidaysOf, tellsMovingEffects, type CalendarPrior } from './calendar-prior.js';
import { fitPosterior } from './posterior.js';
import { movingEffect, SEASONAL_BASIS, SEASONAL_COLUMNS } from './regressors.js';
import { whiten, type WhitenedSeries } from './whitening.js';

/** Effects beyond a factor of e^5 are estimation failures. */
const LARGEST_EFFECT = 5;

/** Effects of the calendar on the months of a history and after it: how to take them out, and the way back. */
export interface CalendarEffects {
  /** Values from the first month of the history on, without the effects; gaps stay gaps. */
  readonly without: (values: Float64Array) => Float64Array;
  /** A value without effects at month `t` of the history or after it, with those of that month put back. */
  readonly restoreValue: (value: number, t: number) => number;
  /** Adds or multiplies the effects of the months after the history into a copy of a forecast made without them. */
  readonly restore: (forecast: QuantileForecast) => QuantileForecast;
}

/** A history without its calendar effects, and the way back. */
export interface CalendarAdjustment extends Pick<CalendarEffects, 'restoreValue' | 'restore'> {
  /** The history with season, working days and moving holidays taken out; gaps stay gaps. */
  readonly adjusted: Float64Array;
  /** Seasonal effect by calendar month (January first), in logarithms or in units of `scale`; zeros when there is none. */
  readonly seasonal: Float64Array;
  readonly logarithmic: boolean;
  /** Effects of working days and moving holidays alone, as far as they are known, for methods that find the season themselves. */
  readonly moving: CalendarEffects;
}

const NO_EFFECTS: CalendarEffects = {
  without: (values) => values,
  restoreValue: (value) => value,
  restore: (forecast) => forecast,
};

/**
 * Takes calendar effects out of a history by empirical-Bayes regression: the posterior mean given the workspace's prior.
 * Effects of working days and of holidays are removed inside the estimation window only, where they were estimated. A history too short or
 * without variation is returned as it is.
 */
export function adjustCalendar(
  values: Float64Array,
  startMonth: MonthNumber,
  prior: CalendarPrior,
): CalendarAdjustment {
  const whitened = whiten(values, startMonth, holidaysOf(prior));
  if (!whitened) {
    return {
      adjusted: values,
      seasonal: new Float64Array(SEASON),
      logarithmic: false,
      ...NO_EFFECTS,
      moving: NO_EFFECTS,
    };
  }
  const { coefficients, holidays } = fitPosterior(whitened, prior);
  const { offset, logarithmic } = whitened;
  const seasonal = seasonalEffects(coefficients);
  const movingAt = (t: number): number => (t >= offset ? movingEffect(coefficients, holidays, startMonth + t) : 0);
  const effectsOf = (effectAt: (t: number) => number): CalendarEffects =>
    calendarEffects(effectAt, whitened, values.length);
  const moving = tellsMovingEffects(prior, whitened.rows + 1) ? effectsOf(movingAt) : NO_EFFECTS;
  const { without, ...back } = effectsOf((t) => seasonal[calendarMonth(startMonth + t)]! + movingAt(t));
  return { adjusted: without(values), seasonal, logarithmic, ...back, moving };
}

/** @param effectAt effect by month of the history, in logarithms or in units of `scale` */
function calendarEffects(
  effectAt: (t: number) => number,
  { logarithmic, scale }: Pick<WhitenedSeries, 'logarithmic' | 'scale'>,
  months: number,
): CalendarEffects {
  const bounded = (t: number): number => Math.max(-LARGEST_EFFECT, Math.min(LARGEST_EFFECT, effectAt(t)));
  return {
    without: (values) =>
      values.map((value, t) => (logarithmic ? value * Math.exp(-bounded(t)) : value - bounded(t) * scale)),
    restoreValue: (value, t) => (logarithmic ? value * Math.exp(bounded(t)) : value + bounded(t) * scale),
    restore: (forecast) => {
      const restored = { mean: forecast.mean.slice(), quantiles: forecast.quantiles.slice() };
      for (let k = 0; k < restored.mean.length; k++) {
        const ahead = bounded(months + k);
        if (logarithmic) rescaleMonth(restored, k, Math.exp(ahead), 0);
        else rescaleMonth(restored, k, 1, ahead * scale);
      }
      return restored;
    },
  };
}

function seasonalEffects(coefficients: Float64Array): Float64Array {
  return Float64Array.from({ length: SEASON }, (_, month) => {
    let sum = 0;
    for (let j = 0; j < SEASONAL_COLUMNS; j++) sum += SEASONAL_BASIS[month * SEASONAL_COLUMNS + j]! * coefficients[j]!;
    return sum;
  });
}
