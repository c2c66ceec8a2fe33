import type { Transaction } from '../../platform/database/database.js';
import { refundRuns } from '../../usage/index.js';
import type { AbandonedRun } from './ends.queries.js';

/** Gives the charge of an abandoned run back where it failed, or was canceled before a worker began it. */
export async function refundAbandoned(
  tx: Transaction,
  organizationId: string,
  { run, charged, endedAt }: AbandonedRun,
): Promise<void> {
  const { id: runId, billed, created_at: chargedAt } = run;
  if (billed !== null) return;
  await refundRuns(tx, [{ organizationId, runId, billed: charged, chargedAt, endedAt }]);
}
