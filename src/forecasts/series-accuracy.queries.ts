import { type AccuracyMetrics, type DemandPattern, finishAccuracy, seriesAccuracy } from '../forecasting/index.js';
import type { Queryable } from '../platform/database/database.js';
import type { RunScope } from '../series/index.js';
import { unpackBacktest } from './packing.js';

/** A run's backtest accuracy for one series. */
export interface SeriesAccuracy {
  readonly pattern: DemandPattern;
  readonly accuracy: AccuracyMetrics;
}

interface AccuracyRow extends AccuracyMetrics {
  readonly id: string;
  readonly pattern: DemandPattern;
  readonly backtest: Buffer | null;
}

/**
 * The accuracies stored with the forecasts of a run, by series id. Reads the backtest only if an earlier release stored no accuracy: it is
 * larger than all the rest, up to 20 MB for 500 series.
 */
export async function readSeriesAccuracies(
  db: Queryable,
  scope: RunScope,
  seriesIds: readonly string[],
): Promise<ReadonlyMap<string, SeriesAccuracy>> {
  const rows = await db.query<AccuracyRow>(
    `SELECT series_id AS id, pattern, wape, mase, rmsse, bias, mean_weighted_quantile_loss AS "meanWeightedQuantileLoss",
            coverage, skill, backtest_months AS months, CASE WHEN backtest_months IS NULL THEN backtest END AS backtest
       FROM forecasts
      WHERE organization_id = $1 AND run_id = $2 AND series_id = ANY ($3::uuid[])`,
    [scope.organizationId, scope.runId, seriesIds],
  );
  return new Map(
    rows.map(({ id, pattern, backtest, ...stored }) => [
      id,
      { pattern, accuracy: backtest === null ? stored : finishAccuracy(seriesAccuracy(unpackBacktest(backtest))) },
    ]),
  );
}
