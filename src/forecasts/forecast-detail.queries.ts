import type { DemandHistory, DemandPattern, MonthNumber, SeriesForecast } from '../forecasting/index.js';
import type { OrderSizes } from '../inventory/index.js';
import type { Queryable } from '../platform/database/database.js';
import type { RunScope } from '../series/index.js';
import { unpackBacktest, unpackNumbers, unpackOrderSizes } from './packing.js';

/** One series' forecast with everything stored about it: the history it was made from and its backtest. */
export interface ForecastDetail {
  readonly forecast: SeriesForecast;
  /** The history that the run used. */
  readonly history: DemandHistory;
  /** Sizes of its orders; absent if the run did not know demand by day. */
  readonly orderSizes?: OrderSizes;
}

/** The same with the identifier that the series had when the run was computed. */
export interface ListedDetail extends ForecastDetail {
  readonly uniqueId: string;
}

interface DetailRow {
  id: string;
  uniqueId: string;
  category: string | null;
  unit: string | null;
  model: string;
  pattern: DemandPattern;
  firstMonth: number;
  mean: Buffer;
  quantiles: Buffer;
  backtest: Buffer;
  startMonth: number;
  history: Buffer;
  orderSizes: Buffer | null;
}

/** Whether to read backtests, which may be larger than all the rest (the default); without them all appear untested. */
interface Tested {
  readonly tested?: boolean;
}

/** Forecasts of the run $2, in the order of their unique_ids. */
const select = (condition: string, { tested = true }: Tested): string =>
  `SELECT f.series_id AS id, f.unique_id AS "uniqueId", s.category, s.unit, f.model, f.pattern, f.first_month AS "firstMonth", f.mean, f.quantiles,
          f.history_start AS "startMonth", f.history, f.order_sizes AS "orderSizes", ${tested ? 'f.backtest' : `''::bytea AS backtest`}
     FROM forecasts f JOIN series s ON s.id = f.series_id AND s.organization_id = f.organization_id
    WHERE f.organization_id = $1 AND f.run_id = $2 AND ${condition}
    ORDER BY f.unique_id`;

/** The forecasts of a run for the given series, by series id in the order of their unique_ids, omitting series that it did not forecast. */
export async function readForecastDetails(
  db: Queryable,
  scope: RunScope,
  seriesIds: readonly string[],
  tested: Tested = {},
): Promise<ReadonlyMap<string, ForecastDetail>> {
  const rows = await db.query<DetailRow>(select('f.series_id = ANY ($3::uuid[])', tested), [
    scope.organizationId,
    scope.runId,
    seriesIds,
  ]);
  return new Map(rows.map((row) => [row.id, toDetail(row)]));
}

export interface DetailSlice extends Tested {
  /** Only forecasts after this unique_id, if given. */
  readonly after: string | undefined;
  readonly limit: number;
  /** Only forecasts whose first month is not after this one. */
  readonly begunBy?: MonthNumber;
  /** Only this series. */
  readonly seriesId?: string | undefined;
  /** Only series of this category, as it is now. */
  readonly category?: string | undefined;
}

/** The same in batches. */
export async function readForecastDetailsAfter(
  db: Queryable,
  scope: RunScope,
  { after = '', limit, begunBy, seriesId, category, ...tested }: DetailSlice,
): Promise<readonly ListedDetail[]> {
  const condition = `f.unique_id > $3 AND ($5::int IS NULL OR f.first_month <= $5) AND ($6::uuid IS NULL OR f.series_id = $6)
      AND ($7::text IS NULL OR s.category = $7)`;
  const rows = await db.query<DetailRow>(`${select(condition, tested)} LIMIT $4`, [
    scope.organizationId,
    scope.runId,
    after,
    limit,
    begunBy ?? null,
    seriesId ?? null,
    category ?? null,
  ]);
  return rows.map((row) => ({ uniqueId: row.uniqueId, ...toDetail(row) }));
}

function toDetail({
  id,
  category,
  unit,
  firstMonth,
  model,
  pattern,
  startMonth,
  ...packed
}: DetailRow): ForecastDetail {
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
    history: {
      id,
      startMonth,
      values: unpackNumbers(packed.history),
      ...(category !== null && { category }),
      ...(unit !== null && { unit }),
    },
    ...(packed.orderSizes && { orderSizes: unpackOrderSizes(packed.orderSizes) }),
  };
}
