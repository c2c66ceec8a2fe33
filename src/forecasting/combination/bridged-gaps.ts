import type { CalendarAdjustment } from '../calendar-regression/adjustment.js';
import { interpolateMissing, observedRange } from '../missing.js';

/**
 * The history with its gaps closed: missing months between observed ones take the straight line between their neighbors in the
 * adjusted history, with the effects of their months put back. Not below zero where the history is not. Missing months at
 * either end stay missing; a history without gaps is the very one given. `values` in any unit, NaN where missing.
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
  const floor = observedRange(values).smallest < 0 ? -Infinity : 0;
  return values.map((value, t) =>
    isObserved(value) || t < first || t > last ? value : Math.max(floor, restoreValue(lines[t]!, t)),
  );
}
