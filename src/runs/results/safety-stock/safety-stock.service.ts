import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { TenantCaller } from '../../../access/index.js';
import { type ForecastDetail, readForecastDetailsAfter } from '../../../forecasts/index.js';
import { type ErrorPool, largestDeviation } from '../../../inventory/index.js';
import { Clock } from '../../../platform/clock.js';
import { Database } from '../../../platform/database/database.js';
import type { Tenant } from '../../../platform/database/scope.js';
import { decodeCursor, type Page, pageOf, toPage } from '../../../platform/http/pagination.js';
import { Problem } from '../../../platform/http/problem.js';
import { HEAVY_REQUESTS, Slots } from '../../../platform/work/slots.js';
import {
  adviseSafetyStock,
  type KnownToday,
  type SafetyStockDto,
  type SafetyStockQueryDto,
  type StockTarget,
  targetOf,
  warningsOfToday,
} from '../../../safety-stock/index.js';
import {
  activeOverrides,
  describeSeries,
  monthInProgress,
  readStockTargets,
  type RunScope,
  type StockTargetFields,
} from '../../../series/index.js';
import type { RunDto } from '../../dto/run.dto.js';
import { newestMonthOf, scopeOf } from '../../run.js';
import { readErrorPool } from '../../runs.queries.js';
import { RunsService } from '../../runs.service.js';
import { CompletedForecasts } from '../completed-forecasts.js';
import { recordExport } from '../record-export.js';
import type { ListSafetyStocksDto } from './list-safety-stocks.dto.js';

const LIST = 'safety_stocks';
/** Series computed before other requests get their turn: some ten milliseconds of work. */
const AT_A_TIME = 20;

/** A series and the target that its stock is for. */
interface Advised {
  readonly detail: ForecastDetail;
  readonly target: StockTarget;
  readonly unique_id: string;
  readonly product_name: string | null;
  readonly unit: string | null;
}

@Injectable()
export class SafetyStockService {
  private readonly slots = new Slots('lists of safety stock', HEAVY_REQUESTS);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly runs: RunsService,
    private readonly forecasts: CompletedForecasts,
  ) {}

  /** @throws {Problem} 400 naming `lead_time` or `lead_time_sd`; 404; 409 `run_not_completed` */
  async advise(reader: Tenant, runId: string, seriesId: string, query: SafetyStockQueryDto): Promise<SafetyStockDto> {
    const { run, scope, series, detail } = await this.forecasts.one(reader, runId, seriesId);
    const target = targetFor(query, series);
    refuseBeyond(detail.forecast.mean.length, query, target.leadTime);
    const { unique_id, product_name, unit } = series;
    const [advice] = await this.adviseAll(run, scope, [{ detail, target, unique_id, product_name, unit }]);
    return advice!;
  }

  /**
   * A page of the series that the run forecast, ordered by unique_id.
   * @param exported whether it is taken as a file, which the audit log records
   * @throws {Problem} 400 naming a parameter; 404, 409 `run_not_completed`; 429 or 503 under too many concurrent requests
   */
  async list(
    caller: TenantCaller,
    runId: string,
    query: ListSafetyStocksDto,
    exported: boolean,
  ): Promise<Page<SafetyStockDto>> {
    const after = decodeCursor(query.cursor, LIST, ['text'])?.[0];
    const run = await this.runs.getCompleted(caller, runId);
    refuseBeyond(run.config.horizon, query, query.lead_time);
    const page = await this.slots.run(caller, () => this.page(scopeOf(caller, run), run, query, after));
    if (exported) {
      const { category, lead_time, lead_time_sd, service_level } = query;
      const filter = { category, lead_time, lead_time_sd, service_level };
      const taken = { safety_stocks: page.items.length, filter };
      await recordExport(this.database, caller, run, taken, this.clock.now());
    }
    return page;
  }

  private async page(
    scope: RunScope,
    run: RunDto,
    query: ListSafetyStocksDto,
    after: string | undefined,
  ): Promise<Page<SafetyStockDto>> {
    const details = await readForecastDetailsAfter(this.database, scope, {
      after,
      limit: query.limit + 1,
      category: query.category,
    });
    const page = pageOf(
      LIST,
      toPage(details, query.limit, ({ uniqueId }) => [uniqueId]),
    );
    const ids = page.items.map(({ forecast }) => forecast.id);
    const described = await describeSeries(this.database, scope, ids);
    const targets = await readStockTargets(this.database, scope, ids);
    const advised = page.items.flatMap((detail): Advised[] => {
      const series = described.get(detail.forecast.id);
      if (!series) return []; // it has been deleted in the meantime
      const target = targetFor(query, targets.get(detail.forecast.id) ?? {});
      return [{ detail, target, unique_id: detail.uniqueId, product_name: series.productName, unit: series.unit }];
    });
    return { ...page, items: await this.adviseAll(run, scope, advised) };
  }

  private async adviseAll(run: RunDto, scope: RunScope, advised: readonly Advised[]): Promise<SafetyStockDto[]> {
    const pool = await readErrorPool(this.database, scope);
    const ids = advised.map(({ detail }) => detail.forecast.id);
    const overrides = await activeOverrides(this.database, scope, ids, this.clock.now());
    const month = await monthInProgress(this.database, scope);
    const stocks: SafetyStockDto[] = [];
    for (const [at, series] of advised.entries()) {
      if (at > 0 && at % AT_A_TIME === 0) await nextTurn();
      const overridden = [...(overrides.get(series.detail.forecast.id)?.keys() ?? [])];
      stocks.push(stockOf(run, series, pool, { monthInProgress: month, overridden }));
    }
    return stocks;
  }
}

/** The target of a series, as far as the request names no other. */
function targetFor(query: SafetyStockQueryDto, series: StockTargetFields): StockTarget {
  const own = targetOf(series);
  return {
    leadTime: query.lead_time ?? own.leadTime,
    leadTimeSd: query.lead_time_sd ?? own.leadTimeSd,
    serviceLevel: query.service_level ?? own.serviceLevel,
  };
}

function stockOf(
  run: RunDto,
  { detail, target, ...series }: Advised,
  pool: ErrorPool | undefined,
  known: KnownToday,
): SafetyStockDto {
  const advice = adviseSafetyStock(detail, pool, target, newestMonthOf(run));
  const today = warningsOfToday(detail.forecast.firstMonth, advice.lead_time, known);
  return {
    run_id: run.id,
    series_id: detail.forecast.id,
    ...series,
    ...advice,
    warnings: [...today, ...advice.warnings],
  };
}

/**
 * @param leadTime what `lead_time_sd` is compared with; undefined if each series has its own
 * @throws {Problem} 400 for lead times in the request that the forecast does not cover; those of a series are limited to what it covers
 */
function refuseBeyond(
  horizon: number,
  { lead_time, lead_time_sd }: SafetyStockQueryDto,
  leadTime: number | undefined,
): void {
  if (lead_time !== undefined && lead_time > horizon) {
    const message = `must be more than 0 and at most ${horizon} (the horizon of the run in months)`;
    throw Problem.invalid([{ param: 'lead_time', message }]);
  }
  if (lead_time_sd === undefined || leadTime === undefined) return;
  const mean = Math.min(leadTime, horizon);
  if (lead_time_sd > largestDeviation(mean, horizon)) {
    const message = `must be at most the lead time (${mean}), and the lead time plus twice it at most ${horizon} (the horizon of the run in months)`;
    throw Problem.invalid([{ param: 'lead_time_sd', message }]);
  }
}
