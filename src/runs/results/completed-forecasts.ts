import { Injectable } from '@nestjs/common';
import { type ForecastDetail, readForecastDetails } from '../../forecasts/index.js';
import { Database } from '../../platform/database/database.js';
import type { Tenant } from '../../platform/database/scope.js';
import { Problem } from '../../platform/http/problem.js';
import { readDemandSources, requireSeries, type RunScope, type SeriesDto } from '../../series/index.js';
import type { RunDto } from '../dto/run.dto.js';
import { scopeOf } from '../run.js';
import { readDemandVersion } from '../runs.queries.js';
import { RunsService } from '../runs.service.js';

/** A series in a completed run, as needed by all results about a single series. */
export interface CompletedForecast {
  readonly run: RunDto;
  readonly scope: RunScope;
  readonly series: SeriesDto;
  readonly detail: ForecastDetail;
}

/** Finds the forecasts of a completed run. */
@Injectable()
export class CompletedForecasts {
  constructor(
    private readonly database: Database,
    private readonly runs: RunsService,
  ) {}

  /**
   * @param idOrUniqueId the series, as named in the path
   * @throws {Problem} 404 for an unknown run or series; 404 `series_not_forecast` if the run skipped the series; 409
   * `run_not_completed`
   */
  async one(reader: Tenant, runId: string, idOrUniqueId: string): Promise<CompletedForecast> {
    const run = await this.runs.getCompleted(reader, runId);
    const scope = scopeOf(reader, run);
    const series = await requireSeries(this.database, scope, idOrUniqueId);
    const detail = (await readForecastDetails(this.database, scope, [series.id])).get(series.id);
    if (!detail) {
      throw new Problem(
        404,
        'series_not_forecast',
        series.replaced_by === null || (await this.countsForItself(scope, series))
          ? 'The run has no forecast for this series: it was skipped or not selected.'
          : `The run has no forecast for this series: its demand counts for ${JSON.stringify(series.replaced_by)}, which has replaced it.`,
      );
    }
    return { run, scope, series, detail };
  }

  /** Whether nothing had replaced the series when the run began. */
  private async countsForItself(run: RunScope, { id }: SeriesDto): Promise<boolean> {
    const version = await readDemandVersion(this.database, run);
    return (await readDemandSources(this.database, run, [id], version)).has(id);
  }
}
