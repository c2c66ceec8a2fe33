import type { PullStep } from './platform.js';

/** Minimum records per page: with fewer, a list would make no progress given the rows that its pages repeat. */
const MIN_RECORDS = 20;

/**
 * Records to request at once: half as many after each consecutive fault. If a page is too large, a platform runs out of time or memory, or
 * its response is truncated; which of these it was is unknown.
 */
export function pageSize(most: number, { faults = 0 }: Pick<PullStep, 'faults'>): number {
  return Math.max(MIN_RECORDS, Math.floor(most / 2 ** faults));
}
