import type { BacktestWindow, DemandHistory, DemandPattern, SeriesForecast } from '../forecasting/index.js';
import type { Queryable } from '../platform/database/database.js';
import { unpackBacktest, unpackNumbers } from './packing.js';

/** One series' forecast with all that was stored of it: what it was made from and how it was tested. */
export interface ForecastDetail {
  readonly forecast: SeriesForecast;
  /** The history that the run used. */
  readonly history: DemandHistory;
}

interface DetailRow {
  series_id: string;
  category: string | null;
  model: string;
  pattern: DemandPattern;
  first_month: number;
  mean: Buffer;
  quantiles: Buffer;
  backtest: Buffer;
  history_start: number;
  history: Buffer;
}

const COLUMNS = `f.series_id, s.category, f.model, f.pattern, f.first_month, f.mean, f.quantiles, f.backtest, f.history_start, f.history`;

/** The forecasts of a run for the series named, in the order of their unique_ids; series that it did not forecast are left out. */
export async function readForecastDetails(
  db: Queryable,
  scope: { readonly organizationId: string; readonly runId: string },
  seriesIds: readonly string[],
): Promise<ForecastDetail[]> {
  const rows = await db.query<DetailRow>(
    `SELECT ${COLUMNS}
       FROM forecasts f JOIN series s ON s.id = f.series_id AND s.organization_id = f.organization_id
      WHERE f.organization_id = $1 AND f.run_id = $2 AND f.series_id = ANY ($3::uuid[])
      ORDER BY f.unique_id`,
    [scope.organizationId, scope.runId, seriesIds],
  );
  return rows.map(toDetail);
}

function toDetail(row: DetailRow): ForecastDetail {
  const backtest: readonly BacktestWindow[] = unpackBacktest(row.backtest);
  return {
    forecast: {
      kind: 'forecast',
      id: row.series_id,
      firstMonth: row.first_month,
      model: row.model,
      pattern: row.pattern,
      mean: unpackNumbers(row.mean),
      quantiles: unpackNumbers(row.quantiles),
      backtest,
    },
    history: {
      id: row.series_id,
      startMonth: row.history_start,
      values: unpackNumbers(row.history),
      ...(row.category === null ? {} : { category: row.category }),
    },
  };
}
