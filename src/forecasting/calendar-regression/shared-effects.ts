import type { DemandHistory } from '../types.js';
import { calendarEffects, type CalendarEffects, NO_EFFECTS } from './calendar-effects.js';
import { holidaysOf, knowsMovingEffects, type CalendarPrior } from './calendar-prior.js';
import { COMMON_COLUMNS, movingEffect, WEEKDAY_COLUMN } from './regressors.js';

/**
 * Effects of working days and moving holidays that a workspace's series share, for series too short to estimate their own: the prior
 * means. None where the histories are too short to show them.
 */
export function sharedEffects({ values, startMonth }: DemandHistory, prior: CalendarPrior): CalendarEffects {
  if (!knowsMovingEffects(prior)) return NO_EFFECTS;
  const holidays = holidaysOf(prior);
  const effectAt = (t: number): number => movingEffect(prior.mean, holidays, startMonth + t);
  return calendarEffects(effectAt, { logarithmic: true, scale: 1 }, values.length);
}

/** The prior of a history that these effects have been taken out of: they are expected to be 0. */
export function priorWithoutShared(prior: CalendarPrior): CalendarPrior {
  if (!knowsMovingEffects(prior)) return prior;
  const isShared = (column: number): boolean => column === WEEKDAY_COLUMN || column >= COMMON_COLUMNS;
  return { ...prior, mean: prior.mean.map((mean, column) => (isShared(column) ? 0 : mean)) };
}
