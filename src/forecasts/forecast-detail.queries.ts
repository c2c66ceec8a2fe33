import type { DemandHistory, DemandPattern, SeriesForecast } from '../forecasting/index.js';
import type { Queryable } from '../platform/database/database.js';
import type { RunScope } from '../series/index.js';
import { unpackBacktest, unpackNumbers } from './packing.js';

/** One series' forecast with everything stored about it: the history it was made from and its backtest. */
export interface ForecastDetail {
  readonly forecast: SeriesForecast;
  /** The history that the run used. */
  readonly history: DemandHistory;
}

interface DetailRow {
  id: string;
  category: string | null;
  model: string;
  pattern: DemandPattern;
  firstMonth: number;
  mean: Buffer;
  quantiles: Buffer;
  backtest: Buffer;
  startMonth: number;
  history: Buffer;
}

const COLUMNS = `f.series_id AS id, s.category, f.model, f.pattern, f.first_month AS "firstMonth", f.mean, f.quantiles,
  f.history_start AS "startMonth", f.history`;

/**
 * The forecasts of a run for the given series, by series id in the order of their unique_ids, omitting series that it did not forecast.
 * @param tested whether to read their backtests, which may be larger than all the rest; without them all appear untested
 */
export async function readForecastDetails(
  db: Queryable,
  scope: RunScope,
  seriesIds: readonly string[],
  { tested = true }: { readonly tested?: boolean } = {},
): Promise<ReadonlyMap<string, ForecastDetail>> {
  const rows = await db.query<DetailRow>(
    `SELECT ${COLUMNS}, ${tested ? 'f.backtest' : `''::bytea AS backtest`}
       FROM forecasts f JOIN series s ON s.id = f.series_id AND s.organization_id = f.organization_id
      WHERE f.organization_id = $1 AND f.run_id = $2 AND f.series_id = ANY ($3::uuid[])
      ORDER BY f.unique_id`,
    [scope.organizationId, scope.runId, seriesIds],
  );
  return new Map(rows.map((row) => [row.id, toDetail(row)]));
}

/** The same in batches, in the order of their unique_ids. @param after a unique_id; empty for the first batch */
export async function readForecastDetailsAfter(
  db: Queryable,
  scope: RunScope,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly (ForecastDetail & { readonly uniqueId: string })[]> {
  const rows = await db.query<DetailRow & { uniqueId: string }>(
    `SELECT ${COLUMNS}, f.backtest, f.unique_id AS "uniqueId"
       FROM forecasts f JOIN series s ON s.id = f.series_id AND s.organization_id = f.organization_id
      WHERE f.organization_id = $1 AND f.run_id = $2 AND f.unique_id > $3
      ORDER BY f.unique_id LIMIT $4`,
    [scope.organizationId, scope.runId, after, limit],
  );
  return rows.map(({ uniqueId, ...row }) => ({ uniqueId, ...toDetail(row) }));
}

function toDetail({ id, category, firstMonth, model, pattern, startMonth, ...packed }: DetailRow): ForecastDetail {
  return {
    forecast: {
      kind: 'forecast',
      id,
      firstMonth,
      model,
      pattern,
      mean: unpackNumbers(packed.mean),
      quantiles: unpackNumbers(packed.quantiles),
      backtest: unpackBacktest(packed.backtest),
    },
    history: { id, startMonth, values: unpackNumbers(packed.history), ...(category !== null && { category }) },
  };
}
