import { readForecasts, type StoredForecast } from '../../forecasts/index.js';
import type { Queryable } from '../../platform/database/database.js';
import { type Page, toPage } from '../../platform/http/pagination.js';

export interface SeriesOfRun {
  /** Series a page. */
  readonly limit: number;
  /** The unique_id that the page begins after. */
  readonly after: string | undefined;
  /** Only this series. */
  readonly seriesId: string | undefined;
  /** Only series whose forecast has a month of these, both included, 12 * year + month - 1. */
  readonly from?: number;
  readonly to?: number;
}

/** A page of the forecasts of a run by unique_id; its position is the unique_id. */
export async function forecastsAfter(
  db: Queryable,
  scope: { readonly organizationId: string; readonly runId: string },
  { limit, after, seriesId, ...months }: SeriesOfRun,
): Promise<Page<StoredForecast>> {
  const fetched = await readForecasts(db, scope, {
    ...months,
    // one more than the page shows that another follows, and one for the series that the page begins after
    limit: limit + 2,
    ...(after === undefined ? {} : { fromUniqueId: after }),
    ...(seriesId === undefined ? {} : { seriesId }),
  });
  const following = fetched.filter((forecast) => forecast.uniqueId !== after);
  return toPage(following, limit, (forecast) => [forecast.uniqueId]);
}
