import type { TrendLabel } from '../../forecasting/change/index.js';
import { oneOrNone, type Queryable, type Transaction } from '../../platform/database/database.js';
import type { Tenant, WorkspaceTenant } from '../../platform/database/scope.js';
import type { ListOrder, Slice } from '../../platform/http/pagination.js';
import type { TrendChangeDto } from '../dto/series.dto.js';
import type { RunScope } from '../run-scope.js';

/** The trend of a series, as assessed by its runs so far. */
export interface TrendState {
  readonly seriesId: string;
  /** The published label. */
  readonly label: TrendLabel;
  /** The label assessed by the latest run. */
  readonly candidate: TrendLabel;
  /** Latest month assessed, 12 * year + month - 1. */
  readonly month: number;
}

/** A change of label that is not published yet. */
export interface NewTrendChange {
  readonly id: string;
  readonly seriesId: string;
  readonly previousLabel: TrendLabel;
  readonly label: TrendLabel;
}

export async function readTrendStates(
  db: Queryable,
  tenant: WorkspaceTenant,
  seriesIds: readonly string[],
): Promise<Map<string, TrendState>> {
  const states = await db.query<TrendState>(
    `SELECT series_id AS "seriesId", label, candidate, month FROM series_trends
     WHERE organization_id = $1 AND workspace_id = $2 AND series_id = ANY ($3::uuid[])`,
    [tenant.organizationId, tenant.workspaceId, seriesIds],
  );
  return new Map(states.map((state) => [state.seriesId, state]));
}

/** Upserts the states; series deleted in the meantime are skipped. */
export async function saveTrendStates(
  tx: Transaction,
  tenant: WorkspaceTenant,
  states: readonly TrendState[],
): Promise<void> {
  if (states.length === 0) return;
  await tx.execute(
    `INSERT INTO series_trends (organization_id, workspace_id, series_id, label, candidate, month)
     SELECT $1, $2, state.*
     FROM unnest($3::uuid[], $4::text[], $5::text[], $6::int[]) AS state (series_id, label, candidate, month)
     JOIN series ON series.id = state.series_id AND series.organization_id = $1 AND series.workspace_id = $2
     ON CONFLICT (series_id) DO UPDATE
       SET label = excluded.label, candidate = excluded.candidate, month = excluded.month
       WHERE (series_trends.label, series_trends.candidate, series_trends.month)
         IS DISTINCT FROM (excluded.label, excluded.candidate, excluded.month)`,
    [
      tenant.organizationId,
      tenant.workspaceId,
      states.map((state) => state.seriesId),
      states.map((state) => state.label),
      states.map((state) => state.candidate),
      states.map((state) => state.month),
    ],
  );
}

/** Stores changes without a date; {@link publishTrendChanges} dates them. */
export async function insertTrendChanges(
  tx: Transaction,
  run: RunScope,
  changes: readonly NewTrendChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await tx.execute(
    `INSERT INTO trend_changes (organization_id, workspace_id, run_id, changed_at, id, series_id, previous_label, label)
     SELECT $1, $2, $3, 'infinity', change.*
     FROM unnest($4::uuid[], $5::uuid[], $6::text[], $7::text[]) AS change (id, series_id, previous_label, label)
     JOIN series ON series.id = change.series_id AND series.organization_id = $1 AND series.workspace_id = $2`,
    [
      run.organizationId,
      run.workspaceId,
      run.runId,
      changes.map((change) => change.id),
      changes.map((change) => change.seriesId),
      changes.map((change) => change.previousLabel),
      changes.map((change) => change.label),
    ],
  );
}

/** Dates the changes of a run; part of its publication (platform/database/publication.ts). */
export async function publishTrendChanges(tx: Transaction, run: RunScope, at: Date): Promise<void> {
  await tx.execute(
    `UPDATE trend_changes SET changed_at = $4 WHERE organization_id = $1 AND workspace_id = $2 AND run_id = $3`,
    [run.organizationId, run.workspaceId, run.runId, at],
  );
}

export interface TrendChangeFilter extends Slice {
  /** Only changes strictly after this instant. */
  readonly changedAfter: Date;
}

export const TREND_CHANGE_ORDER: ListOrder<TrendChangeDto> = {
  list: 'trend_changes',
  parts: ['instant', 'id'],
  positionOf: (change) => [change.changed_at.toISOString(), change.id],
};

/** Changes of label, newest first. */
export function listTrendChanges(db: Queryable, scope: Tenant, filter: TrendChangeFilter): Promise<TrendChangeDto[]> {
  const [time, id] = filter.after ?? [];
  return db.query<TrendChangeDto>(
    `SELECT change.id, change.series_id, series.unique_id, series.product_name, change.workspace_id,
            change.previous_label AS previous_trend_label, change.label AS trend_label, change.changed_at, change.run_id
       FROM trend_changes AS change JOIN series ON series.id = change.series_id
      WHERE change.organization_id = $1 AND ($2::uuid IS NULL OR change.workspace_id = $2)
        AND change.changed_at > $3
        AND ($4::timestamptz IS NULL OR (change.changed_at, change.id) < ($4, $5::uuid))
      ORDER BY change.changed_at DESC, change.id DESC LIMIT $6`,
    [scope.organizationId, scope.workspaceId, filter.changedAfter, time ?? null, id ?? null, filter.limit],
  );
}

/**
 * The label of a series at an instant: that of the last change up to then; before the first change, the label it replaced; without changes,
 * the current one. Undefined if no run has assessed the series.
 */
export async function trendLabelAt(
  db: Queryable,
  tenant: WorkspaceTenant,
  seriesId: string,
  at: Date,
): Promise<TrendLabel | undefined> {
  const row = await oneOrNone<{ label: TrendLabel | null }>(
    db,
    `SELECT coalesce(
       (SELECT label FROM trend_changes
         WHERE organization_id = $1 AND workspace_id = $2 AND series_id = $3 AND changed_at <= $4
         ORDER BY changed_at DESC LIMIT 1),
       (SELECT previous_label FROM trend_changes
         WHERE organization_id = $1 AND workspace_id = $2 AND series_id = $3 AND changed_at > $4
         ORDER BY changed_at LIMIT 1),
       (SELECT label FROM series_trends WHERE organization_id = $1 AND workspace_id = $2 AND series_id = $3)
     ) AS label`,
    [tenant.organizationId, tenant.workspaceId, seriesId, at],
  );
  return row?.label ?? undefined;
}
