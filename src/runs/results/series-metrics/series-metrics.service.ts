import { Injectable } from '@nestjs/common';
import { readSeriesAccuracies, type SeriesAccuracy, type StoredForecast } from '../../../forecasts/index.js';
import { Database } from '../../../platform/database/database.js';
import type { Tenant } from '../../../platform/database/scope.js';
import { decodeCursor, type Page, pageOf } from '../../../platform/http/pagination.js';
import { accuracyFields, scopeOf } from '../../run.js';
import { RunsService } from '../../runs.service.js';
import { forecastsAfter } from '../forecasts-after.js';
import type { SeriesMetricsDto, SeriesMetricsQueryDto } from './series-metrics.dto.js';

const LIST = 'series_metrics';

@Injectable()
export class SeriesMetricsService {
  constructor(
    private readonly database: Database,
    private readonly runs: RunsService,
  ) {}

  /** Series ordered by unique_id, except those that the run skipped. @throws {Problem} 404, 409 `run_not_completed` */
  async list(reader: Tenant, runId: string, query: SeriesMetricsQueryDto): Promise<Page<SeriesMetricsDto>> {
    const after = decodeCursor(query.cursor, LIST, ['text'])?.[0];
    const scope = scopeOf(reader, await this.runs.getCompleted(reader, runId));
    const wanted = { limit: query.limit, after, series: query.series_id, category: query.category };
    const page = pageOf(LIST, await forecastsAfter(this.database, scope, wanted));
    const ids = page.items.map(({ seriesId }) => seriesId);
    const accuracies = await readSeriesAccuracies(this.database, scope, ids);
    const items = page.items.flatMap((forecast) => {
      const accuracy = accuracies.get(forecast.seriesId);
      return accuracy ? [metricsOf(forecast, accuracy)] : []; // its run has been deleted in the meantime
    });
    return { ...page, items };
  }
}

function metricsOf(stored: StoredForecast, { pattern, accuracy }: SeriesAccuracy): SeriesMetricsDto {
  return {
    series_id: stored.seriesId,
    unique_id: stored.uniqueId,
    product_name: stored.productName,
    model: stored.model,
    demand_pattern: pattern,
    ...accuracyFields(accuracy),
  };
}
