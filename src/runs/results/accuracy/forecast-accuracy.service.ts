import { Injectable } from '@nestjs/common';
import { type MonthNumber, outcomeWindow } from '../../../forecasting/index.js';
import { type ListedDetail, readForecastDetailsAfter } from '../../../forecasts/index.js';
import { Database } from '../../../platform/database/database.js';
import type { Tenant } from '../../../platform/database/scope.js';
import { readAhead } from '../../../platform/work/read-ahead.js';
import { HEAVY_REQUESTS, Slots } from '../../../platform/work/slots.js';
import {
  describeSeries,
  findHistoryEnd,
  monthInProgress,
  overridesInAdvance,
  requireSeries,
  type RunScope,
  streamMonthlyHistories,
  workspaceTimeZone,
} from '../../../series/index.js';
import { scopeOf } from '../../run.js';
import { readDemandVersion } from '../../runs.queries.js';
import { RunsService } from '../../runs.service.js';
import type { ForecastAccuracyDto, ForecastAccuracyQueryDto } from './forecast-accuracy.dto.js';
import { Outcomes } from './outcomes.js';

/** Series read at a time: two years of their daily demand take about 8 MB. */
const AT_A_TIME = 500;

interface Known {
  /** The last month that is over and complete. */
  readonly lastMonth: MonthNumber;
  readonly timeZone: string;
  /** That of the run: series that others have replaced since count for themselves. */
  readonly demandVersion: number;
}

/** Compares the forecasts of a run with actual demand. */
@Injectable()
export class ForecastAccuracyService {
  /** For a single series it takes .2 s, since the daily demand of all series determines where demand ends. */
  private readonly slots = new Slots('accuracy reports', HEAVY_REQUESTS);

  constructor(
    private readonly database: Database,
    private readonly runs: RunsService,
  ) {}

  /** @throws {Problem} 404, 409 `run_not_completed`; 429 or 503 under too many concurrent requests */
  async read(reader: Tenant, runId: string, query: ForecastAccuracyQueryDto): Promise<ForecastAccuracyDto> {
    const run = await this.runs.getCompleted(reader, runId);
    const scope = scopeOf(reader, run);
    return { run_id: run.id, ...(await this.slots.run(scope, () => this.compute(scope, query))) };
  }

  private async compute(
    scope: RunScope,
    { series_id: series, category }: ForecastAccuracyQueryDto,
  ): Promise<Omit<ForecastAccuracyDto, 'run_id'>> {
    const seriesId = series === undefined ? undefined : (await requireSeries(this.database, scope, series)).id;
    const known = {
      lastMonth: await this.lastWholeMonth(scope),
      timeZone: await workspaceTimeZone(this.database, scope),
      demandVersion: await readDemandVersion(this.database, scope),
    };
    const outcomes = new Outcomes();
    const batches = readAhead(AT_A_TIME, (last: ListedDetail | undefined) =>
      readForecastDetailsAfter(this.database, scope, {
        after: last?.uniqueId,
        limit: AT_A_TIME,
        begunBy: known.lastMonth,
        seriesId,
        category,
        tested: false,
      }),
    );
    for await (const details of batches) {
      await this.compare(scope, details, known, outcomes);
    }
    return outcomes.finish(await describeSeries(this.database, scope, outcomes.largestIds()));
  }

  /** The demand of a month whose last days are still to be uploaded does not count as actual. */
  private async lastWholeMonth(scope: RunScope): Promise<MonthNumber> {
    const { incompleteMonth } = await findHistoryEnd(this.database, scope);
    return (incompleteMonth ?? (await monthInProgress(this.database, scope))) - 1;
  }

  private async compare(
    scope: RunScope,
    details: readonly ListedDetail[],
    { lastMonth, timeZone, demandVersion }: Known,
    outcomes: Outcomes,
  ): Promise<void> {
    if (details.length === 0) return;
    const ofSeries = new Map(details.map((detail) => [detail.forecast.id, detail]));
    const seriesIds = [...ofSeries.keys()];
    const overrides = await overridesInAdvance(this.database, scope, seriesIds, timeZone);
    const firstMonth = Math.min(...details.map(({ forecast }) => forecast.firstMonth));
    const selection = { seriesIds, firstMonth, lastMonth, demandVersion };
    for await (const demand of streamMonthlyHistories(this.database, scope, selection, AT_A_TIME)) {
      for (const { seriesId, uniqueId, startMonth, values } of demand) {
        const { forecast, history } = ofSeries.get(seriesId)!;
        const actual = demandFrom(forecast.firstMonth, { startMonth, values });
        const window = outcomeWindow(forecast, history.values, actual);
        if (window) outcomes.add({ seriesId, uniqueId, window, overrides: overrides.get(seriesId) });
      }
    }
  }
}

/** Monthly demand from a month on, NaN if missing: the demand behind the forecast may have been deleted since. */
function demandFrom(
  month: MonthNumber,
  { startMonth, values }: { readonly startMonth: MonthNumber; readonly values: Float64Array },
): Float64Array {
  const before = Math.max(0, startMonth - month);
  const known = values.subarray(Math.max(0, month - startMonth));
  const demand = new Float64Array(before + known.length).fill(NaN);
  demand.set(known, before);
  return demand;
}
