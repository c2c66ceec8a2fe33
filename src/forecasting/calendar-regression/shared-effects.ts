import { rescaleMonth } from '../methods/rescale.js';
import type { DemandHistory, MonthNumber, QuantileForecast } from '../types.js';
import { holidaysOf, tellsMovingEffects, type CalendarPrior } from './calendar-prior.js';
import { COMMON_COLUMNS, movingEffect, WEEKDAY_COLUMN } from './regressors.js';

/**
 * A history without what its workspace's series have in common of working days and moving holidays: the prior means, for series that are too
 * short to tell their own.
 */
export function withoutSharedEffects(history: DemandHistory, prior: CalendarPrior): DemandHistory {
  const values = history.values.map((value, t) => value * Math.exp(-sharedEffect(prior, history.startMonth + t)));
  return { ...history, values };
}

/** Puts the effects of a forecast's months back, in place. */
export function restoreSharedEffects(forecast: QuantileForecast, firstMonth: MonthNumber, prior: CalendarPrior): void {
  for (let k = 0; k < forecast.mean.length; k++)
    rescaleMonth(forecast, k, Math.exp(sharedEffect(prior, firstMonth + k)), 0);
}

/** The prior of a history that these effects have been taken out of: they are expected to be 0. */
export function priorWithoutShared(prior: CalendarPrior): CalendarPrior {
  if (!tellsMovingEffects(prior)) return prior;
  const isShared = (column: number): boolean => column === WEEKDAY_COLUMN || column >= COMMON_COLUMNS;
  return { ...prior, mean: prior.mean.map((mean, column) => (isShared(column) ? 0 : mean)) };
}

/** As a logarithm. Priors of releases before 0.21.0, which do not tell their months, are taken as those releases took them: without. */
function sharedEffect(prior: CalendarPrior, month: MonthNumber): number {
  return tellsMovingEffects(prior) ? movingEffect(prior.mean, holidaysOf(prior), month) : 0;
}
