import { formatMonth, type MonthNumber, parseMonth } from '../../forecasting/index.js';
import type { Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { Problem } from '../../platform/http/problem.js';
import { monthInProgress } from '../../series/index.js';

/**
 * The last month that a run may learn from: its cutoff, else the last one that is over. A cutoff that is not over yet is refused,
 * since the run would claim to have learned from months that nobody knows yet.
 * @param cutoff a month, `YYYY-MM` or `YYYY-MM-01`
 * @throws {Problem} 400 naming `config_overrides.cutoff`
 */
export async function resolveCutoff(
  db: Queryable,
  tenant: WorkspaceTenant,
  cutoff: string | null | undefined,
): Promise<MonthNumber> {
  const latest = (await monthInProgress(db, tenant)) - 1;
  if (cutoff === null || cutoff === undefined) return latest;
  const month = parseMonth(cutoff);
  if (month <= latest) return month;
  const message = `must be a month that is over: ${formatMonth(latest)} or earlier`;
  throw Problem.invalid([{ param: 'config_overrides.cutoff', message }]);
}
