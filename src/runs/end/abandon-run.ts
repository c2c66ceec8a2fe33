import type { Transaction } from '../../platform/database/database.js';
import type { Tenant } from '../../platform/database/scope.js';
import { refundRuns } from '../../usage/index.js';
import type { RunDto } from '../dto/run.dto.js';
import { type Abandonment, endWithoutResults } from './ends.queries.js';

/**
 * Ends a run without results, and refunds its charge if it failed or was canceled before a worker began it.
 * @returns undefined if it has already ended or does not exist
 */
export async function abandonRun(
  tx: Transaction,
  scope: Tenant,
  runId: string,
  end: Abandonment,
): Promise<RunDto | undefined> {
  const ended = await endWithoutResults(tx, scope, runId, end);
  if (!ended) return undefined;
  const { run, charged, endedAt } = ended;
  if (run.billed === null) {
    const { organizationId } = scope;
    await refundRuns(tx, [{ organizationId, runId: run.id, billed: charged, chargedAt: run.created_at, endedAt }]);
  }
  return run;
}
