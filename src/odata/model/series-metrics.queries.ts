import {
  ACCURACY,
  type EntitySet,
  optional,
  required,
  SERIES_PROPERTIES,
  seriesColumns,
  TO_RUN,
  TO_SERIES,
  TO_WORKSPACE,
} from './entity-set.js';
import { isLatest } from './runs.queries.js';

/** Backtest accuracy of completed runs by series, for runs that stored it. */
export const SERIES_METRICS: EntitySet = {
  name: 'SeriesMetrics',
  entityType: 'SeriesMetrics',
  key: ['run_id', 'series_id'],
  properties: [
    required.guid('run_id'),
    required.guid('series_id'),
    required.guid('workspace_id'),
    ...SERIES_PROPERTIES,
    required.string('model'),
    required.string('demand_pattern'),
    ...ACCURACY.map((name) => optional.double(name)),
    required.int32('backtest_months'),
  ],
  navigations: [TO_WORKSPACE, TO_SERIES, { ...TO_RUN, carries: ['is_latest'] }],
  source: `SELECT f.run_id, ${isLatest('f.run_id')}, f.series_id, f.workspace_id, ${seriesColumns('f.unique_id')},
            f.model COLLATE "C" AS model, f.pattern COLLATE "C" AS demand_pattern,
            ${ACCURACY.map((name) => `f.${name}`).join(', ')}, f.backtest_months
       FROM forecasts f
       JOIN runs r ON r.id = f.run_id AND r.status = 'completed'
       JOIN series s ON s.id = f.series_id
      WHERE f.organization_id = $1 AND ($2::uuid IS NULL OR f.workspace_id = $2) AND f.backtest_months IS NOT NULL`,
};
