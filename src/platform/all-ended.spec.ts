import { describe, expect, it } from '@jest/globals';
import { allEnded } from './all-ended.js';

describe('work of which one piece fails', () => {
  it('is waited for to the last piece, and rejects with the fault', async () => {
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
