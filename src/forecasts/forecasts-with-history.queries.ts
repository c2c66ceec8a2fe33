import type { MonthNumber } from '../forecasting/index.js';
import type { Queryable } from '../platform/database/database.js';
import type { RunScope } from '../series/index.js';
import { unpackNumbers } from './packing.js';

/** A forecast with the demand it was made from, for comparison with the demand that followed. */
export interface ForecastWithHistory {
  readonly seriesId: string;
  readonly uniqueId: string;
  readonly firstMonth: MonthNumber;
  readonly mean: Float64Array;
  /** `horizon` rows of nine quantiles. */
  readonly quantiles: Float64Array;
  /** Demand per month up to the one before `firstMonth`, NaN where missing. */
  readonly history: Float64Array;
}

type Packed = 'mean' | 'quantiles' | 'history';

/**
 * Forecasts of a run by unique_id, without their backtests, which are as large as all the rest.
 * @param selection those after a unique_id (all, if it is empty) whose first month is not after `to`; of one series only if `seriesId` is
 * given
 */
export async function readForecastsWithHistory(
  db: Queryable,
  scope: RunScope,
  selection: {
    readonly after: string;
    readonly to: MonthNumber;
    readonly seriesId: string | undefined;
    readonly limit: number;
  },
): Promise<ForecastWithHistory[]> {
  const rows = await db.query<Omit<ForecastWithHistory, Packed> & Readonly<Record<Packed, Buffer>>>(
    `SELECT series_id AS "seriesId", unique_id AS "uniqueId", first_month AS "firstMonth", mean, quantiles, history
       FROM forecasts
      WHERE organization_id = $1 AND run_id = $2 AND unique_id > $3 AND first_month <= $4
        AND ($5::uuid IS NULL OR series_id = $5)
      ORDER BY unique_id LIMIT $6`,
    [scope.organizationId, scope.runId, selection.after, selection.to, selection.seriesId ?? null, selection.limit],
  );
  return rows.map(({ mean, quantiles, history, ...row }) => ({
    ...row,
    mean: unpackNumbers(mean),
    quantiles: unpackNumbers(quantiles),
    history: unpackNumbers(history),
  }));
}
