import { readForecasts, type StoredForecast } from '../../forecasts/index.js';
import type { Queryable } from '../../platform/database/database.js';
import { type Page, toPage } from '../../platform/http/pagination.js';
import { requireSeries, type RunScope } from '../../series/index.js';

export interface SeriesOfRun {
  /** Series per page. */
  readonly limit: number;
  /** The unique_id after which the page starts. */
  readonly after?: string | undefined;
  /** Only this series, by its id or unique_id. */
  readonly series?: string | undefined;
  /** Only series of this category, as it is now. */
  readonly category?: string | undefined;
  /** Only series whose forecast includes a month from `from` to `to`, inclusive (12 * year + month - 1). */
  readonly from?: number;
  readonly to?: number;
}

/** A page of a run's forecasts, ordered by unique_id. @throws {Problem} 404 for an unknown series */
export async function forecastsAfter(
  db: Queryable,
  scope: RunScope,
  { limit, after, series, ...narrowing }: SeriesOfRun,
): Promise<Page<StoredForecast>> {
  const named = series === undefined ? undefined : await requireSeries(db, scope, series);
  const fetched = await readForecasts(db, scope, {
    ...narrowing,
    // one more to tell whether there is a next page, and one for the series after which the page starts
    limit: limit + 2,
    fromUniqueId: after,
    seriesId: named?.id,
  });
  const following = fetched.filter(({ uniqueId }) => uniqueId !== after);
  return toPage(following, limit, (forecast) => [forecast.uniqueId]);
}
