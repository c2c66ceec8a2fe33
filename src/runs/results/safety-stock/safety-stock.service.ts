import { Injectable } from '@nestjs/common';
import { isWithinHorizon } from '../../../inventory/index.js';
import { Clock } from '../../../platform/clock.js';
import { Database } from '../../../platform/database/database.js';
import type { Tenant } from '../../../platform/database/scope.js';
import { Problem } from '../../../platform/http/problem.js';
import {
  adviseSafetyStock,
  type SafetyStockDto,
  type SafetyStockQueryDto,
  USUAL_TARGET,
  warningsOfToday,
} from '../../../safety-stock/index.js';
import { activeOverrides, monthInProgress } from '../../../series/index.js';
import { newestMonthOf } from '../../run.js';
import { readErrorPool } from '../../runs.queries.js';
import { CompletedForecasts } from '../completed-forecasts.js';

@Injectable()
export class SafetyStockService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly forecasts: CompletedForecasts,
  ) {}

  /** @throws {Problem} 400 naming `lead_time` or `lead_time_sd`; 404; 409 `run_not_completed` */
  async advise(reader: Tenant, runId: string, seriesId: string, query: SafetyStockQueryDto): Promise<SafetyStockDto> {
    const { run, scope, series, detail } = await this.forecasts.one(reader, runId, seriesId);
    const leadTime = query.lead_time ?? USUAL_TARGET.leadTime;
    const horizon = detail.forecast.mean.length;
    if (leadTime > horizon) {
      const message = `must be more than 0 and at most ${horizon} (the horizon of the run in months)`;
      throw Problem.invalid([{ param: 'lead_time', message }]);
    }
    const leadTimeSd = query.lead_time_sd ?? USUAL_TARGET.leadTimeSd;
    if (!isWithinHorizon(leadTime, leadTimeSd, horizon)) {
      const message = `must be at most lead_time (${leadTime}), and lead_time plus twice it at most ${horizon} (the horizon of the run in months)`;
      throw Problem.invalid([{ param: 'lead_time_sd', message }]);
    }
    const pool = await readErrorPool(this.database, scope);
    const serviceLevel = query.service_level ?? USUAL_TARGET.serviceLevel;
    const advice = adviseSafetyStock(detail, pool, { leadTime, leadTimeSd, serviceLevel }, newestMonthOf(run));
    const overrides = await activeOverrides(this.database, scope, [series.id], this.clock.now());
    const today = warningsOfToday(detail.forecast.firstMonth, leadTime, {
      monthInProgress: await monthInProgress(this.database, scope),
      overridden: [...(overrides.get(series.id)?.keys() ?? [])],
    });
    return {
      run_id: run.id,
      series_id: series.id,
      unique_id: series.unique_id,
      product_name: series.product_name,
      unit: series.unit,
      ...advice,
      warnings: [...today, ...advice.warnings],
    };
  }
}
