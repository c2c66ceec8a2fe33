import type { Queryable } from '../platform/database/database.js';
import { isLastFetch, MAX_PAGE_BYTES } from '../platform/database/page-room.js';
import type { CursorPosition } from '../platform/http/pagination.js';
import type { RunScope } from '../series/index.js';
import { type DescribedForecast, readDescribedForecasts } from './forecasts.queries.js';

/** Consecutive months of one series' forecast: steps `first` to `last`, inclusive. */
export interface ForecastSpan {
  readonly forecast: DescribedForecast;
  readonly first: number;
  readonly last: number;
}

export interface ForecastPageRequest {
  /** Rows (series and month) per page. */
  readonly limit: number;
  /** Position after the last row of the previous page: unique_id and step. */
  readonly after?: CursorPosition | undefined;
  readonly seriesId?: string | undefined;
  /** The category in which the series are now. */
  readonly category?: string | undefined;
  /** Range of month numbers, inclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface ForecastPage {
  readonly spans: readonly ForecastSpan[];
  readonly next?: CursorPosition | undefined;
}

/**
 * One page of a run's forecast rows, ordered by unique_id and month. A page may begin and end within a series, and ends early where the
 * metadata, which each row repeats, would exceed a page's size limit.
 */
export async function forecastPage(
  db: Queryable,
  scope: RunScope,
  request: ForecastPageRequest,
): Promise<ForecastPage> {
  const spans: ForecastSpan[] = [];
  let room = request.limit;
  let bytes = 0;
  for await (const wanted of spansFrom(db, scope, request)) {
    const { forecast, first } = wanted;
    const last = Math.min(wanted.last, first + room - 1);
    bytes += (last - first + 1) * forecast.metadata.length;
    const end = spans.at(-1);
    if (end && (room === 0 || bytes > MAX_PAGE_BYTES)) {
      return { spans, next: [end.forecast.uniqueId, String(end.last)] };
    }
    spans.push({ forecast, first, last });
    if (last < wanted.last) return { spans, next: [forecast.uniqueId, String(last)] };
    room -= last - first + 1;
  }
  return { spans };
}

/** The requested steps of each series from the position on, read in batches. */
async function* spansFrom(
  db: Queryable,
  scope: RunScope,
  { limit, after = [], ...narrowing }: ForecastPageRequest,
): AsyncGenerator<ForecastSpan> {
  // with a horizon of a year, one batch is enough for the page and shows whether there is another
  const batch = Math.ceil(limit / 12) + 2;
  let [uniqueId, step] = after;
  for (;;) {
    const fetched = await readDescribedForecasts(db, scope, { ...narrowing, fromUniqueId: uniqueId, limit: batch });
    const forecasts = fetched.filter((forecast) => forecast !== undefined);
    for (const forecast of forecasts) {
      const begin = forecast.uniqueId === uniqueId ? Number(step) + 1 : 0;
      const first = Math.max(begin, (narrowing.from ?? -Infinity) - forecast.firstMonth);
      const last = Math.min(forecast.horizon - 1, (narrowing.to ?? Infinity) - forecast.firstMonth);
      if (first <= last) yield { forecast, first, last };
    }
    const lastRead = forecasts.at(-1);
    if (!lastRead || isLastFetch(fetched, batch)) return;
    [uniqueId, step] = [lastRead.uniqueId, String(lastRead.horizon - 1)];
  }
}
