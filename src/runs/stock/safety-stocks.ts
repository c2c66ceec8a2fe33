import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { readForecastDetails, readForecasts } from '../../forecasts/index.js';
import { Database, type Queryable } from '../../platform/database/database.js';
import type { Tenant } from '../../platform/database/scope.js';
import { adviseSafetyStock } from '../../safety-stock/index.js';
import { readErrorPool } from '../runs.queries.js';
import {
  deleteEarlierSafetyStocks,
  insertSafetyStocks,
  type LatestRun,
  readLatestRuns,
} from './safety-stocks.queries.js';

/** What stock is advised for where nothing else was asked. */
export const USUAL_TARGET = { leadTime: 1, serviceLevel: 0.95 };
/** Series between two turns of the event loop: some milliseconds of work. */
const BATCH = 100;

/** Keeps the safety stock of latest runs for who reads that of many series at a time. A completed run never changes. */
@Injectable()
export class SafetyStocks {
  private readonly begun = new Map<string, Promise<void>>();

  constructor(private readonly database: Database) {}

  /** Computes and stores what the latest runs in the tenant's reach lack: some 10,000 series a second, once for each run. */
  async complete(tenant: Tenant): Promise<void> {
    for (const run of await readLatestRuns(this.database, tenant)) {
      if (!run.advised) await this.ofRun(tenant.organizationId, run);
    }
  }

  /** Who asks while it is done waits for it. */
  private ofRun(organizationId: string, run: LatestRun): Promise<void> {
    const begun = this.begun.get(run.id);
    if (begun) return begun;
    const work = this.compute(organizationId, run).finally(() => this.begun.delete(run.id));
    this.begun.set(run.id, work);
    return work;
  }

  /** In one transaction, so that a run has the stock of all its series or of none. */
  private compute(organizationId: string, { id: runId, workspace_id: workspaceId }: LatestRun): Promise<void> {
    const run = { organizationId, workspaceId, runId };
    return this.database.transaction(async (tx) => {
      const pool = await readErrorPool(tx, run, runId);
      for (let from: string | undefined = ''; from !== undefined;) {
        const [seriesIds, next] = await nextSeries(tx, run, from);
        const details = await readForecastDetails(tx, run, seriesIds);
        const rows = details.map((detail) => ({
          seriesId: detail.forecast.id,
          advice: adviseSafetyStock(detail, pool, USUAL_TARGET),
        }));
        await insertSafetyStocks(tx, run, rows);
        from = next;
        await nextTurn();
      }
      await deleteEarlierSafetyStocks(tx, run);
    });
  }
}

/** Ids of the next series of a run, and the unique_id with which those after them begin. */
async function nextSeries(
  db: Queryable,
  run: { readonly organizationId: string; readonly runId: string },
  fromUniqueId: string,
): Promise<[seriesIds: string[], next: string | undefined]> {
  const forecasts = await readForecasts(db, run, { fromUniqueId, limit: BATCH + 1 });
  return [forecasts.slice(0, BATCH).map(({ seriesId }) => seriesId), forecasts[BATCH]?.uniqueId];
}
