import { BILLED, latestOfWorkspacesAt } from '../../runs/index.js';
import { ACCURACY, type EntitySet, optional, required, TO_WORKSPACE } from './entity-set.js';
import { AS_OF } from './reading.queries.js';

/**
 * Whether a run is the latest of its workspace, as of the first page. Compares with a list of the latest runs: a check per run would
 * read every run ever made.
 */
export const isLatest = (runId: string): string =>
  `${runId} = ANY (ARRAY(SELECT latest.id FROM ${latestOfWorkspacesAt(AS_OF)})) AS is_latest`;

const number = (name: string): string => `(r.metrics->>'${name}')::float8 AS ${name}`;
const count = (name: string): string => `(r.metrics->>'${name}')::int AS ${name}`;

export const RUNS: EntitySet = {
  name: 'Runs',
  entityType: 'Run',
  key: ['id'],
  properties: [
    required.guid('id'),
    required.guid('workspace_id'),
    required.string('status'),
    required.string('trigger'),
    required.boolean('is_latest'),
    required.int32('horizon'),
    required.int32('series_total'),
    required.int32('series_done'),
    optional.string('billed'),
    ...ACCURACY.map((name) => optional.double(name)),
    optional.int32('backtest_months'),
    optional.int32('series_forecast'),
    optional.double('duration_seconds'),
    optional.string('error_code'),
    optional.string('error_message', { longest: 1_000 }),
    required.instant('created_at'),
    optional.instant('started_at'),
    optional.instant('finished_at'),
  ],
  navigations: [TO_WORKSPACE],
  source: `SELECT r.id, r.workspace_id, r.status COLLATE "C" AS status, r.trigger COLLATE "C" AS trigger,
            ${isLatest('r.id')}, (r.config->>'horizon')::int AS horizon,
            r.series_total, r.series_done, (${BILLED}) COLLATE "C" AS billed,
            ${ACCURACY.map(number).join(', ')},
            ${['backtest_months', 'series_forecast'].map(count).join(', ')}, ${number('duration_seconds')},
            r.error_code COLLATE "C" AS error_code, r.error_message COLLATE "C" AS error_message,
            r.created_at, r.started_at, r.finished_at
       FROM runs r
      WHERE r.organization_id = $1 AND ($2::uuid IS NULL OR r.workspace_id = $2)`,
};
