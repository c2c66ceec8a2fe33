import { Injectable } from '@nestjs/common';
import { type DemandHistory, type MonthNumber, stratifiedSample } from '../../forecasting/index.js';
import { inBatches } from '../../platform/batches.js';
import { Database } from '../../platform/database/database.js';
import {
  findHistoryEnd,
  findMissingDays,
  holdWorkspaceAtOnce,
  selectSeries,
  streamMonthlyHistories,
} from '../../series/index.js';
import { completeRun } from '../end/complete-run.js';
import { toDemandHistory } from '../engine/demand-history.js';
import { EngineThreads } from '../engine/engine-threads.js';
import { RunInstruments } from '../monitoring/run-instruments.js';
import { RunEvents } from '../monitoring/run-events.js';
import { cutoff, engineSettings, selection } from '../run-config.js';
import { RunWaker } from '../wake-ups/run-waker.js';
import { type RunPlan, storePlan } from './commits.queries.js';
import type { LeasedRun } from './leases.queries.js';

/** Series per chunk: a second of work, so that a lost worker costs little and progress is visible. */
const CHUNK_SERIES = 100;
/** Maximum number of series to learn the pooled model from, which bounds a worker's memory. The engine may sample fewer. */
const POOL_SERIES = 3_000;

/** Maximum number of slots to wake for the chunks of a run, across machines; others find work on their own within seconds. */
const WOKEN = 16;

/** First step of a run: learns what the workspace's series have in common and divides the run into chunks. */
@Injectable()
export class RunPlanner {
  constructor(
    private readonly database: Database,
    private readonly engine: EngineThreads,
    private readonly waker: RunWaker,
    private readonly events: RunEvents,
    private readonly instruments: RunInstruments,
  ) {}

  async plan(run: LeasedRun): Promise<void> {
    const { seriesIds, unknown } = await selectSeries(this.database, run, selection(run.config));
    const end = await findHistoryEnd(this.database, run, cutoff(run.config));
    const pooled = await this.poolWorkspace(run, stratifiedSample(seriesIds, POOL_SERIES), end.lastMonth);
    const missingDays = await findMissingDays(this.database, run, end.lastMonth);
    await this.store(run, { pooled, ...end, missingDays, chunks: inBatches(seriesIds, CHUNK_SERIES), unknown });
  }

  /** What the series have in common, as JSON. */
  private async poolWorkspace(run: LeasedRun, seriesIds: readonly string[], lastMonth: MonthNumber): Promise<string> {
    const histories: DemandHistory[] = [];
    const { demandVersion } = run;
    for await (const batch of streamMonthlyHistories(this.database, run, { seriesIds, lastMonth, demandVersion })) {
      histories.push(...batch.map(toDemandHistory));
    }
    return this.engine.poolWorkspace({ histories, settings: engineSettings(run.config) });
  }

  /** Stores the plan, unless the lease was lost, and wakes workers for its chunks. */
  private async store(run: LeasedRun, plan: RunPlan): Promise<void> {
    // series may have been deleted since the run was accepted: without a chunk there is no last chunk to complete the run
    const empty = plan.chunks.length === 0;
    const stored = await this.database.transaction(async (tx) => {
      await holdWorkspaceAtOnce(tx, run);
      const kept = await storePlan(tx, run, plan);
      if (kept && empty) await completeRun(tx, run);
      return kept;
    });
    if (!stored) this.instruments.lostLeases.inc({ work: 'plan' });
    else if (empty) await this.events.report('completed', run);
    else await this.waker.wake(Math.min(plan.chunks.length, WOKEN));
  }
}
