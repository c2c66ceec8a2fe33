import { Clock } from '../../platform/clock.js';
import { makeAllDue } from '../../retention/retention.queries.js';
import { previewSweeps, type SweepReport, sweepNext } from '../../retention/sweep.js';
import type { AdminContext } from '../context.js';
import type { Answer } from '../output/answer.js';

/** Deletes what is due now, or only reports what that would be. */
export async function retentionCommand(
  { database, now }: AdminContext,
  options: { readonly dryRun?: boolean },
): Promise<Answer> {
  if (options.dryRun === true) return previewSweeps(database, now);
  await makeAllDue(database, now);
  const clock = new Clock();
  const reports: SweepReport[] = [];
  for (let report = await sweepNext(database, clock); report; report = await sweepNext(database, clock)) {
    reports.push(report);
  }
  return reports;
}
