import { countRows, type Database, type Transaction } from '../../src/platform/database/database.js';
import { eventually } from './eventually.js';

/**
 * Rows locked by a test, so that it controls who gets them first. Declare them with `await using`: then a failing test releases them too,
 * and what waits for them does not block the end.
 */
export interface HeldRows extends AsyncDisposable {
  /** Resolves once at least `count` transactions are waiting for a lock. */
  untilAwaitedBy(count: number): Promise<void>;
  /** Runs the holder's last action, if any, and releases the rows. */
  release(last?: (tx: Transaction) => Promise<unknown>): Promise<void>;
}

/** @param database the test's own, whose waiting transactions are counted */
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
    untilAwaitedBy: (count) => untilLockAwaited(database, count),
    release(last) {
      released.resolve(last);
      return held;
    },
    async [Symbol.asyncDispose]() {
      released.resolve(undefined);
      await held.catch(() => undefined); // reported by `release`, if the test got that far
    },
  };
}

/** Resolves once at least `count` transactions are waiting for a lock in the database, which is the test's own. */
export async function untilLockAwaited(database: Database, count: number): Promise<void> {
  await eventually(`${count} wait for a lock`, async () =>
    (await countLockWaiters(database)) >= count ? true : undefined,
  );
}

/** The number of transactions waiting for a lock in the database, which is the test's own. */
export const countLockWaiters = (database: Database): Promise<number> =>
  countRows(database, `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`);
