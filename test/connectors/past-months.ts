import { beforeEach, jest } from '@jest/globals';
import { Clock } from '../../src/platform/clock.js';
import type { Connected } from './connected.js';

const NOW = new Date();

/** Has the clock of the service stand: no month ends while the tests of the surrounding `describe` run. */
export function keepToThisMonth(workspace: Connected): void {
  beforeEach(() => {
    jest.spyOn(workspace.service.app.get(Clock), 'now').mockReturnValue(NOW);
  });
}

/** `YYYY-MM-DD` of a day, in the month so many months before the present one (UTC). */
export function dayOf(monthsAgo: number, day: number): string {
  return new Date(Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() - monthsAgo, day)).toISOString().slice(0, 10);
}
