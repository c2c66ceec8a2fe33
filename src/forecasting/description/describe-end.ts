import { monthInWords } from '../calendar.js';
import { monthsSinceEnd } from '../routing/ended-demand.js';
import type { DemandHistory } from '../types.js';

/** Months without demand after which an item that never paused as long is said to have none. */
export const SILENT_AS_NEVER = 2;

/**
 * One sentence for people who order stock where frequent demand seems to have ended: a forecast cannot know whether an item was sold out,
 * and of goods that are sold no more it expects something for a year. Undefined where demand goes on.
 */
export function describeEnd({ startMonth, values }: DemandHistory): string | undefined {
  if (monthsSinceEnd(values) < SILENT_AS_NEVER) return undefined;
  const last = startMonth + values.findLastIndex((value) => value > 0);
  return `There has been no demand since ${monthInWords(last + 1)}: if the item was sold out, remove these months from the demand; if it is no longer sold, order none.`;
}
