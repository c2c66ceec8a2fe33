import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../config/settings.js';
import type { DemandHistory } from '../forecasting/index.js';
import { Database } from '../platform/database/database.js';
import { SETTINGS } from '../platform/platform.module.js';
import { holdWorkspace, lastHistoryMonth, listSeriesIds, streamMonthlyHistories } from '../series/index.js';
import { toDemandHistory } from './fit/demand-history.js';
import { FitPool } from './fit/fit-pool.js';
import { withHeartbeat } from '../platform/heartbeat.js';
import { concludeRun } from './run-completion.js';
import { cutoff, engineSettings, selection } from './run-config.js';
import { RunLog } from './run-log.js';
import { RunInstruments } from './run-instruments.js';
import { type LeasedRun, renewRunLease } from './run-leases.queries.js';
import { storePlan } from './run-protocol.queries.js';
import { RunWaker } from './run-waker.js';

/** Series of one chunk: a second's work, so that a lost worker costs little and progress moves. */
const CHUNK_SERIES = 100;
/** Series that the workspace is learnt from; the engine samples further down itself. Bounds a worker's memory. */
const POOL_SERIES = 3_000;

/** Slots woken for the chunks of a run, here and on other machines; those beyond look for themselves within seconds. */
const WOKEN = 16;

/** First step of a run: learns what the workspace's series have in common and cuts the run into chunks. */
@Injectable()
export class RunPlanner {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly database: Database,
    private readonly pool: FitPool,
    private readonly waker: RunWaker,
    private readonly log: RunLog,
    private readonly instruments: RunInstruments,
  ) {}

  async plan(run: LeasedRun): Promise<void> {
    const { runId } = run;
    const tenant = { organizationId: run.organizationId, workspaceId: run.workspaceId };
    const leaseMs = this.settings.RUN_LEASE_MS;
    const renew = (): Promise<boolean> => renewRunLease(this.database, run, leaseMs);
    const chunks = await withHeartbeat(renew, leaseMs / 4, async () => {
      const seriesIds = await listSeriesIds(this.database, tenant, selection(run.config));
      const sample = evenly(seriesIds, POOL_SERIES);
      const lastMonth = await lastHistoryMonth(this.database, tenant, cutoff(run.config));
      const histories: DemandHistory[] = [];
      for await (const batch of streamMonthlyHistories(this.database, tenant, {
        seriesIds: sample,
        lastMonth,
      })) {
        histories.push(...batch.map(toDemandHistory));
      }
      const pooled = await this.pool.learn({ histories, settings: engineSettings(run.config) });
      const cut = inChunks(seriesIds, CHUNK_SERIES);
      const stored = await this.database.transaction(async (tx) => {
        await holdWorkspace(tx, tenant);
        const kept = await storePlan(tx, run, { pooled, lastMonth, chunks: cut });
        // series may have gone since the run was accepted: without a chunk there is no last chunk to conclude the run
        if (kept && cut.length === 0) await concludeRun(tx, { ...tenant, runId, config: run.config });
        return kept;
      });
      if (!stored) this.instruments.lostLeases.inc({ work: 'plan' });
      if (stored && cut.length === 0) await this.log.tell('completed', { ...tenant, runId });
      return stored ? cut.length : 0;
    });
    if (chunks > 0) await this.waker.wake(Math.min(chunks, WOKEN));
  }
}

function inChunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** At most `count` items, spread evenly over the list; deterministic. */
function evenly<T>(items: readonly T[], count: number): readonly T[] {
  if (items.length <= count) return items;
  return Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)]!);
}
