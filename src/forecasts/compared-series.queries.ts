import type { Queryable } from '../platform/database/database.js';

/** A series by its id and the identifier it had in the run. */
export interface NamedSeries {
  readonly seriesId: string;
  readonly uniqueId: string;
}

/** The series of two runs, each list by unique_id. */
export interface ComparedSeries {
  /** Forecast by both. */
  readonly common: readonly NamedSeries[];
  /** Forecast by the current run only. */
  readonly added: readonly NamedSeries[];
  /** Forecast by the prior run only. */
  readonly removed: readonly NamedSeries[];
}

export async function compareSeries(
  db: Queryable,
  organizationId: string,
  runs: { readonly current: string; readonly prior: string },
): Promise<ComparedSeries> {
  const rows = await db.query<{ series_id: string; unique_id: string; is_current: boolean; is_prior: boolean }>(
    `SELECT series_id, max(unique_id) AS unique_id, bool_or(run_id = $2) AS is_current, bool_or(run_id = $3) AS is_prior
       FROM forecasts WHERE organization_id = $1 AND run_id IN ($2, $3)
      GROUP BY series_id ORDER BY max(unique_id)`,
    [organizationId, runs.current, runs.prior],
  );
  const named = (keep: (row: (typeof rows)[number]) => boolean): NamedSeries[] =>
    rows.filter(keep).map((row) => ({ seriesId: row.series_id, uniqueId: row.unique_id }));
  return {
    common: named((row) => row.is_current && row.is_prior),
    added: named((row) => !row.is_prior),
    removed: named((row) => !row.is_current),
  };
}
