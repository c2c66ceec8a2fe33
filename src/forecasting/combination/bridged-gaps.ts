import type { CalendarAdjustment } from '../calendar-regression/adjustment.js';
import { interpolateMissing } from '../missing.js';

/**
 * The history with its gaps closed: missing months between observed ones take the straight line between their neighbors in the
 * adjusted history, with the effects of their months put back; not below zero. Missing months at either end stay missing; a history
 * without gaps is the very one given. `values` in any unit, not negative, NaN where missing.
 */
export function bridgeGaps(
  values: Float64Array,
  { adjusted, restoreValue }: Pick<CalendarAdjustment, 'adjusted' | 'restoreValue'>,
): Float64Array {
  const isObserved = (value: number): boolean => !Number.isNaN(value);
  const first = values.findIndex(isObserved);
  const last = values.findLastIndex(isObserved);
  if (values.subarray(first, last + 1).every(isObserved)) return values;
  const lines = interpolateMissing(adjusted);
  return values.map((value, t) =>
    isObserved(value) || t < first || t > last ? value : Math.max(0, restoreValue(lines[t]!, t)),
  );
}
