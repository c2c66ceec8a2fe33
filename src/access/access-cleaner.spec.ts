import { describe, expect, it } from '@jest/globals';
import { Clock } from '../platform/clock.js';
import type { Database } from '../platform/database/database.js';
import { Lifecycle } from '../platform/lifecycle.js';
import type { Logger } from '../platform/logging/logger.js';
import { Rounds } from '../platform/work/rounds.js';
import { AccessCleaner } from './access-cleaner.js';

describe('the cleaning', () => {
  it('leaves expired keys to the next round while the process stops', async () => {
    const lifecycle = new Lifecycle();
    let batches = 0;
    const full = (_sql: string, parameters: readonly unknown[]): Promise<number> => {
      batches += 1;
      if (batches === 2) lifecycle.markDraining();
      return Promise.resolve(batches < 20 ? Number(parameters[1]) : 0);
    };
    const database = { execute: full } as unknown as Database;
    const rounds = new Rounds(lifecycle, {} as Logger);
    await new AccessCleaner(database, new Clock(), rounds).clean();
    expect(batches).toBe(2);
  });
});
