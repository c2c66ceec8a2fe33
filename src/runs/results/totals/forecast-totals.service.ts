import { Injectable } from '@nestjs/common';
import type { TenantCaller } from '../../../access/index.js';
import { parseMonth } from '../../../forecasting/index.js';
import {
  type ForecastDetail,
  type ListedDetail,
  readForecastDetails,
  readForecastDetailsAfter,
} from '../../../forecasts/index.js';
import { Clock } from '../../../platform/clock.js';
import { Database } from '../../../platform/database/database.js';
import { Problem } from '../../../platform/http/problem.js';
import { requireMonthOrder } from '../../../platform/http/rules/calendar-month.js';
import { readAhead } from '../../../platform/work/read-ahead.js';
import { HEAVY_REQUESTS, Slots } from '../../../platform/work/slots.js';
import { activeOverrides, type RunScope, selectSeries } from '../../../series/index.js';
import { scopeOf } from '../../run.js';
import { RunsService } from '../../runs.service.js';
import { recordExport } from '../record-export.js';
import type { ForecastTotalDto, ListTotalsDto } from './forecast-totals.dto.js';
import { MAX_TOTALS, Totals } from './totals.js';

/** Series read at a time: with six backtest windows each takes 12 KB, and some 100 us to unpack and add up. */
const AT_A_TIME = 100;

/** Adds up the forecasts of a run. */
@Injectable()
export class ForecastTotalsService {
  private readonly slots = new Slots('forecast totals', HEAVY_REQUESTS);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly runs: RunsService,
  ) {}

  /**
   * @param exported whether they are taken as a file, which the audit log records
   * @throws {Problem} 400 naming a parameter; 404, 409 `run_not_completed`; 429 or 503 under too many concurrent requests
   */
  async list(
    caller: TenantCaller,
    runId: string,
    query: ListTotalsDto,
    exported: boolean,
  ): Promise<ForecastTotalDto[]> {
    requireMonthOrder(query);
    if (query.without_category && query.category !== undefined) {
      throw Problem.invalid([{ param: 'category', message: 'cannot be combined with without_category' }]);
    }
    const run = await this.runs.getCompleted(caller, runId);
    const scope = scopeOf(caller, run);
    const totals = await this.slots.run(scope, () => this.compute(scope, query));
    if (exported) {
      const taken = { totals: totals.length, filter: query };
      await recordExport(this.database, caller, run, taken, this.clock.now());
    }
    return totals;
  }

  private async compute(scope: RunScope, query: ListTotalsDto): Promise<ForecastTotalDto[]> {
    const { from, to } = query;
    const totals = new Totals({
      byCategory: query.group_by === 'category',
      sumMonths: query.sum_months === true,
      from: from === undefined ? -Infinity : parseMonth(from),
      to: to === undefined ? Infinity : parseMonth(to),
    });
    for await (const details of this.batches(scope, query)) {
      const ids = details.map(({ forecast }) => forecast.id);
      const overrides = query.apply_overrides
        ? await activeOverrides(this.database, scope, ids, this.clock.now())
        : undefined;
      for (const detail of details) totals.add(detail, overrides?.get(detail.forecast.id));
      if (totals.size > MAX_TOTALS) throw tooMany();
    }
    return totals.list(query.apply_overrides === true);
  }

  private batches(scope: RunScope, query: ListTotalsDto): AsyncIterable<readonly ForecastDetail[]> {
    if (query.without_category) return this.ofCategory(scope, null);
    if (query.category !== undefined) return this.ofCategory(scope, query.category);
    return readAhead(AT_A_TIME, (last: ListedDetail | undefined) =>
      readForecastDetailsAfter(this.database, scope, { after: last?.uniqueId, limit: AT_A_TIME }),
    );
  }

  /** By the ids of its series, which are found once: in the run's order, each batch would go through series of other categories. */
  private async *ofCategory(scope: RunScope, category: string | null): AsyncGenerator<readonly ForecastDetail[]> {
    const { seriesIds } = await selectSeries(this.database, scope, { category });
    for (let start = 0; start < seriesIds.length; start += AT_A_TIME) {
      const ids = seriesIds.slice(start, start + AT_A_TIME);
      yield [...(await readForecastDetails(this.database, scope, ids)).values()];
    }
  }
}

function tooMany(): Problem {
  const message = `would give more than ${MAX_TOTALS.toLocaleString('en')} totals: name one category, use without_category, or use workspace`;
  return Problem.invalid([{ param: 'group_by', message }]);
}
