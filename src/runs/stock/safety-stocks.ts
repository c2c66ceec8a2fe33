import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type ListedDetail, readForecastDetailsAfter } from '../../forecasts/index.js';
import { Database } from '../../platform/database/database.js';
import { isLockTimeout } from '../../platform/database/database-faults.js';
import type { Tenant } from '../../platform/database/scope.js';
import { readAhead } from '../../platform/work/read-ahead.js';
import { SharedWork } from '../../platform/work/shared-work.js';
import { adviseSafetyStock, targetOf } from '../../safety-stock/index.js';
import { readStockTargets } from '../../series/index.js';
import { newestMonthOf } from '../run.js';
import { MAX_TOTALS, Totals, TOTALS_BY_CATEGORY } from '../results/totals/totals.js';
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

/** Stores the safety stock and the totals of the latest runs for the OData feed, from one reading of their forecasts. A completed run never changes. */
@Injectable()
export class SafetyStocks {
  private readonly computations = new SharedWork<void>();

  constructor(private readonly database: Database) {}

  /**
   * Computes and stores what the tenant's latest runs still lack, for the targets, categories and units that the series have at the
   * call. Then checks again, since a later run may have completed in the meantime. Leaves out workspaces that are being deleted: that may take
   * minutes.
   * @param stopped ends it early: what is stored by then is not read
   */
  async complete(tenant: Tenant, stopped = (): boolean => false): Promise<void> {
    const leftOut = new Set<string>();
    const wanted = new Map<string, number>(); // versions of the stock targets, by workspace: later ones are for later calls
    while (!stopped()) {
      const latest = await readLatestRuns(this.database, tenant);
      const lacking = latest.filter(({ workspaceId, targetVersion, advisedVersion }) => {
        const version = wanted.get(workspaceId) ?? targetVersion;
        wanted.set(workspaceId, version);
        return (advisedVersion === null || advisedVersion < version) && !leftOut.has(workspaceId);
      });
      if (lacking.length === 0) return;
      for (const run of lacking) {
        await this.ofRun(tenant.organizationId, run, stopped).catch((error: unknown) => {
          if (!isLockTimeout(error)) throw error;
          leftOut.add(run.workspaceId);
        });
      }
    }
  }

  /** Concurrent callers share one computation. */
  private ofRun(organizationId: string, run: LatestRun, stopped: () => boolean): Promise<void> {
    return this.computations.share(run.id, () => this.compute(organizationId, run, stopped));
  }

  /** Stores in batches, so that no lock is held for long. None of it is read before all is stored. */
  private async compute(
    organizationId: string,
    { id: runId, workspaceId, targetVersion }: LatestRun,
    stopped: () => boolean,
  ): Promise<void> {
    const run = { organizationId, workspaceId, runId };
    const pool = await readErrorPool(this.database, run);
    const latest = await findRun(this.database, run, runId);
    const newestMonth = latest && newestMonthOf(latest);
    const batches = readAhead(BATCH, (last: ListedDetail | undefined) =>
      readForecastDetailsAfter(this.database, run, { after: last?.uniqueId, limit: BATCH }),
    );
    const totals = new Totals(TOTALS_BY_CATEGORY);
    let rows: SeriesAdvice[] = [];
    for await (const details of batches) {
      if (stopped()) return;
      const ids = details.map(({ forecast }) => forecast.id);
      const targets = await readStockTargets(this.database, run, ids);
      for (const detail of details) {
        const seriesId = detail.forecast.id;
        const target = targetOf(targets.get(seriesId) ?? {});
        if (totals.size <= MAX_TOTALS) totals.add(detail, undefined);
        rows.push({ seriesId, advice: adviseSafetyStock(detail, pool, target, newestMonth) });
      }
      if (rows.length >= PIECE || details.length < BATCH) {
        const piece = rows;
        await this.database.transaction((tx) => storeSafetyStocks(tx, run, piece, targetVersion));
        rows = [];
      }
      await nextTurn();
    }
    const listed = totals.size <= MAX_TOTALS ? await totals.list(false) : null;
    await this.database.transaction((tx) => completeSafetyStocks(tx, run, targetVersion, listed));
  }
}
