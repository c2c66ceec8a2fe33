import type { PullStep } from './platform.js';

/** Least records of a page: with fewer a list made no headway beside those that its pages repeat. */
const LEAST = 20;

/**
 * Records to ask for at once: half as many after each fault in a row. Where a page is too much, a platform runs out of time or
 * memory over it, or its reply has no end; which of them it was nobody tells.
 */
export function pageSize(most: number, { faults = 0 }: Pick<PullStep, 'faults'>): number {
  return Math.max(LEAST, Math.floor(most / 2 ** faults));
}
