import { Injectable } from '@nestjs/common';
import { recordAuditBy, type TenantCaller } from '../../../access/index.js';
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
import { type Run, scopeOf } from '../../run.js';
import { RunsService } from '../../runs.service.js';
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
      from: query.from === undefined ? undefined : parseMonth(query.from),
      to: query.to === undefined ? undefined : parseMonth(query.to),
    });
    const final = query.apply_overrides === true ? await this.finalValues(scope, page) : undefined;
    if (csv && taken) await this.noteExport(caller, run, query, page);
    return {
      type: csv ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
      body: csv ? rowsAsCsv(page.spans, final) : rowsAsJson(page.spans, final),
      fileName: csv ? `forecasts-${run.id}.csv` : undefined,
      next: page.next && [LIST, ...page.next],
    };
  }

  private noteExport(caller: TenantCaller, run: Run, query: ListForecastsDto, page: ForecastPage): Promise<void> {
    const { series_id, from, to, apply_overrides } = query;
    return this.database.transaction((tx) =>
      recordAuditBy(tx, caller, {
        action: 'forecasts.exported',
        target: { kind: 'run', id: run.id },
        details: {
          workspace_id: run.workspace_id,
          series: page.spans.length,
          filter: { series_id, from, to, apply_overrides },
        },
        now: this.clock.now(),
      }),
    );
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
