import {
  type EntitySet,
  optional,
  required,
  SERIES_PROPERTIES,
  seriesColumns,
  TO_RUN,
  TO_SERIES,
  TO_WORKSPACE,
} from './entity-set.js';

export const ALERTS: EntitySet = {
  name: 'Alerts',
  entityType: 'Alert',
  key: ['id'],
  properties: [
    required.guid('id'),
    required.guid('workspace_id'),
    required.guid('series_id'),
    ...SERIES_PROPERTIES,
    required.string('kind'),
    required.string('severity'),
    required.string('message', { longest: 1_000 }),
    required.double('change_percent'),
    required.date('period'),
    required.guid('run_id'),
    required.instant('created_at'),
    optional.instant('read_at'),
  ],
  // retention may delete a run before its alerts
  navigations: [TO_WORKSPACE, TO_SERIES, { ...TO_RUN, nullable: true }],
  source: `SELECT a.id, a.workspace_id, a.series_id, ${seriesColumns()}, a.kind COLLATE "C" AS kind,
            a.severity COLLATE "C" AS severity, a.message COLLATE "C" AS message, a.change_percent, a.period, a.run_id,
            a.created_at, a.read_at
       FROM alerts a JOIN series s ON s.id = a.series_id
      WHERE a.organization_id = $1 AND ($2::uuid IS NULL OR a.workspace_id = $2)`,
};
