import type { Transaction } from './database.js';

/**
 * Runs `work`, whose statements each wait for a lock at most the given time. One that times out fails with an error that
 * `isLockTimeout` recognizes, and so does the transaction.
 */
export async function withLockTimeout<T>(tx: Transaction, milliseconds: number, work: () => Promise<T>): Promise<T> {
  await tx.execute(`SELECT set_config('lock_timeout', $1, true)`, [`${milliseconds}ms`]);
  const result = await work();
  await tx.execute(`SELECT set_config('lock_timeout', '0', true)`);
  return result;
}
