import type { StoredModel } from '../forecasting/index.js';
import type { ErrorPool } from '../inventory/index.js';
import { one, oneOrNone, type Queryable, type Transaction } from '../platform/database/database.js';
import { fittingRows, type Measured, measuredPage } from '../platform/database/page-room.js';
import type { Tenant } from '../platform/database/scope.js';
import type { ListOrder, Slice } from '../platform/http/pagination.js';
import type { RunScope } from '../series/index.js';
import type { Billed } from '../usage/index.js';
import type { RunDto, RunStatus, RunTrigger } from './dto/run.dto.js';
import { isFinished } from './run.js';
import type { RunConfig } from './run-config.js';

/** What a run counts against: null if the charge was refunded (./end). */
export const BILLED = `CASE WHEN status = 'failed' OR (status = 'canceled' AND started_at IS NULL) THEN NULL ELSE billed END`;

/** A {@link RunDto}. */
export const RUN_COLUMNS = `id, status, workspace_id, trigger,
  json_build_object('series_total', series_total, 'series_done', series_done) AS progress, config, metrics,
  CASE WHEN error_code IS NOT NULL THEN json_build_object('code', error_code, 'message', coalesce(error_message, '')) END AS error,
  ${BILLED} AS billed, created_at, started_at, finished_at`;

export interface NewRun {
  readonly id: string;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly trigger: RunTrigger;
  readonly config: RunConfig;
  readonly billed: Billed;
  readonly createdAt: Date;
  readonly demandVersion: number;
}

export function insertRun(tx: Transaction, run: NewRun): Promise<RunDto> {
  return one<RunDto>(
    tx,
    `INSERT INTO runs (id, organization_id, workspace_id, status, trigger, config, billed, created_at, demand_version)
     VALUES ($1, $2, $3, 'queued', $4, $5, $6, $7, $8) RETURNING ${RUN_COLUMNS}`,
    [
      run.id,
      run.organizationId,
      run.workspaceId,
      run.trigger,
      JSON.stringify(run.config),
      run.billed,
      run.createdAt,
      run.demandVersion,
    ],
  );
}

/** SQL condition for the run $1 of the organization $2, within the workspace $3 unless that is null. */
export const OF_SCOPE = `id = $1 AND organization_id = $2 AND ($3::uuid IS NULL OR workspace_id = $3)`;

/** Prepared, since clients poll it. */
const FIND_RUN = {
  name: 'find-run',
  text: `SELECT ${RUN_COLUMNS} FROM runs WHERE ${OF_SCOPE}`,
};

export function findRun(db: Queryable, scope: Tenant, runId: string): Promise<RunDto | undefined> {
  return oneOrNone<RunDto>(db, FIND_RUN, [runId, scope.organizationId, scope.workspaceId]);
}

/** Backtest errors of all series of a completed run. */
export const readErrorPool = (db: Queryable, run: RunScope) => readColumn<ErrorPool>(db, run, 'error_pool');

/** The pooled model that a completed run used for its forecasts; those of its backtest are not kept. */
export const readPooledModel = (db: Queryable, run: RunScope) => readColumn<StoredModel>(db, run, 'pooled');

/** The version of the workspace's demand with which the run began; 0 for runs of releases that did not count versions. */
export async function readDemandVersion(db: Queryable, run: RunScope): Promise<number> {
  return (await readColumn<number>(db, run, 'demand_version')) ?? 0;
}

async function readColumn<Value>(db: Queryable, run: RunScope, column: string): Promise<Value | undefined> {
  const row = await oneOrNone<{ value: Value | null }>(db, `SELECT ${column} AS value FROM runs WHERE ${OF_SCOPE}`, [
    run.runId,
    run.organizationId,
    run.workspaceId,
  ]);
  return row?.value ?? undefined;
}

export interface RunFilter {
  readonly status: RunStatus | undefined;
  /** Only runs that finished strictly after this instant. */
  readonly finishedAfter: Date | undefined;
}

/** The column to list runs by: finish time if only finished ones are listed, as a polling trigger needs, else creation time. */
const keyOf = ({ status, finishedAfter }: RunFilter) =>
  finishedAfter !== undefined || (status !== undefined && isFinished(status)) ? 'finished_at' : 'created_at';

export function runOrder(filter: RunFilter): ListOrder<RunDto> {
  const key = keyOf(filter);
  return {
    list: `runs by ${key}`,
    parts: ['instant', 'id'],
    positionOf: (run) => [(run[key] ?? run.created_at).toISOString(), run.id],
  };
}

/** Runs in their {@link runOrder}, newest first. Undefined stands for runs that do not fit on the page: each may name 10,000 series. */
export async function listRuns(
  db: Queryable,
  scope: Tenant,
  filter: RunFilter & Slice,
): Promise<readonly (RunDto | undefined)[]> {
  const key = keyOf(filter);
  const [time, id] = filter.after ?? [];
  const page = `SELECT * FROM runs
      WHERE organization_id = $1 AND ($2::uuid IS NULL OR workspace_id = $2)
        AND ($3::text IS NULL OR status = $3)
        AND ($4::timestamptz IS NULL OR finished_at > $4)
        AND ($5::timestamptz IS NULL OR (${key}, id) < ($5, $6::uuid))
      ORDER BY ${key} ${directionOf(key, scope)}, id DESC LIMIT $7`;
  const rows = await db.query<RunDto & Measured>(
    `SELECT ${RUN_COLUMNS}, fetched FROM ${measuredPage(page, 'octet_length(config::text)')} AS runs WHERE fits`,
    [
      scope.organizationId,
      scope.workspaceId,
      filter.status ?? null,
      filter.finishedAfter ?? null,
      time ?? null,
      id ?? null,
      filter.limit,
    ],
  );
  return fittingRows(rows);
}

/** The direction of the index that serves the list: `runs_recent` sorts unfinished runs last, even though this list contains none. */
function directionOf(key: 'created_at' | 'finished_at', { workspaceId }: Tenant): string {
  return key === 'finished_at' && workspaceId === null ? 'DESC NULLS LAST' : 'DESC';
}
