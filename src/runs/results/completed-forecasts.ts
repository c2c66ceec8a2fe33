import { Injectable } from '@nestjs/common';
import { type ForecastDetail, readForecastDetails } from '../../forecasts/index.js';
import { Database } from '../../platform/database/database.js';
import type { Tenant } from '../../platform/database/scope.js';
import { Problem } from '../../platform/http/problem.js';
import { requireSeries, type SeriesItem } from '../../series/index.js';
import type { Run } from '../run.js';
import { RunResultsService } from './run-results.service.js';

/** One series of a completed run: what the results about a single series start from. */
export interface CompletedForecast {
  readonly run: Run;
  readonly series: SeriesItem;
  readonly detail: ForecastDetail;
}

/** Finds what a completed run has forecast. */
@Injectable()
export class CompletedForecasts {
  constructor(
    private readonly database: Database,
    private readonly results: RunResultsService,
  ) {}

  /**
   * @param idOrUniqueId the series, as the path names it
   * @throws {Problem} 404 for an unknown run or series; 404 `series_not_forecast` where the run left the series out; 409
   * `run_not_completed`
   */
  async one(scope: Tenant, runId: string, idOrUniqueId: string): Promise<CompletedForecast> {
    const run = await this.results.completedRun(scope, runId);
    const tenant = { organizationId: scope.organizationId, workspaceId: run.workspace_id };
    const series = await requireSeries(this.database, tenant, idOrUniqueId);
    const [detail] = await readForecastDetails(this.database, { ...tenant, runId: run.id }, [series.id]);
    if (!detail) {
      throw new Problem(
        404,
        'series_not_forecast',
        'The run has no forecast of this series: it was skipped or not selected.',
      );
    }
    return { run, series, detail };
  }
}
