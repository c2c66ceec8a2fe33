import type { PlanName } from '../../../config/plans.js';
import { oneOrNone, type Queryable, type Transaction } from '../../platform/database/database.js';
import type { Tenant, WorkspaceTenant } from '../../platform/database/scope.js';
import { serialize } from '../../platform/database/serialize.js';
import type { SafetyStockAdvice } from '../../safety-stock/index.js';
import { holdWorkspaceAtOnce, type RunScope } from '../../series/index.js';
import { latestRun } from '../latest-run.queries.js';
import type { ForecastTotalDto } from '../results/totals/forecast-totals.dto.js';
import { STOCK_FORMULA } from './formula.js';

/** SELECT of the latest run of a workspace (`workspaces`) among runs that meet the condition. */
const latestOf = (condition: string): string =>
  latestRun(
    'runs.id, runs.stock_formula, runs.stock_target_version',
    `runs.workspace_id = workspaces.id AND runs.organization_id = workspaces.organization_id AND ${condition}`,
  );
/** FROM and WHERE clauses for the latest run (`latest`) of each of the caller's workspaces ($1, $2) among runs that meet the condition. */
const latestOfWorkspaces = (
  condition: string,
): string => `workspaces CROSS JOIN LATERAL (${latestOf(condition)}) AS latest
  WHERE workspaces.organization_id = $1 AND ($2::uuid IS NULL OR workspaces.id = $2)`;
/** Whether the safety stock of all series of a run is stored with this release's formula. */
const isAdvised = (run: string): string => `${run}.stock_formula IS NOT DISTINCT FROM ${STOCK_FORMULA}`;
/** The same with the targets that the series have now. */
const isAdvisedAnew = (run: string): string =>
  `(${isAdvised(run)} AND ${run}.stock_target_version IS NOT DISTINCT FROM workspaces.stock_target_version)`;

/** The run that planners work with, for each workspace. */
const LATEST_OF_WORKSPACES = latestOfWorkspaces('true');
/** The same at an instant at which some run completed: those that have completed since are later, whenever they were started. */
export const latestOfWorkspacesAt = (instant: string): string => latestOfWorkspaces(`runs.finished_at <= ${instant}`);
/** The same among runs whose safety stock is stored: a later run may have completed since, or targets may have changed. */
export const LATEST_ADVISED_OF_WORKSPACES = latestOfWorkspaces(isAdvised('runs'));

export interface LatestRun {
  readonly id: string;
  readonly workspaceId: string;
  /** Version of the stock targets of the workspace, which are read later: a change in between counts as one. */
  readonly targetVersion: number;
  /** That for which its safety stock is stored; null if it is not. */
  readonly advisedVersion: number | null;
}

/** The latest run of each workspace. */
export function readLatestRuns(db: Queryable, tenant: Tenant): Promise<LatestRun[]> {
  return db.query<LatestRun>(
    `SELECT latest.id, workspaces.id AS "workspaceId", workspaces.stock_target_version AS "targetVersion",
            CASE WHEN ${isAdvised('latest')} THEN latest.stock_target_version END AS "advisedVersion"
       FROM ${LATEST_OF_WORKSPACES} ORDER BY workspaces.id`,
    [tenant.organizationId, tenant.workspaceId],
  );
}

/**
 * Workspaces of all organizations with one of the plans that lack the safety stock of their latest run. In random order, since several
 * workers work through them.
 */
export function listLackingWorkspaces(db: Queryable, plans: readonly PlanName[]): Promise<WorkspaceTenant[]> {
  return db.query<WorkspaceTenant>(
    `SELECT workspaces.organization_id AS "organizationId", workspaces.id AS "workspaceId"
       FROM organizations JOIN workspaces ON workspaces.organization_id = organizations.id
       CROSS JOIN LATERAL (${latestOf('true')}) AS latest
      WHERE organizations.plan = ANY ($1) AND NOT ${isAdvisedAnew('latest')} ORDER BY random()`,
    [plans],
  );
}

export async function readPlan(db: Queryable, organizationId: string): Promise<PlanName | undefined> {
  const row = await oneOrNone<{ plan: PlanName }>(db, `SELECT plan FROM organizations WHERE id = $1`, [organizationId]);
  return row?.plan;
}

export interface SeriesAdvice {
  readonly seriesId: string;
  readonly advice: SafetyStockAdvice;
}

/**
 * Serializes changes to the stored safety stock of a workspace: two transactions would lock its rows in different orders. The
 * workspace is locked first, since its deletion also begins with its row.
 * @throws if the workspace is being deleted; `isLockTimeout` recognizes the error
 */
async function takeTurn(tx: Transaction, run: RunScope): Promise<void> {
  await holdWorkspaceAtOnce(tx, run);
  await serialize(tx, `safety stock ${run.workspaceId}`);
}

/**
 * Stores safety stock for some series of a run, replacing that of an earlier formula or of earlier targets. Series deleted in the
 * meantime are skipped; if the run was deleted, nothing is stored.
 * @param targetVersion version of the workspace's stock targets before they were read
 */
export async function storeSafetyStocks(
  tx: Transaction,
  run: RunScope,
  rows: readonly SeriesAdvice[],
  targetVersion: number,
): Promise<void> {
  await takeTurn(tx, run);
  const column = <T>(value: (row: SeriesAdvice) => T): T[] => rows.map(value);
  await tx.execute(
    `INSERT INTO safety_stocks
       (organization_id, workspace_id, run_id, series_id, safety_stock, reorder_point, lead_time_demand, lead_time_demand_sigma,
        lead_time, lead_time_sd, service_level, method, demand_pattern, warnings, undershoot, stock_target_version)
     SELECT $1, $2, $3, advice.*, $16
       FROM unnest($4::uuid[], $5::float8[], $6::float8[], $7::float8[], $8::float8[], $9::float8[], $10::float8[],
                   $11::float8[], $12::text[], $13::text[], $14::text[], $15::float8[])
         AS advice (series_id)
       JOIN series ON series.id = advice.series_id AND series.organization_id = $1 AND series.workspace_id = $2
       JOIN runs ON runs.id = $3 AND runs.organization_id = $1 AND runs.workspace_id = $2
        FOR KEY SHARE OF series, runs
     ON CONFLICT (series_id, run_id) DO UPDATE
       SET safety_stock = excluded.safety_stock, reorder_point = excluded.reorder_point,
           lead_time_demand = excluded.lead_time_demand, lead_time_demand_sigma = excluded.lead_time_demand_sigma,
           lead_time = excluded.lead_time, lead_time_sd = excluded.lead_time_sd, service_level = excluded.service_level,
           method = excluded.method, demand_pattern = excluded.demand_pattern, warnings = excluded.warnings,
           undershoot = excluded.undershoot, stock_target_version = excluded.stock_target_version
       WHERE safety_stocks.stock_target_version <= excluded.stock_target_version`,
    [
      run.organizationId,
      run.workspaceId,
      run.runId,
      column(({ seriesId }) => seriesId),
      column(({ advice }) => advice.safety_stock),
      column(({ advice }) => advice.reorder_point),
      column(({ advice }) => advice.lead_time_demand),
      column(({ advice }) => advice.lead_time_demand_sigma),
      column(({ advice }) => advice.lead_time),
      column(({ advice }) => advice.lead_time_sd),
      column(({ advice }) => advice.service_level),
      column(({ advice }) => advice.method),
      column(({ advice }) => advice.demand_pattern),
      column(({ advice: { warnings } }) => (warnings.length === 0 ? null : warnings.join(' '))),
      column(({ advice }) => advice.undershoot),
      targetVersion,
    ],
  );
}

/**
 * Records that the safety stock of all series of a run is stored, stores its totals, and deletes both of all other runs, which are no
 * longer read. If another run has become the latest in the meantime, nothing is recorded: that run may have deleted some of these rows.
 * @param targetVersion version of the workspace's stock targets before they were read
 * @param totals null if there are too many
 */
export async function completeSafetyStocks(
  tx: Transaction,
  run: RunScope,
  targetVersion: number,
  totals: readonly ForecastTotalDto[] | null,
): Promise<void> {
  const ids = [run.organizationId, run.workspaceId, run.runId];
  await takeTurn(tx, run);
  const latest = await tx.execute(
    `UPDATE runs SET stock_formula = ${STOCK_FORMULA}, stock_target_version = $4, totals = $5::jsonb
      WHERE organization_id = $1 AND workspace_id = $2 AND id = $3
        AND id = (${latestRun('runs.id', 'runs.organization_id = $1 AND runs.workspace_id = $2')})`,
    [...ids, targetVersion, totals && JSON.stringify(totals)],
  );
  if (latest === 0) return;
  await tx.execute(
    `UPDATE runs SET stock_formula = NULL, totals = NULL
      WHERE organization_id = $1 AND workspace_id = $2 AND id <> $3 AND stock_formula IS NOT NULL`,
    ids,
  );
  await tx.execute(
    // rows that others have locked are deleted with their series or run; waiting for them could deadlock
    `WITH free AS MATERIALIZED (
       SELECT series_id, run_id FROM safety_stocks
        WHERE organization_id = $1 AND workspace_id = $2 AND run_id <> $3 FOR UPDATE SKIP LOCKED)
     DELETE FROM safety_stocks
      WHERE organization_id = $1 AND workspace_id = $2 AND (series_id, run_id) IN (SELECT series_id, run_id FROM free)`,
    ids,
  );
}
