import { Injectable } from '@nestjs/common';
import { type MonthNumber, outcomeWindow } from '../../forecasting/index.js';
import { readForecastDetails, type RunScope } from '../../forecasts/index.js';
import { Database } from '../../platform/database/database.js';
import type { Tenant } from '../../platform/database/scope.js';
import {
  describeSeries,
  findHistoryEnd,
  monthInProgress,
  overridesInAdvance,
  streamMonthlyHistories,
  workspaceTimeZone,
} from '../../series/index.js';
import { scopeOf } from '../run.js';
import type { ForecastAccuracyDto, ForecastAccuracyQueryDto } from './forecast-accuracy.dto.js';
import { forecastsAfter } from './forecasts-after.js';
import { Outcomes } from './outcomes.js';
import { RunResultsService } from './run-results.service.js';

/** Series read at a time: their forecasts, with what they were made from, take some 4 MB. */
const AT_A_TIME = 500;

interface WorkspaceCalendar {
  /** The last month that is over and does not lack its last days. */
  readonly lastMonth: MonthNumber;
  readonly timeZone: string;
}

/** Compares the forecasts of a run with the demand that came. */
@Injectable()
export class ForecastAccuracyService {
  constructor(
    private readonly database: Database,
    private readonly results: RunResultsService,
  ) {}

  /** @throws {Problem} 404, 409 `run_not_completed` */
  async read(reader: Tenant, runId: string, { series_id }: ForecastAccuracyQueryDto): Promise<ForecastAccuracyDto> {
    const run = await this.results.completedRun(reader, runId);
    const scope = scopeOf(reader, run);
    const calendar = {
      lastMonth: await this.lastWholeMonth(scope),
      timeZone: await workspaceTimeZone(this.database, scope),
    };
    const outcomes = new Outcomes();
    for await (const seriesIds of this.series(scope, calendar.lastMonth, series_id)) {
      await this.compare(scope, seriesIds, calendar, outcomes);
    }
    const described = await describeSeries(this.database, scope, outcomes.largestIds());
    return { run_id: run.id, ...outcomes.finish(described) };
  }

  /** Demand of a month whose last days are still to be uploaded is not what came. */
  private async lastWholeMonth(scope: RunScope): Promise<MonthNumber> {
    const { incompleteMonth } = await findHistoryEnd(this.database, scope);
    return (incompleteMonth ?? (await monthInProgress(this.database, scope))) - 1;
  }

  /** The series of which the run forecast a month up to the last one. */
  private async *series(
    scope: RunScope,
    lastMonth: MonthNumber,
    series: string | undefined,
  ): AsyncGenerator<readonly string[]> {
    let after: string | undefined;
    do {
      const page = await forecastsAfter(this.database, scope, { limit: AT_A_TIME, after, series, to: lastMonth });
      yield page.items.map(({ seriesId }) => seriesId);
      after = page.next?.[0];
    } while (after !== undefined);
  }

  private async compare(
    scope: RunScope,
    seriesIds: readonly string[],
    { lastMonth, timeZone }: WorkspaceCalendar,
    outcomes: Outcomes,
  ): Promise<void> {
    const details = await readForecastDetails(this.database, scope, seriesIds);
    if (details.size === 0) return;
    const overrides = await overridesInAdvance(this.database, scope, seriesIds, timeZone);
    const firstMonth = Math.min(...[...details.values()].map(({ forecast }) => forecast.firstMonth));
    for await (const histories of streamMonthlyHistories(this.database, scope, { seriesIds, firstMonth, lastMonth })) {
      for (const { seriesId, uniqueId, startMonth, values } of histories) {
        const detail = details.get(seriesId);
        if (!detail) continue; // its run has been removed meanwhile
        const { forecast, history } = detail;
        const actual = demandFrom(forecast.firstMonth, { startMonth, values });
        const window = outcomeWindow(forecast, history.values, actual);
        if (window) outcomes.add({ seriesId, uniqueId, window, overrides: overrides.get(seriesId) });
      }
    }
  }
}

/** Demand a month from a month on, NaN where missing: what the forecast was made from may have been deleted since. */
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
