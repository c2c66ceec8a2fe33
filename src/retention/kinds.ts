import { latestRun, RECENT_SHIFT_MONTHS } from '../runs/index.js';

/** A table whose rows are deleted when due. */
export interface Kind {
  readonly table: string;
  /** SQL condition for the rows of an organization ($1) that are due at the cutoff ($2; null: all), for the table alias `t`. */
  readonly due: string;
  /** SQL condition that at the time $3 no run kept a due row any more; by default, runs keep none. */
  readonly freeSince?: string;
  /** Rows deleted per transaction, to keep it short. */
  readonly batch: number;
}

const latestOfWorkspace = (column: string, condition = ''): string =>
  latestRun(`runs.${column}`, `runs.organization_id = $1 AND runs.workspace_id = t.workspace_id${condition}`);
const LATEST_THEN = ' AND runs.finished_at <= $3';

/**
 * The month in which an alert `t` was reported (12 * year + month - 1), in the time zone furthest ahead: a month that was over by then
 * does not count as later.
 */
const REPORTED = `(SELECT 12 * extract(year FROM reported) + extract(month FROM reported) - 1
  FROM (SELECT t.created_at AT TIME ZONE 'UTC' + interval '14 hours' AS reported) AS furthest_ahead)`;

/** Whether the month of the latest run is so much later than an alert `t` that runs no longer report it, whenever its series ended. */
const isOutdated = (condition = ''): string =>
  `coalesce((${latestOfWorkspace('last_month', condition)}) >= ${REPORTED} + ${RECENT_SHIFT_MONTHS}, false)`;

const ALL = '$2::timestamptz IS NULL';
const OF_WORKSPACES = 't.workspace_id IN (SELECT id FROM workspaces WHERE organization_id = $1)';

/**
 * What an organization's retention covers: results, and records of finished work. Demand and series belong to the customer and
 * stay, since forecasts need their history; counters and meter events stay as billing records.
 */
export const EXPIRING: readonly Kind[] = [
  {
    table: 'runs',
    // the latest run of a workspace is its current forecast
    due: `t.finished_at < $2 AND (t.status <> 'completed' OR t.id <> (${latestOfWorkspace('id')}))`,
    freeSince: `t.status <> 'completed' OR t.id <> (${latestOfWorkspace('id', LATEST_THEN)})`,
    batch: 20,
  },
  {
    table: 'alerts',
    // until its series has a later month, the next run would find the same alert again and report it as new. A series that has ended, or
    // that another has replaced, never has one
    due: `t.created_at < $2 AND (EXISTS (
      SELECT FROM series_trends trend WHERE trend.series_id = t.series_id AND trend.month >= ${REPORTED}) OR ${isOutdated()})`,
    // a run since then may have been the first that found the later month, unless an earlier one forecast the series from there
    freeSince: `NOT EXISTS (SELECT FROM runs WHERE runs.organization_id = $1 AND runs.workspace_id = t.workspace_id
        AND runs.status = 'completed' AND runs.finished_at > $3)
      OR EXISTS (SELECT FROM forecasts JOIN runs ON runs.id = forecasts.run_id
        WHERE forecasts.organization_id = $1 AND forecasts.series_id = t.series_id AND forecasts.first_month > ${REPORTED}
        AND runs.organization_id = $1 AND runs.status = 'completed' AND runs.finished_at <= $3)
      OR ${isOutdated(LATEST_THEN)}`,
    batch: 1_000,
  },
  { table: 'trend_changes', due: 't.changed_at < $2', batch: 1_000 },
  { table: 'imports', due: `${OF_WORKSPACES} AND t.finished_at < $2`, batch: 1_000 },
  { table: 'connector_syncs', due: `${OF_WORKSPACES} AND t.finished_at < $2`, batch: 1_000 },
  { table: 'overrides', due: `${OF_WORKSPACES} AND least(t.ended_at, t.expires_at) < $2`, batch: 1_000 },
];

/**
 * Large tables of a deleted organization; everything else is deleted with its row. Demand, trends and overrides are deleted with
 * series, orders with connectors.
 */
export const OF_ORGANIZATION: readonly Kind[] = [
  { table: 'runs', due: ALL, batch: 20 },
  { table: 'alerts', due: ALL, batch: 1_000 },
  { table: 'trend_changes', due: ALL, batch: 1_000 },
  { table: 'imports', due: `${ALL} AND ${OF_WORKSPACES}`, batch: 100 },
  { table: 'connectors', due: `${ALL} AND ${OF_WORKSPACES}`, batch: 1 },
  { table: 'series', due: `${ALL} AND ${OF_WORKSPACES}`, batch: 500 },
];

/** Number of forecasts deleted per transaction after their run. */
export const FORECAST_BATCH = 2_000;
