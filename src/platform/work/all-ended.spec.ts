import { describe, expect, it } from '@jest/globals';
import { allEnded } from './all-ended.js';

describe('allEnded', () => {
  it('waits for all pieces of work and then rejects with the error', async () => {
    const last = Promise.withResolvers<void>();
    let ended = false;
    const all = allEnded([Promise.reject(new Error('the database is away')), last.promise]).finally(
      () => (ended = true),
    );
    const rejection = expect(all).rejects.toThrow('the database is away');
    await new Promise(setImmediate);
    expect(ended).toBe(false);
    last.resolve();
    await rejection;
  });
});
