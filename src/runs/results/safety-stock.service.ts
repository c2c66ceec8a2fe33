import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { Tenant } from '../../platform/database/scope.js';
import { Problem } from '../../platform/http/problem.js';
import { adviseSafetyStock, type SafetyStockDto, type SafetyStockQueryDto } from '../../safety-stock/index.js';
import { newestMonthOf } from '../run.js';
import { readErrorPool } from '../runs.queries.js';
import { USUAL_TARGET } from '../stock/formula.js';
import { CompletedForecasts } from './completed-forecasts.js';

/** Safety stock by the forecasts of a run. */
@Injectable()
export class SafetyStockService {
  constructor(
    private readonly database: Database,
    private readonly forecasts: CompletedForecasts,
  ) {}

  /** @throws {Problem} 400 naming `lead_time`; 404; 409 `run_not_completed` */
  async advise(scope: Tenant, runId: string, seriesId: string, query: SafetyStockQueryDto): Promise<SafetyStockDto> {
    const { run, series, detail } = await this.forecasts.one(scope, runId, seriesId);
    const leadTime = query.lead_time ?? USUAL_TARGET.leadTime;
    const horizon = detail.forecast.mean.length;
    if (leadTime > horizon) {
      const message = `must be above 0 and at most ${horizon}, the horizon of the run in months`;
      throw Problem.invalid([{ param: 'lead_time', message }]);
    }
    const pool = await readErrorPool(this.database, scope, run.id);
    const serviceLevel = query.service_level ?? USUAL_TARGET.serviceLevel;
    return {
      run_id: run.id,
      series_id: series.id,
      unique_id: series.unique_id,
      product_name: series.product_name,
      unit: series.unit,
      ...adviseSafetyStock(detail, pool, { leadTime, serviceLevel }, newestMonthOf(run)),
    };
  }
}
