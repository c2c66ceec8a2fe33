import { monthInWords } from '../calendar.js';
import { monthsSinceEnd } from '../routing/ended-demand.js';
import type { DemandHistory } from '../types.js';

/** Months without demand of an item that sold every month after which stock must not be ordered as if nothing had happened. */
const SILENT = 2;

/**
 * One sentence for people who order stock where frequent demand seems to have ended: a forecast cannot know whether an item was sold out,
 * and of goods that are sold no more it expects something for a year. Undefined where demand goes on.
 */
export function describeEnd({ startMonth, values }: DemandHistory): string | undefined {
  if (monthsSinceEnd(values) < SILENT) return undefined;
  const last = startMonth + values.findLastIndex((value) => value > 0);
  return `There has been no demand since ${monthInWords(last + 1)}: if the item was sold out, remove these months from the demand; if it is no longer sold, order none.`;
}
