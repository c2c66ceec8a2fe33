import { Injectable } from '@nestjs/common';
import type { TenantCaller } from '../../../access/index.js';
import { parseMonth } from '../../../forecasting/index.js';
import {
  type FinalValue,
  type ForecastPage,
  forecastPage,
  type ForecastSpan,
  medianAt,
  rowsAsCsv,
  rowsAsJson,
} from '../../../forecasts/index.js';
import { Clock } from '../../../platform/clock.js';
import { Database } from '../../../platform/database/database.js';
import type { WorkspaceTenant } from '../../../platform/database/scope.js';
import { requireMonthOrder } from '../../../platform/http/rules/calendar-month.js';
import { type CursorPosition, decodeCursor } from '../../../platform/http/pagination.js';
import { activeOverrides, applyOverride, requireSeries } from '../../../series/index.js';
import { scopeOf } from '../../run.js';
import { RunsService } from '../../runs.service.js';
import { recordExport } from '../record-export.js';
import type { ListForecastsDto } from './forecast-rows.dto.js';

export interface RenderedRows {
  readonly type: string;
  readonly body: Buffer;
  /** The name of the downloaded file; undefined if it is not one. */
  readonly fileName: string | undefined;
  readonly next: CursorPosition | undefined;
}

const LIST = 'forecast_rows';

@Injectable()
export class ForecastRowsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly runs: RunsService,
  ) {}

  /**
   * A page of forecast rows as JSON or CSV, recorded in the audit log as an export if `taken`: not if only the headers are
   * requested.
   * @throws {Problem} 404, 409 `run_not_completed`
   */
  async page(
    caller: TenantCaller,
    runId: string,
    query: ListForecastsDto,
    { csv, taken }: { readonly csv: boolean; readonly taken: boolean },
  ): Promise<RenderedRows> {
    requireMonthOrder(query);
    const after = decodeCursor(query.cursor, LIST, ['text', 'integer']);
    const run = await this.runs.getCompleted(caller, runId);
    const scope = scopeOf(caller, run);
    const series =
      query.series_id === undefined ? undefined : await requireSeries(this.database, scope, query.series_id);
    const page = await forecastPage(this.database, scope, {
      limit: query.limit,
      after,
      seriesId: series?.id,
      category: query.category,
      from: query.from === undefined ? undefined : parseMonth(query.from),
      to: query.to === undefined ? undefined : parseMonth(query.to),
    });
    const final = query.apply_overrides === true ? await this.finalValues(scope, page) : undefined;
    if (csv && taken) {
      const { series_id, category, from, to, apply_overrides } = query;
      const filter = { series_id, category, from, to, apply_overrides };
      await recordExport(this.database, caller, run, { series: page.spans.length, filter }, this.clock.now());
    }
    return {
      type: csv ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
      body: csv ? rowsAsCsv(page.spans, final) : rowsAsJson(page.spans, final),
      fileName: csv ? `forecasts-${run.id}.csv` : undefined,
      next: page.next && [LIST, ...page.next],
    };
  }

  private async finalValues(tenant: WorkspaceTenant, page: ForecastPage): Promise<FinalValue> {
    const overrides = await activeOverrides(
      this.database,
      tenant,
      page.spans.map((span) => span.forecast.seriesId),
      this.clock.now(),
    );
    return (span: ForecastSpan, step: number): number => {
      const median = medianAt(span, step);
      return applyOverride(median, overrides.get(span.forecast.seriesId)?.get(span.forecast.firstMonth + step));
    };
  }
}
