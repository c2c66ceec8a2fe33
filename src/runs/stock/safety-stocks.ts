import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { readForecastDetails } from '../../forecasts/index.js';
import { Database } from '../../platform/database/database.js';
import type { Tenant } from '../../platform/database/scope.js';
import { adviseSafetyStock, USUAL_TARGET } from '../../safety-stock/index.js';
import { forecastsAfter } from '../results/forecasts-after.js';
import { newestMonthOf } from '../run.js';
import { findRun, readErrorPool } from '../runs.queries.js';
import {
  completeSafetyStocks,
  type LatestRun,
  readLatestRuns,
  type SeriesAdvice,
  storeSafetyStocks,
} from './safety-stocks.queries.js';

/** Number of series computed before yielding to the event loop: a few milliseconds of work. */
const BATCH = 100;
/** Number of series that a single statement stores. */
const PIECE = 1_000;

/** Stores the safety stock of the latest runs for readers of many series (the OData feed). A completed run never changes. */
@Injectable()
export class SafetyStocks {
  private readonly inProgress = new Map<string, Promise<void>>();

  constructor(private readonly database: Database) {}

  /**
   * Computes and stores the safety stock that the tenant's latest runs still lack: about 10,000 series per second, once per run.
   * Then checks again, since a later run may have completed in the meantime.
   */
  async complete(tenant: Tenant): Promise<void> {
    for (;;) {
      const lacking = (await readLatestRuns(this.database, tenant)).filter(({ advised }) => !advised);
      if (lacking.length === 0) return;
      for (const run of lacking) await this.ofRun(tenant.organizationId, run);
    }
  }

  /** Concurrent callers share one computation. */
  private ofRun(organizationId: string, run: LatestRun): Promise<void> {
    const running = this.inProgress.get(run.id);
    if (running) return running;
    const work = this.compute(organizationId, run).finally(() => this.inProgress.delete(run.id));
    this.inProgress.set(run.id, work);
    return work;
  }

  /** Stores in batches, so that no lock is held for long. None of it is read before all is stored. */
  private async compute(organizationId: string, { id: runId, workspaceId }: LatestRun): Promise<void> {
    const run = { organizationId, workspaceId, runId };
    const pool = await readErrorPool(this.database, run, runId);
    const latest = await findRun(this.database, run, runId);
    const newestMonth = latest && newestMonthOf(latest);
    let rows: SeriesAdvice[] = [];
    let after: string | undefined;
    do {
      const { items, next } = await forecastsAfter(this.database, run, { limit: BATCH, after });
      const seriesIds = items.map(({ seriesId }) => seriesId);
      for (const [seriesId, detail] of await readForecastDetails(this.database, run, seriesIds)) {
        rows.push({ seriesId, advice: adviseSafetyStock(detail, pool, USUAL_TARGET, newestMonth) });
      }
      after = next?.[0];
      if (rows.length >= PIECE || after === undefined) {
        const piece = rows;
        await this.database.transaction((tx) => storeSafetyStocks(tx, run, piece));
        rows = [];
      }
      await nextTurn();
    } while (after !== undefined);
    await this.database.transaction((tx) => completeSafetyStocks(tx, run));
  }
}
