import { calendarMonth } from '../calendar.js';
import { rescaleMonth } from '../methods/rescale.js';
import { SEASON, type MonthNumber, type QuantileForecast } from '../types.js';
import { holidaysOf, type CalendarPrior } from './calendar-prior.js';
import { fitPosterior } from './posterior.js';
import { movingEffect, SEASONAL_BASIS, SEASONAL_COLUMNS } from './regressors.js';
import { whiten } from './whitening.js';

/** Effects beyond a factor of e^5 are estimation failures. */
const LARGEST_EFFECT = 5;

/** A history without its calendar effects, and the way back. */
export interface CalendarAdjustment {
  /** The history with season, working days and moving holidays taken out; gaps stay gaps. */
  readonly adjusted: Float64Array;
  /** Seasonal effect by calendar month (January first), in logarithms or in units of `scale`; zeros when there is none. */
  readonly seasonal: Float64Array;
  readonly logarithmic: boolean;
  /** A value of the adjusted series at month `t` of the history or after it, with the effects of that month put back. */
  readonly restoreValue: (value: number, t: number) => number;
  /** Adds or multiplies the effects of the months after the history into a copy of a forecast of the adjusted series. */
  readonly restore: (forecast: QuantileForecast) => QuantileForecast;
}

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
      restoreValue: (value) => value,
      restore: (forecast) => forecast,
    };
  }
  const { coefficients, holidays } = fitPosterior(whitened, prior);
  const { logarithmic, scale, offset } = whitened;
  const seasonal = seasonalEffects(coefficients);
  const effect = (t: number): number => {
    const month = startMonth + t;
    const total = seasonal[calendarMonth(month)]! + (t >= offset ? movingEffect(coefficients, holidays, month) : 0);
    return Math.max(-LARGEST_EFFECT, Math.min(LARGEST_EFFECT, total));
  };
  const adjusted = values.map((value, t) => (logarithmic ? value * Math.exp(-effect(t)) : value - effect(t) * scale));
  const restoreValue = (value: number, t: number): number =>
    logarithmic ? value * Math.exp(effect(t)) : value + effect(t) * scale;
  const restore = (forecast: QuantileForecast): QuantileForecast => {
    const restored = { mean: forecast.mean.slice(), quantiles: forecast.quantiles.slice() };
    for (let k = 0; k < restored.mean.length; k++) {
      const ahead = effect(values.length + k);
      if (logarithmic) rescaleMonth(restored, k, Math.exp(ahead), 0);
      else rescaleMonth(restored, k, 1, ahead * scale);
    }
    return restored;
  };
  return { adjusted, seasonal, logarithmic, restoreValue, restore };
}

function seasonalEffects(coefficients: Float64Array): Float64Array {
  return Float64Array.from({ length: SEASON }, (_, month) => {
    let sum = 0;
    for (let j = 0; j < SEASONAL_COLUMNS; j++) sum += SEASONAL_BASIS[month * SEASONAL_COLUMNS + j]! * coefficients[j]!;
    return sum;
  });
}
