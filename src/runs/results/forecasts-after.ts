import { readForecasts, type RunScope, type StoredForecast } from '../../forecasts/index.js';
import type { Queryable } from '../../platform/database/database.js';
import { type Page, toPage } from '../../platform/http/pagination.js';
import { requireSeries } from '../../series/index.js';

export interface SeriesOfRun {
  /** Series on a page. */
  readonly limit: number;
  /** The unique_id after which the page begins. */
  readonly after?: string | undefined;
  /** Only this series, by its id or its unique_id. */
  readonly series?: string | undefined;
  /** Only series whose forecast has a month from `from` to `to`, both included (12 * year + month - 1). */
  readonly from?: number;
  readonly to?: number;
}

/** A page of a run's forecasts in the order of unique_id. @throws {Problem} 404 for an unknown series */
export async function forecastsAfter(
  db: Queryable,
  scope: RunScope,
  { limit, after, series, ...months }: SeriesOfRun,
): Promise<Page<StoredForecast>> {
  const named = series === undefined ? undefined : await requireSeries(db, scope, series);
  const fetched = await readForecasts(db, scope, {
    ...months,
    // one more shows whether another page follows, and one more makes up for the series after which the page begins
    limit: limit + 2,
    fromUniqueId: after,
    seriesId: named?.id,
  });
  const following = fetched.filter(({ uniqueId }) => uniqueId !== after);
  return toPage(following, limit, (forecast) => [forecast.uniqueId]);
}
