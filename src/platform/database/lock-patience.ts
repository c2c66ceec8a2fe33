import type { Transaction } from './database.js';

/**
 * Runs `work`, each of whose statements waits for a lock at most so many milliseconds; one that gives up fails with what `isLockedOut`
 * recognizes, and the transaction with it.
 */
export async function waitingAtMost<T>(tx: Transaction, milliseconds: number, work: () => Promise<T>): Promise<T> {
  await tx.execute(`SELECT set_config('lock_timeout', $1, true)`, [`${milliseconds}ms`]);
  const result = await work();
  await tx.execute(`SELECT set_config('lock_timeout', '0', true)`);
  return result;
}
