import type { Database, Transaction } from '../../src/platform/database/database.js';
import { eventually } from './service-process.js';

/** Rows that a test has locked, so that it decides who comes first of those who want them. */
export interface HeldRows {
  /** Resolves once so many wait for a lock. */
  waitedForBy(count: number): Promise<void>;
  /** Does what the holder does last, if anything, and lets go of the rows. */
  letGo(last?: (tx: Transaction) => Promise<unknown>): Promise<void>;
}

/** @param database of its own for the test, whose waiting transactions are counted */
export async function holdRows(database: Database, sql: string, parameters: unknown[] = []): Promise<HeldRows> {
  const released = Promise.withResolvers<((tx: Transaction) => Promise<unknown>) | undefined>();
  const locked = Promise.withResolvers<void>();
  const held = database.transaction(async (tx) => {
    await tx.query(sql, parameters);
    locked.resolve();
    await (
      await released.promise
    )?.(tx);
  });
  held.catch(locked.reject);
  await locked.promise;
  return {
    async waitedForBy(count) {
      await eventually(`${count} wait for a lock`, async () => {
        const [row] = await database.query<{ count: number }>(
          `SELECT count(*)::int FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        );
        return row?.count === count ? true : undefined;
      });
    },
    letGo(last) {
      released.resolve(last);
      return held;
    },
  };
}
