import type { Queryable } from '../platform/database/database.js';
import type { CursorPosition } from '../platform/http/pagination.js';
import { readForecasts, type StoredForecast } from './forecasts.queries.js';

/** Consecutive months of one series' forecast: steps `first` to `last`, both included. */
export interface ForecastSpan {
  readonly forecast: StoredForecast;
  readonly first: number;
  readonly last: number;
}

export interface ForecastPageRequest {
  /** Rows (series and month) on the page. */
  readonly limit: number;
  /** Position after the last row of the page before: unique_id and step. */
  readonly after?: CursorPosition;
  readonly seriesId?: string;
  /** Range of month numbers, both included. */
  readonly from?: number;
  readonly to?: number;
}

export interface ForecastPage {
  readonly spans: readonly ForecastSpan[];
  readonly next?: CursorPosition;
}

/** One page of a run's forecast rows in the order unique_id, month. A page may begin and end within a series. */
export async function forecastPage(
  db: Queryable,
  scope: { organizationId: string; runId: string },
  request: ForecastPageRequest,
): Promise<ForecastPage> {
  const spans: ForecastSpan[] = [];
  let room = request.limit;
  let [uniqueId, step] = request.after ?? [];
  for (;;) {
    // with a horizon of a year this fetches the page in one go; shorter ones take another turn
    const batch = Math.ceil(room / 12) + 2;
    const forecasts = await readForecasts(db, scope, {
      limit: batch,
      ...(uniqueId === undefined ? {} : { fromUniqueId: uniqueId }),
      ...(request.seriesId === undefined ? {} : { seriesId: request.seriesId }),
      ...(request.from === undefined ? {} : { from: request.from }),
      ...(request.to === undefined ? {} : { to: request.to }),
    });
    for (const forecast of forecasts) {
      const begin = forecast.uniqueId === uniqueId && step !== undefined ? Number(step) + 1 : 0;
      const first = Math.max(begin, (request.from ?? -Infinity) - forecast.firstMonth);
      const last = Math.min(forecast.horizon - 1, (request.to ?? Infinity) - forecast.firstMonth);
      if (first > last) continue;
      if (room === 0) return { spans, next: [uniqueId ?? '', step ?? ''] };
      const taken = Math.min(room, last - first + 1);
      spans.push({ forecast, first, last: first + taken - 1 });
      room -= taken;
      [uniqueId, step] = [forecast.uniqueId, String(first + taken - 1)];
      if (first + taken - 1 < last) return { spans, next: [uniqueId, step] };
    }
    const exhausted = forecasts.length < batch;
    if (exhausted) return { spans };
    // go on from the last series seen, whether or not it gave rows
    const lastSeen = forecasts.at(-1)!;
    if (lastSeen.uniqueId !== uniqueId) [uniqueId, step] = [lastSeen.uniqueId, String(lastSeen.horizon - 1)];
  }
}
