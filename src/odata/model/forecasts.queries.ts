import { inForce } from '../../series/index.js';
import {
  type EntitySet,
  required,
  SERIES_PROPERTIES,
  seriesColumns,
  TO_RUN,
  TO_SERIES,
  TO_WORKSPACE,
} from './entity-set.js';
import { isLatest } from './runs.queries.js';

/** First day of the month of a forecast's `step`; months are numbered 12 * year + month - 1. */
const monthOf = (step: string): string =>
  `make_date((f.first_month + ${step}) / 12, (f.first_month + ${step}) % 12 + 1, 1)`;

/** A number to twelve digits of `size`, with 0 to 22 decimals, as numeric/decimals.ts rounds it. */
const rounded = (number: string, size: string): string =>
  `round((${number})::numeric, greatest(0, 11 - floor(log(greatest(${size}, 1e-11)))::int))::float8`;

const MEDIAN = 'f.band_values[month.at + 1]';
const RAISED = `${MEDIAN} * (1 + value / 100)`;

/**
 * The median at index `month.at` with the override in force (series/overrides/override.ts): there is at most one, since a new one ends the
 * previous one.
 */
const FINAL = `
  coalesce((SELECT greatest(0, CASE kind WHEN 'absolute' THEN value
                                         WHEN 'delta' THEN ${rounded(`${MEDIAN} + value`, `greatest(${MEDIAN}, abs(value))`)}
                                         ELSE ${rounded(RAISED, `abs(${RAISED})`)} END)
              FROM overrides
             WHERE overrides.organization_id = f.organization_id AND overrides.series_id = f.series_id
               AND overrides.month = ${monthOf('month.at / 3')} AND ${inForce('now()')}
             LIMIT 1), ${MEDIAN})`;

/** What all months of a forecast share. */
const SHARED = `f.run_id, ${isLatest('f.run_id')}, f.series_id, f.workspace_id, ${seriesColumns('f.unique_id')},
            f.model COLLATE "C" AS model`;
const OF_CALLER = `f.organization_id = $1 AND ($2::uuid IS NULL OR f.workspace_id = $2)`;

/** Forecasts of completed runs, one row per run, series and month. */
export const FORECASTS: EntitySet = {
  name: 'Forecasts',
  entityType: 'Forecast',
  key: ['run_id', 'series_id', 'ds'],
  properties: [
    required.guid('run_id'),
    required.guid('series_id'),
    required.date('ds', { within: ['first_ds', 'last_ds'], unpacked: true }),
    required.guid('workspace_id'),
    ...SERIES_PROPERTIES,
    required.string('model'),
    required.double('q10', { unpacked: true }),
    required.double('q50', { unpacked: true }),
    required.double('q90', { unpacked: true }),
    required.double('final', { unpacked: true }),
    required.double('mean', { unpacked: true }),
  ],
  navigations: [TO_WORKSPACE, TO_SERIES, { ...TO_RUN, carries: ['is_latest'] }],
  // the planner estimates a thousand steps for each row, so it reads pages in the order of the index, where few rows are enough, and sorts
  // no run of 50,000 series for each page. For the same reason runs are looked up, once each because of LIMIT, and do not come first
  source: `SELECT ${SHARED}, ${monthOf('month.at / 3')} AS ds, f.band_values[month.at] AS q10, ${MEDIAN} AS q50,
            f.band_values[month.at + 2] AS q90, ${FINAL} AS final,
            packed_double(f.mean, 8 * (month.at / 3)) AS mean,
            ${monthOf('0')} AS first_ds, ${monthOf('f.horizon - 1')} AS last_ds
       FROM forecasts f
       JOIN LATERAL (SELECT FROM runs r WHERE r.id = f.run_id AND r.status = 'completed' LIMIT 1) AS run ON true
       JOIN series s ON s.id = f.series_id
       CROSS JOIN LATERAL generate_series(1, 3 * f.horizon, 3) AS month (at)
      WHERE ${OF_CALLER}`,
  // the horizon is that of the run, since no index has that of the forecast; a series that no condition names is not looked up
  packed: `SELECT ${SHARED}, run.horizon AS size
       FROM forecasts f
       JOIN LATERAL (SELECT (r.config->>'horizon')::int AS horizon FROM runs r
                      WHERE r.id = f.run_id AND r.status = 'completed' LIMIT 1) AS run ON true
       LEFT JOIN series s ON s.id = f.series_id
      WHERE ${OF_CALLER}`,
};
