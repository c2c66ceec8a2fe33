import type { Database, Transaction } from '../../src/platform/database/database.js';
import { eventually } from './eventually.js';

/**
 * Rows that a test has locked, so that it decides who comes first of those who want them. Declare them with `await using`:
 * a test that fails lets go of them too, and what waits for them does not hold up the end.
 */
export interface HeldRows extends AsyncDisposable {
  /** Resolves once so many, or more, wait for a lock. */
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
    waitedForBy: (count) => lockAwaited(database, count),
    letGo(last) {
      released.resolve(last);
      return held;
    },
    async [Symbol.asyncDispose]() {
      released.resolve(undefined);
      await held.catch(() => undefined); // told by `letGo`, where the test came so far
    },
  };
}

/** Resolves once so many, or more, wait for a lock in the database, which is the test's own. */
export async function lockAwaited(database: Database, count: number): Promise<void> {
  await eventually(`${count} wait for a lock`, async () => ((await lockWaits(database)) >= count ? true : undefined));
}

/** How many wait for a lock in the database, which is the test's own. */
export async function lockWaits(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `SELECT count(*)::int FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
  );
  return row!.count;
}
