import type { Transaction } from '../../platform/database/database.js';
import { refundRun } from '../../usage/index.js';
import type { AbandonedRun } from './ends.queries.js';

/** Gives the charge of an abandoned run back where it failed, or was canceled before a worker began it. */
export async function refundAbandoned(
  tx: Transaction,
  organizationId: string,
  { run, charged }: AbandonedRun,
): Promise<void> {
  if (run.billed !== null) return;
  await refundRun(tx, { organizationId, runId: run.id, billed: charged, chargedAt: run.created_at });
}
