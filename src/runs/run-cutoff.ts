import { formatMonth, parseMonth } from '../forecasting/index.js';
import type { Queryable } from '../platform/database/database.js';
import { Problem } from '../platform/http/problem.js';
import { monthInProgress, type WorkspaceTenant } from '../series/index.js';

/**
 * Refuses a cutoff that is not over yet: the run would claim to have learnt from months that nobody knows.
 * @param cutoff a month, `YYYY-MM` or `YYYY-MM-01`
 * @throws {Problem} 400 naming `config_overrides.cutoff`
 */
export async function refuseUnfinishedCutoff(
  db: Queryable,
  tenant: WorkspaceTenant,
  cutoff: string | null | undefined,
): Promise<void> {
  if (cutoff === null || cutoff === undefined) return;
  const latest = (await monthInProgress(db, tenant)) - 1;
  if (parseMonth(cutoff) <= latest) return;
  const message = `must be a month that is over: ${formatMonth(latest)} or earlier`;
  throw Problem.invalid([{ param: 'config_overrides.cutoff', message }]);
}
