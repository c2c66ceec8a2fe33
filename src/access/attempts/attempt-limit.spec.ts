import { describe, expect, it } from '@jest/globals';
import type { Queryable } from '../../platform/database/database.js';
import { takeAttempt } from './attempt-limit.js';
import { passwordSubject } from './attempt-subjects.js';

describe('an attempt that comes too soon', () => {
  const now = new Date('2026-11-21T06:00:00Z');
  /** Takes an attempt with a database that refuses to count it and returns these rows, one set per query for the wait. */
  const take = (...shown: readonly (readonly object[])[]) => {
    const answers = [...shown];
    const refusing = { execute: () => Promise.resolve(0), query: () => Promise.resolve(answers.shift()) };
    return takeAttempt(refusing as unknown as Queryable, [passwordSubject('user')], now);
  };
  const waiting = [{ blocked_until: new Date('2026-11-21T06:00:07.100Z') }];
  const refusal = (wait: string) => ({ code: 'too_many_attempts', options: { headers: { 'retry-after': wait } } });

  it('must wait for the remaining time, in whole seconds', async () => {
    await expect(take(waiting)).rejects.toMatchObject(refusal('8'));
  });

  it('must wait for a block that another attempt has started in the meantime', async () => {
    await expect(take([], waiting)).rejects.toMatchObject(refusal('8'));
  });

  it('must wait one second when a success has since cleared the block or the count', async () => {
    await expect(take([], [])).rejects.toMatchObject(refusal('1'));
  });
});
