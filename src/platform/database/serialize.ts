import type { Transaction } from './database.js';

/** Makes other transactions that serialize by the same name wait until this one ends. */
export async function serialize(tx: Transaction, name: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}
