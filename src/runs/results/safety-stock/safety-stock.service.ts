import { Injectable } from '@nestjs/common';
import { largestDeviation } from '../../../inventory/index.js';
import { Clock } from '../../../platform/clock.js';
import { Database } from '../../../platform/database/database.js';
import type { Tenant } from '../../../platform/database/scope.js';
import { Problem } from '../../../platform/http/problem.js';
import {
  adviseSafetyStock,
  type SafetyStockDto,
  type SafetyStockQueryDto,
  targetOf,
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
    const horizon = detail.forecast.mean.length;
    const target = targetOf({
      lead_time_months: query.lead_time ?? series.lead_time_months,
      lead_time_sd_months: query.lead_time_sd ?? series.lead_time_sd_months,
      target_service_level: query.service_level ?? series.target_service_level,
    });
    refuseBeyond(horizon, query, target.leadTime);
    const pool = await readErrorPool(this.database, scope);
    const advice = adviseSafetyStock(detail, pool, target, newestMonthOf(run));
    const overrides = await activeOverrides(this.database, scope, [series.id], this.clock.now());
    const today = warningsOfToday(detail.forecast.firstMonth, advice.lead_time, {
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

/** @throws {Problem} 400 for lead times in the request that the forecast does not cover; those of a series are limited to what it covers */
function refuseBeyond(horizon: number, { lead_time, lead_time_sd }: SafetyStockQueryDto, leadTime: number): void {
  if (lead_time !== undefined && lead_time > horizon) {
    const message = `must be more than 0 and at most ${horizon} (the horizon of the run in months)`;
    throw Problem.invalid([{ param: 'lead_time', message }]);
  }
  const mean = Math.min(leadTime, horizon);
  if (lead_time_sd !== undefined && lead_time_sd > largestDeviation(mean, horizon)) {
    const message = `must be at most the lead time (${mean}), and the lead time plus twice it at most ${horizon} (the horizon of the run in months)`;
    throw Problem.invalid([{ param: 'lead_time_sd', message }]);
  }
}
