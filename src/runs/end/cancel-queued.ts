import type { Transaction } from '../../platform/database/database.js';
import type { Tenant } from '../../platform/database/scope.js';
import { refundRuns } from '../../usage/index.js';
import { cancelQueuedRuns } from './ends.queries.js';

/**
 * Cancels what no worker has taken up of a workspace or an organization that is being removed; what is at work ends with its
 * row, and counts as a running run that is canceled does.
 * @returns gives the runs back: for the end of the transaction, since every start in the organization waits from there
 */
export async function cancelQueued(
  tx: Transaction,
  { organizationId, workspaceId }: Tenant,
): Promise<() => Promise<void>> {
  const canceled = await cancelQueuedRuns(tx, { organizationId, workspaceId });
  return () =>
    refundRuns(
      tx,
      canceled.map((run) => ({ organizationId, ...run })),
    );
}
