import { type DemandHistory, finishAccuracy, seriesAccuracy, type SeriesForecast } from '../forecasting/index.js';
import type { OrderSizes } from '../inventory/index.js';
import type { PreparedStatement, Queryable, Transaction } from '../platform/database/database.js';
import { fittingRows, MAX_PAGE_BYTES, type Measured, measuredPage } from '../platform/database/page-room.js';
import type { RunScope } from '../series/index.js';
import { toSignificant } from './significant.js';
import { packBacktest, packNumbers, packOrderSizes, unpackNumbers } from './packing.js';

/** A forecast with the data it was made from. */
export interface ForecastRecord {
  readonly forecast: SeriesForecast;
  readonly uniqueId: string;
  readonly history: DemandHistory;
  /** Sizes of its orders; null if demand is not known by day. */
  readonly orderSizes: OrderSizes | null;
}

/**
 * Inserts the forecasts of a chunk in one statement, omitting series that were deleted while they were computed. Series are looked up by id
 * only: with the workspace as a condition, PostgreSQL reads all of its series until statistics cover a recent upload.
 */
export async function storeForecasts(
  tx: Transaction,
  scope: RunScope,
  records: readonly ForecastRecord[],
): Promise<void> {
  if (records.length === 0) return;
  const column = <T>(value: (record: ForecastRecord) => T): T[] => records.map(value);
  const accuracies = column((record) => finishAccuracy(seriesAccuracy(record.forecast.backtest)));
  await tx.execute(
    `INSERT INTO forecasts (run_id, organization_id, workspace_id, series_id, unique_id, model, pattern, first_month, horizon, mean, quantiles, backtest, history_start, history, order_sizes,
       wape, mase, rmsse, bias, mean_weighted_quantile_loss, coverage, skill, backtest_months)
     SELECT $1, $2, $3, forecast.*
     FROM unnest($4::uuid[], $5::text[], $6::text[], $7::text[], $8::int[], $9::smallint[], $10::bytea[], $11::bytea[], $12::bytea[], $13::int[], $14::bytea[], $15::bytea[],
         $16::float8[], $17::float8[], $18::float8[], $19::float8[], $20::float8[], $21::float8[], $22::float8[], $23::int[])
       AS forecast (series_id)
     JOIN series ON series.id = forecast.series_id AND series.organization_id = $2
     FOR KEY SHARE OF series`,
    [
      scope.runId,
      scope.organizationId,
      scope.workspaceId,
      column((record) => record.forecast.id),
      column((record) => record.uniqueId),
      column((record) => record.forecast.model),
      column((record) => record.forecast.pattern),
      column((record) => record.forecast.firstMonth),
      column((record) => record.forecast.mean.length),
      column((record) => packNumbers(rounded(record.forecast.mean))),
      column((record) => packNumbers(rounded(record.forecast.quantiles))),
      column((record) => packBacktest(record.forecast.backtest)),
      column((record) => record.history.startMonth),
      column((record) => packNumbers(record.history.values)),
      column(({ orderSizes }) => orderSizes && packOrderSizes(orderSizes)),
      accuracies.map(({ wape }) => wape),
      accuracies.map(({ mase }) => mase),
      accuracies.map(({ rmsse }) => rmsse),
      accuracies.map(({ bias }) => bias),
      accuracies.map(({ meanWeightedQuantileLoss }) => meanWeightedQuantileLoss),
      accuracies.map(({ coverage }) => coverage),
      accuracies.map(({ skill }) => skill),
      accuracies.map(({ months }) => months),
    ],
  );
}

/** Values rounded as in responses. Rounding is monotonic, so quantiles remain in order. */
function rounded(values: Float64Array): Float64Array {
  return values.map(toSignificant);
}

/** A stored forecast with the descriptive fields of its series. */
export interface StoredForecast {
  readonly seriesId: string;
  readonly uniqueId: string;
  readonly productName: string | null;
  readonly category: string | null;
  readonly unit: string | null;
  readonly model: string;
  readonly firstMonth: number;
  readonly horizon: number;
  /** `horizon` rows of q10, q50 and q90. */
  readonly bands: Float64Array;
  /** Length `horizon`. */
  readonly mean: Float64Array;
}

export interface DescribedForecast extends StoredForecast {
  /** The series' metadata as JSON text, passed through unchanged. */
  readonly metadata: string;
}

export interface ForecastSelection {
  /** Only series at or after this unique_id, in byte order. */
  readonly fromUniqueId?: string | undefined;
  /** Only this series. */
  readonly seriesId?: string | undefined;
  /** Only series of this category, as it is now. */
  readonly category?: string | undefined;
  /** Only series that forecast at least one month in this range of month numbers, inclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly limit: number;
}

const COLUMNS = `f.series_id AS "seriesId", f.unique_id AS "uniqueId", s.product_name AS "productName", s.category, s.unit,
          f.model, f.first_month AS "firstMonth", f.horizon, f.bands, f.mean`;

const selectForecasts = (columns: string, condition = ''): string =>
  `SELECT ${columns}
     FROM forecasts f JOIN series s ON s.id = f.series_id AND s.organization_id = f.organization_id
    WHERE f.organization_id = $1 AND f.run_id = $2 AND f.unique_id >= $3
      AND ($4::int IS NULL OR f.first_month + f.horizon > $4)
      AND ($5::int IS NULL OR f.first_month <= $5)
      ${condition}
    ORDER BY f.unique_id LIMIT $6`;

/** A statement in two forms: for all series, and for one or those of a category. */
interface Reading {
  readonly all: PreparedStatement;
  /** Not a prepared statement: what it selects decides which index it needs. */
  readonly some: string;
}

const reading = (name: string, columns: string, wrapped = (page: string): string => page): Reading => ({
  all: { name, text: wrapped(selectForecasts(columns)) },
  some: wrapped(
    selectForecasts(columns, 'AND ($7::uuid IS NULL OR f.series_id = $7) AND ($8::text IS NULL OR s.category = $8)'),
  ),
});

const PLAIN = reading('read-forecasts', COLUMNS);
/**
 * Metadata is null if it exceeds its share of a page's size: if all are below, the page has room for all. {@link MEASURED} on its own would
 * slow down every page by a fifth.
 */
const LIGHT = reading(
  'read-light-forecasts',
  `${COLUMNS}, CASE WHEN octet_length(s.metadata::text) <= ${MAX_PAGE_BYTES} / $6 THEN s.metadata::text END AS metadata`,
);
const MEASURED = reading(
  'read-measured-forecasts',
  `${COLUMNS}, s.metadata::text AS metadata`,
  (page) => `SELECT * FROM ${measuredPage(page, 'octet_length(metadata)')} AS page WHERE fits`,
);

/** Forecasts of a run ordered by unique_id. */
export const readForecasts = (
  db: Queryable,
  scope: RunScope,
  selection: ForecastSelection,
): Promise<StoredForecast[]> => read(db, PLAIN, scope, selection);

/** {@link readForecasts} with metadata, up to 100,000 characters each; undefined if it does not fit on a page. */
export async function readDescribedForecasts(
  db: Queryable,
  scope: RunScope,
  selection: ForecastSelection,
): Promise<readonly (DescribedForecast | undefined)[]> {
  const light = await read<StoredForecast & { metadata: string | null }>(db, LIGHT, scope, selection);
  if (light.every((forecast): forecast is DescribedForecast => forecast.metadata !== null)) return light;
  return fittingRows(await read<DescribedForecast & Measured>(db, MEASURED, scope, selection));
}

async function read<Forecast extends StoredForecast>(
  db: Queryable,
  { all, some }: Reading,
  scope: RunScope,
  selection: ForecastSelection,
): Promise<Forecast[]> {
  const { seriesId, category } = selection;
  const isNarrowed = seriesId !== undefined || category !== undefined;
  const rows = await db.query<Omit<Forecast, 'bands' | 'mean'> & { bands: Buffer; mean: Buffer }>(
    isNarrowed ? some : all,
    [
      scope.organizationId,
      scope.runId,
      selection.fromUniqueId ?? '',
      selection.from ?? null,
      selection.to ?? null,
      selection.limit,
      ...(isNarrowed ? [seriesId ?? null, category ?? null] : []),
    ],
  );
  return rows.map((row) => ({ ...row, bands: unpackNumbers(row.bands), mean: unpackNumbers(row.mean) }) as Forecast);
}
