import { describe, expect, it } from '@jest/globals';
import type { Queryable } from '../../platform/database/database.js';
import { countAttempt, passwordSubject } from './sign-in-attempts.queries.js';

describe('an attempt that comes too early', () => {
  const now = new Date('2026-11-21T06:00:00Z');
  /** A database that refuses to count the attempt, and shows this row when asked for the wait. */
  const refusing = (...rows: readonly object[]) =>
    ({ execute: () => Promise.resolve(0), query: () => Promise.resolve(rows) }) as unknown as Queryable;
  const wait = (...rows: readonly object[]) => countAttempt(refusing(...rows), passwordSubject('user'), now);

  it('waits for what is left, in whole seconds', async () => {
    expect(await wait({ blocked_until: new Date('2026-11-21T06:00:07.100Z') })).toBe(8);
  });

  it('waits for a second where a success has ended the wait, or the count, since it was refused', async () => {
    expect(await wait({ blocked_until: null })).toBe(1);
    expect(await wait()).toBe(1);
  });
});
