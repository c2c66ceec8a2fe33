import type { PlanName } from '../../../config/plans.js';
import { one, oneOrNone, type Queryable, type Transaction } from '../../platform/database/database.js';
import { isOver } from '../../platform/database/is-over.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { codeOf } from '../../platform/faults.js';
import type { ConfigOverridesDto } from '../dto/start-run.dto.js';
import type { HistoryEnd } from '../../series/index.js';
import type { RunConfig } from '../run-config.js';
import type { RunScheduleDto, ScheduleFaultDto } from './schedule.dto.js';

const COLUMNS = `workspace_id, day, hour, time_zone, config_overrides, next_run_at, last_fired_at, last_run_id, last_error, updated_at, updated_by`;

/**
 * SQL for the first instant after another (by default, now) at which the local time in the zone is the given day and hour. In a
 * month without that day it is the last one. On clock changes, PostgreSQL's interpretation of local times applies: an hour that is
 * skipped comes an hour later, one that occurs twice counts the second time.
 */
export const nextFiring = (day: string, hour: string, zone: string, after = 'clock_timestamp()'): string => `(
  SELECT min(firing) FROM (
    SELECT (month + make_interval(
        days => least(${day}, extract(day FROM month + interval '1 month - 1 day')::int) - 1, hours => ${hour}
      )) AT TIME ZONE ${zone} AS firing
    FROM generate_series(0, 2) AS ahead
    CROSS JOIN LATERAL (
      SELECT date_trunc('month', ${after} AT TIME ZONE ${zone}) + make_interval(months => ahead) AS month
    ) AS months
  ) AS firings
  WHERE firing > ${after}
)`;

export function findSchedule(db: Queryable, tenant: WorkspaceTenant): Promise<RunScheduleDto | undefined> {
  return oneOrNone<RunScheduleDto>(
    db,
    `SELECT ${COLUMNS} FROM run_schedules WHERE organization_id = $1 AND workspace_id = $2`,
    [tenant.organizationId, tenant.workspaceId],
  );
}

/** The database's own spelling of a time zone; undefined if it does not know the name. */
export async function findTimeZone(db: Queryable, name: string): Promise<string | undefined> {
  const row = await oneOrNone<{ name: string }>(
    db,
    `SELECT name FROM pg_timezone_names WHERE lower(name) = lower($1) LIMIT 1`,
    [name],
  );
  return row?.name;
}

export interface NewSchedule {
  readonly day: number;
  readonly hour: number;
  readonly timeZone: string;
  readonly configOverrides: ConfigOverridesDto;
  readonly updatedBy: string;
}

/** Sets the schedule of a workspace; the record of its last firing is kept. */
export function putSchedule(db: Queryable, tenant: WorkspaceTenant, schedule: NewSchedule): Promise<RunScheduleDto> {
  return one<RunScheduleDto>(
    db,
    `INSERT INTO run_schedules
       (organization_id, workspace_id, day, hour, time_zone, config_overrides, next_run_at, updated_at, updated_by)
     VALUES ($1, $2, $3::smallint, $4::smallint, $5, $6, ${nextFiring('$3::smallint', '$4::smallint', '$5')}, clock_timestamp(), $7)
     ON CONFLICT (workspace_id) DO UPDATE
       SET day = excluded.day, hour = excluded.hour, time_zone = excluded.time_zone,
           config_overrides = excluded.config_overrides, next_run_at = excluded.next_run_at, failures = 0,
           updated_at = excluded.updated_at, updated_by = excluded.updated_by
     RETURNING ${COLUMNS}`,
    [
      tenant.organizationId,
      tenant.workspaceId,
      schedule.day,
      schedule.hour,
      schedule.timeZone,
      JSON.stringify(schedule.configOverrides),
      schedule.updatedBy,
    ],
  );
}

/** @returns whether there was one */
export async function deleteSchedule(db: Queryable, tenant: WorkspaceTenant): Promise<boolean> {
  const deleted = await db.execute('DELETE FROM run_schedules WHERE organization_id = $1 AND workspace_id = $2', [
    tenant.organizationId,
    tenant.workspaceId,
  ]);
  return deleted === 1;
}

/** Why an organization's schedules start no runs. */
export type ClosedReason = 'organization_suspended' | 'deletion_requested';

/** A firing that only this transaction may carry out. */
export interface Firing extends WorkspaceTenant {
  readonly plan: PlanName;
  readonly closed: ClosedReason | null;
  readonly timeZone: string;
  readonly configOverrides: ConfigOverridesDto;
}

const IS_DUE = isOver('next_run_at', `interval '1 month'`);

/**
 * Takes a due firing of any workspace, in the transaction that starts the run: only one process gets it, and if that process dies
 * it is due again. It stays due until {@link advanceSchedule} or {@link postpone}. Months that passed while no process was running count as
 * one firing. The workspace is also locked against deletion, since the run will reference it.
 */
export function takeFiring(tx: Transaction): Promise<Firing | undefined> {
  return oneOrNone<Firing>(
    tx,
    `SELECT schedule.organization_id AS "organizationId", schedule.workspace_id AS "workspaceId", organization.plan,
            schedule.time_zone AS "timeZone", schedule.config_overrides AS "configOverrides",
            CASE WHEN organization.suspended_at IS NOT NULL THEN 'organization_suspended'
                 WHEN organization.delete_after IS NOT NULL THEN 'deletion_requested' END AS closed
       FROM run_schedules AS schedule JOIN organizations AS organization ON organization.id = schedule.organization_id
            JOIN workspaces AS workspace ON workspace.id = schedule.workspace_id
      WHERE ${IS_DUE}
      ORDER BY schedule.next_run_at LIMIT 1
        FOR KEY SHARE OF workspace SKIP LOCKED FOR UPDATE OF schedule SKIP LOCKED`,
  );
}

/** The database no longer knows the schedule's time zone: the zone was removed, or the database was replaced. */
export class UnknownTimeZoneError extends Error {
  override readonly name = 'UnknownTimeZoneError';

  constructor(readonly timeZone: string) {
    super(`the database knows no time zone ${timeZone}`);
  }
}

/** SQLSTATE of an unknown time zone. */
const INVALID_PARAMETER_VALUE = '22023';

/** The next firing must come after this: now or, if the clock has been set back, the time of this firing. */
const FIRED = `CASE WHEN ${IS_DUE} THEN clock_timestamp() ELSE next_run_at END`;

/** Advances the schedule of a firing to the next month. @throws {UnknownTimeZoneError} */
export async function advanceSchedule(tx: Transaction, firing: Firing): Promise<void> {
  try {
    await tx.execute(
      `UPDATE run_schedules
          SET next_run_at = ${nextFiring('day', 'hour', 'time_zone', FIRED)}, last_fired_at = clock_timestamp(), failures = 0
        WHERE organization_id = $1 AND workspace_id = $2`,
      [firing.organizationId, firing.workspaceId],
    );
  } catch (error) {
    throw codeOf(error) === INVALID_PARAMETER_VALUE ? new UnknownTimeZoneError(firing.timeZone) : error;
  }
}

/** Postpones a failed firing: by a minute at first, doubling each time, up to an hour. */
export async function postpone(tx: Transaction, tenant: WorkspaceTenant, fault: ScheduleFaultDto): Promise<void> {
  await tx.execute(
    `UPDATE run_schedules
        SET next_run_at = clock_timestamp() + make_interval(mins => least(60, 2 ^ failures)::int), failures = least(failures + 1, 6),
            last_fired_at = clock_timestamp(), last_error = $3
      WHERE organization_id = $1 AND workspace_id = $2`,
    [tenant.organizationId, tenant.workspaceId, JSON.stringify(fault)],
  );
}

/** Code of a firing that started no run since the last one still holds. */
export const NO_NEW_DEMAND = 'no_new_demand';

/** A run that still holds if histories end where they did. */
export interface UnchangedRun extends HistoryEnd {
  readonly runId: string;
  readonly createdAt: Date;
  /** The name of its workspace. */
  readonly workspace: string;
  /** Whether the last firing, too, started none because of it. */
  readonly reported: boolean;
}

/**
 * The completed run that the schedule started last, if the configuration, the demand and the series are as they were. None while an upload
 * holds the workspace, since what it is about to commit may be new.
 * @param config that of the run to start
 */
export function findUnchangedRun(
  tx: Transaction,
  { organizationId, workspaceId }: WorkspaceTenant,
  config: RunConfig,
): Promise<UnchangedRun | undefined> {
  return oneOrNone<UnchangedRun>(
    tx,
    `SELECT run.id AS "runId", run.created_at AS "createdAt", workspace.name AS workspace,
            run.last_month AS "lastMonth", run.incomplete_month AS "incompleteMonth",
            coalesce(schedule.last_error ->> 'code' = $4, false) AS reported
       FROM run_schedules AS schedule JOIN runs AS run ON run.id = schedule.last_run_id
            JOIN workspaces AS workspace ON workspace.id = schedule.workspace_id
      WHERE schedule.organization_id = $1 AND schedule.workspace_id = $2 AND run.status = 'completed'
        AND run.config::jsonb = $3::jsonb AND run.demand_version = workspace.demand_version
        FOR NO KEY UPDATE OF workspace SKIP LOCKED`,
    [organizationId, workspaceId, JSON.stringify(config), NO_NEW_DEMAND],
  );
}

/** Result of a firing. */
export interface FiringOutcome {
  /** The run that it started. */
  readonly runId: string | null;
  /** Why it started none. */
  readonly fault: ScheduleFaultDto | null;
}

export async function recordFiring(tx: Transaction, tenant: WorkspaceTenant, outcome: FiringOutcome): Promise<void> {
  await tx.execute(
    `UPDATE run_schedules SET last_run_id = coalesce($3, last_run_id), last_error = $4 WHERE organization_id = $1 AND workspace_id = $2`,
    [tenant.organizationId, tenant.workspaceId, outcome.runId, outcome.fault && JSON.stringify(outcome.fault)],
  );
}
