import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { readForecastDetails, readForecasts } from '../../forecasts/index.js';
import { Database } from '../../platform/database/database.js';
import type { Tenant } from '../../platform/database/scope.js';
import { readErrorPool } from '../../runs/index.js';
import { adviseSafetyStock } from '../../safety-stock/index.js';
import { type LatestRun, readLatestRuns } from './latest-runs.queries.js';
import type { SafetyStockRow } from './safety-stock-row.js';

/** What stock is advised for: the defaults of `GET /runs/{run_id}/safety-stock/{series_id}`. */
const TARGET = { leadTime: 1, serviceLevel: 0.95 };
/** Series between two turns of the event loop: some milliseconds of work. */
const BATCH = 100;
/** Runs whose advice is remembered; a completed run never changes. */
const REMEMBERED = 20;

/** Computes safety stock by the latest completed run of each workspace in the tenant's reach. */
@Injectable()
export class SafetyStockRows {
  private readonly byRun = new Map<string, Promise<readonly SafetyStockRow[]>>();

  constructor(private readonly database: Database) {}

  async read(tenant: Tenant): Promise<readonly SafetyStockRow[]> {
    const byRun: (readonly SafetyStockRow[])[] = [];
    for (const run of await readLatestRuns(this.database, tenant)) byRun.push(await this.ofRun(tenant, run));
    return byRun.flat();
  }

  private ofRun(tenant: Tenant, run: LatestRun): Promise<readonly SafetyStockRow[]> {
    const known = this.byRun.get(run.id);
    this.byRun.delete(run.id);
    const rows = known ?? this.compute(tenant, run);
    this.byRun.set(run.id, rows); // last in the order, and so last to be forgotten
    rows.catch(() => this.byRun.delete(run.id));
    for (const oldest of [...this.byRun.keys()].slice(0, -REMEMBERED)) this.byRun.delete(oldest);
    return rows;
  }

  private async compute(tenant: Tenant, run: LatestRun): Promise<readonly SafetyStockRow[]> {
    const scope = { organizationId: tenant.organizationId, workspaceId: run.workspace_id };
    const pool = await readErrorPool(this.database, scope, run.id);
    const rows: SafetyStockRow[] = [];
    for (let from: string | undefined = ''; from !== undefined;) {
      const [batch, next] = await this.batch({ ...scope, runId: run.id }, from);
      const details = await readForecastDetails(this.database, { ...scope, runId: run.id }, batch);
      for (const detail of details) {
        rows.push({ runId: run.id, seriesId: detail.forecast.id, advice: adviseSafetyStock(detail, pool, TARGET) });
      }
      from = next;
      await nextTurn();
    }
    return rows;
  }

  /** Ids of the next series of a run, and the unique_id with which those after them begin. */
  private async batch(
    scope: { readonly organizationId: string; readonly runId: string },
    fromUniqueId: string,
  ): Promise<[seriesIds: string[], next: string | undefined]> {
    const forecasts = await readForecasts(this.database, scope, { fromUniqueId, limit: BATCH + 1 });
    return [forecasts.slice(0, BATCH).map(({ seriesId }) => seriesId), forecasts[BATCH]?.uniqueId];
  }
}
