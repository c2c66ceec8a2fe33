import { publishFindings, recordFindings } from '../../alerts/index.js';
import { type ErrorPool, mergeErrorPools } from '../../inventory/index.js';
import type { Transaction } from '../../platform/database/database.js';
import { publicationTime } from '../../platform/database/publication.js';
import type { RunScope } from '../../series/index.js';
import { mergeSummaries, NAMED_SKIPS } from '../work/chunk-summary.js';
import { discardChunks, markCompleted, readChunkFindings, readChunkSummaries, readPlanned } from './ends.queries.js';

/** Number of chunks whose findings are in memory at once, so that memory use does not grow with the run. */
const BATCH = 50;

/**
 * Completes a run in the transaction that commits its last chunk: metrics, alerts, trend changes and the pooled errors for safety
 * stock appear together with the status `completed`, or not at all.
 */
export async function completeRun(tx: Transaction, run: RunScope): Promise<void> {
  const planned = await readPlanned(tx, run.runId);
  let errorPool: ErrorPool = { regular: [], infrequent: [] };
  for (let position = 0; ; position += BATCH) {
    const chunks = await readChunkFindings(tx, run.runId, position, BATCH);
    if (chunks.length === 0) break;
    await recordFindings(
      tx,
      run,
      chunks.flatMap((chunk) => chunk.series),
      planned.missingDays,
    );
    errorPool = chunks.map((chunk) => chunk.errorPool).reduce(mergeErrorPools, errorPool);
  }
  const summaries = await readChunkSummaries(tx, run.runId, NAMED_SKIPS);
  const metrics = mergeSummaries(summaries, planned);
  await discardChunks(tx, run.runId);
  // last, because the organization's pollers wait from here until the commit
  const finishedAt = await publicationTime(tx, run.organizationId);
  await publishFindings(tx, run, finishedAt);
  await markCompleted(tx, run.runId, { metrics, errorPool, finishedAt });
}
