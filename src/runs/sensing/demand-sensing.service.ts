import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  formatDay,
  formatMonth,
  LEVELS,
  MEDIAN,
  type MonthNumber,
  type PooledShareCurve,
  type SensedDemand,
  senseDemand,
  type ShareCurve,
} from '../../forecasting/index.js';
import { type ForecastDetail, readForecastDetails, type StoredForecast, toSignificant } from '../../forecasts/index.js';
import { decimalSum } from '../../numeric/decimals.js';
import { isInWholeUnits } from '../../numeric/whole-units.js';
import { Database } from '../../platform/database/database.js';
import type { Tenant } from '../../platform/database/scope.js';
import { decodeCursor, type Page, pageOf } from '../../platform/http/pagination.js';
import { HEAVY_REQUESTS, Slots } from '../../platform/work/slots.js';
import { type DailyDemand, readCountedDays, type RunScope } from '../../series/index.js';
import { forecastsAfter } from '../results/forecasts-after.js';
import { scopeOf } from '../run.js';
import { readDemandVersion } from '../runs.queries.js';
import { RunsService } from '../runs.service.js';
import { asOf, storedAs } from './as-of.js';
import type { DemandSensingQueryDto, SensedDemandDto } from './demand-sensing.dto.js';
import { type MonthSoFar, readMonthSoFar } from './month-so-far.queries.js';
import { PooledCurves } from './pooled-curves.js';
import { readShareCurves } from './share-curves.js';

const LIST = 'sensed_series';
/** Number of series computed before yielding to the event loop. */
const AT_A_TIME = 25;

/** What is known about the current month across the workspace. */
interface KnownMonth {
  readonly soFar: MonthSoFar;
  readonly pool: PooledShareCurve | undefined;
}

/** Blends a run's forecast for the current month with the month's demand so far. */
@Injectable()
export class DemandSensingService {
  /** A page of 500 series with daily demand computes for half a second: forty at once made other requests wait for 11 s. */
  private readonly slots = new Slots('demand sensing requests', HEAVY_REQUESTS);

  constructor(
    private readonly database: Database,
    private readonly runs: RunsService,
    private readonly pooledCurves: PooledCurves,
  ) {}

  /**
   * Series ordered by unique_id; those whose forecast does not cover the current month are omitted.
   * @throws {Problem} 404, 409 `run_not_completed`; 429 or 503 under too many concurrent requests
   */
  async sense(reader: Tenant, runId: string, query: DemandSensingQueryDto): Promise<Page<SensedDemandDto>> {
    const after = decodeCursor(query.cursor, LIST, ['text'])?.[0];
    const scope = scopeOf(reader, await this.runs.getCompleted(reader, runId));
    return this.slots.run(scope, () => this.page(scope, query, after));
  }

  private async page(
    scope: RunScope,
    query: DemandSensingQueryDto,
    after: string | undefined,
  ): Promise<Page<SensedDemandDto>> {
    const soFar = await readMonthSoFar(this.database, scope);
    const { limit, series_id: series, category } = query;
    const wanted = { limit, after, series, category, from: soFar.month, to: soFar.month };
    const page = pageOf(LIST, await forecastsAfter(this.database, scope, wanted));
    if (page.items.length === 0) return { items: [] };
    const pool = await this.pooledCurves.get(scope, soFar.month);
    return { ...page, items: await this.sensePage(scope, page.items, { soFar, pool }) };
  }

  private async sensePage(
    scope: RunScope,
    forecasts: readonly StoredForecast[],
    known: KnownMonth,
  ): Promise<SensedDemandDto[]> {
    const { month } = known.soFar;
    const ids = forecasts.map((forecast) => forecast.seriesId);
    const details = await readForecastDetails(this.database, scope, ids, { tested: false });
    const version = await readDemandVersion(this.database, scope);
    const toDate = await readCountedDays(this.database, scope, { from: month, to: month, version }, ids);
    const curves = await readShareCurves(this.database, scope, { month, version }, ids);
    const sensed: SensedDemandDto[] = [];
    for (const forecast of forecasts) {
      const detail = details.get(forecast.seriesId);
      if (!detail) continue; // its run has been deleted in the meantime
      const { seriesId } = forecast;
      sensed.push(senseSeries(forecast, detail, toDate.get(seriesId)?.[0], curves.get(seriesId), known));
      if (sensed.length % AT_A_TIME === 0) await nextTurn();
    }
    return sensed;
  }
}

function senseSeries(
  stored: StoredForecast,
  { forecast, history }: ForecastDetail,
  toDate: DailyDemand | undefined,
  own: ShareCurve | undefined,
  { soFar, pool }: KnownMonth,
): SensedDemandDto {
  const { month } = soFar;
  const known = asOf(soFar, storedAs(toDate, own, month));
  const step = month - forecast.firstMonth;
  const level = (j: number): number => forecast.quantiles[step * LEVELS + j]!;
  const counted = (toDate?.values ?? new Float64Array())
    .subarray(0, known.day ?? 0)
    .filter((value) => Number.isFinite(value));
  const sensed = senseDemand({
    month,
    prior: { mean: forecast.mean[step]!, q10: level(0), q50: level(MEDIAN), q90: level(LEVELS - 1) },
    monthToDate: decimalSum(counted),
    sold: decimalSum(counted.filter((value) => value > 0)),
    elapsed: known.elapsed,
    today: known.today && { ...known.today, sold: positive(toDate?.values[soFar.today - 1]) },
    own,
    pool,
    wholeUnits: isInWholeUnits(history.values) && isInWholeUnits(counted),
  });
  return toSensedDemand(stored, month, known.day, sensed);
}

/** Demand of a day, ignoring returns; 0 if there is none. */
function positive(demand: number | undefined): number {
  return demand !== undefined && demand > 0 ? demand : 0;
}

/** @param asOfDay last day of the month that is known; null if none is */
function toSensedDemand(
  { seriesId, uniqueId, productName, unit }: StoredForecast,
  month: MonthNumber,
  asOfDay: number | null,
  sensed: SensedDemand,
): SensedDemandDto {
  return {
    series_id: seriesId,
    unique_id: uniqueId,
    product_name: productName,
    unit,
    period: formatMonth(month),
    as_of: asOfDay === null ? null : formatDay(month, asOfDay),
    prior: toSignificant(sensed.prior),
    month_to_date: sensed.monthToDate,
    expected_share: toSignificant(sensed.expectedShare),
    run_rate: sensed.runRate === null ? null : toSignificant(sensed.runRate),
    weight: toSignificant(sensed.weight),
    mean: toSignificant(sensed.mean),
    q10: toSignificant(sensed.q10),
    q50: toSignificant(sensed.q50),
    q90: toSignificant(sensed.q90),
  };
}
