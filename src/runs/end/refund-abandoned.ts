import type { Transaction } from '../../platform/database/database.js';
import { refundRun } from '../../usage/index.js';
import type { AbandonedRun } from './ends.queries.js';

/** Gives the run back where it counts against nothing any more: it failed, or no worker had taken it up. */
export async function refundAbandoned(
  tx: Transaction,
  organizationId: string,
  { run, charged }: AbandonedRun,
): Promise<void> {
  if (run.billed !== null) return;
  await refundRun(tx, { organizationId, runId: run.id, billed: charged, chargedAt: run.created_at });
}
