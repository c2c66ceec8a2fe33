import { calendarMonth } from '../calendar.js';
import { SEASON, type MonthNumber } from '../types.js';
import { calendarEffects, type CalendarEffects, NO_EFFECTS } from './calendar-effects.js';
import { holidaysOf, knowsMovingEffects, type CalendarPrior } from './calendar-prior.js';
import { fitPosterior } from './posterior.js';
import { movingEffect, SEASONAL_BASIS, SEASONAL_COLUMNS } from './regressors.js';
import { whiten } from './whitening.js';

/** A history without its calendar effects, and the way back. */
export interface CalendarAdjustment extends Pick<CalendarEffects, 'restoreValue' | 'restore'> {
  /** The history with season, working days and moving holidays taken out; gaps stay gaps. */
  readonly adjusted: Float64Array;
  /** Seasonal effect by calendar month (January first), in logarithms or in units of `scale`; zeros when there is none. */
  readonly seasonal: Float64Array;
  readonly logarithmic: boolean;
  /** Effects of working days and moving holidays alone, if they are known, for methods that estimate the season themselves. */
  readonly moving: CalendarEffects;
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
  const moving = knowsMovingEffects(prior, whitened.rows + 1) ? effectsOf(movingAt) : NO_EFFECTS;
  const { without, ...back } = effectsOf((t) => seasonal[calendarMonth(startMonth + t)]! + movingAt(t));
  return { adjusted: without(values), seasonal, logarithmic, ...back, moving };
}

function seasonalEffects(coefficients: Float64Array): Float64Array {
  return Float64Array.from({ length: SEASON }, (_, month) => {
    let sum = 0;
    for (let j = 0; j < SEASONAL_COLUMNS; j++) sum += SEASONAL_BASIS[month * SEASONAL_COLUMNS + j]! * coefficients[j]!;
    return sum;
  });
}
