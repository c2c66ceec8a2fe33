import type { Transaction } from '../../platform/database/database.js';
import type { Tenant } from '../../platform/database/scope.js';
import { refundRuns } from '../../usage/index.js';
import { cancelQueuedRuns } from './ends.queries.js';

/**
 * Cancels the runs that no worker has started, in a workspace or an organization that is being deleted; runs in progress end with
 * their rows, and count like running runs that are canceled.
 * @returns a function that refunds the runs: call it at the end of the transaction, since from there on every start in the
 * organization waits
 */
export async function cancelQueued(tx: Transaction, tenant: Tenant): Promise<() => Promise<void>> {
  const refunds = await cancelQueuedRuns(tx, tenant);
  return () => refundRuns(tx, refunds);
}
