import { formatMonth, type MonthNumber } from '../../forecasting/index.js';
import { one, type Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import type { IdSlice } from '../../platform/http/pagination.js';
import type { OverrideEntryDto } from '../dto/override.dto.js';
import { monthOfDay } from '../month-sql.js';
import type { MonthlyOverrides, OverrideValue } from './override.js';

export interface NewOverride extends OverrideValue {
  readonly id: string;
  readonly seriesId: string;
  readonly month: MonthNumber;
  readonly reason: string;
  readonly author: string;
  readonly expiresAt: Date | null;
}

export interface OverrideFilter {
  readonly seriesId: string | undefined;
  readonly month: MonthNumber | undefined;
  /** Include ended and expired overrides. */
  readonly history: boolean;
}

/**
 * SQL for whether an override is in force: neither ended nor expired. Its creation time is ignored, since the clocks of two machines may
 * differ: it is in force as soon as it is stored.
 * @param now SQL
 */
export const inForce = (now: string): string =>
  `overrides.ended_at IS NULL AND (overrides.expires_at IS NULL OR overrides.expires_at > ${now})`;

const ACTIVE = inForce('$3');

/** SQL for whether an override created by a past instant had neither ended nor expired then. @param at SQL */
const stood = (at: string): string =>
  `(ended_at IS NULL OR ended_at > ${at}) AND (expires_at IS NULL OR expires_at > ${at})`;

const ENTRY = `overrides.id, overrides.workspace_id, series_id, unique_id, product_name, month::text AS month, kind, value,
  reason, author, overrides.created_at, expires_at, ended_at, ended_by, (${ACTIVE}) AS active`;

/** Overrides by series and month; series without any are absent. */
type OverridesBySeries = ReadonlyMap<string, MonthlyOverrides>;

/** Overrides in force now. */
export function activeOverrides(
  db: Queryable,
  tenant: WorkspaceTenant,
  seriesIds: readonly string[],
  now: Date,
): Promise<OverridesBySeries> {
  return readOverrides(db, tenant, seriesIds, now, ACTIVE);
}

/** Overrides that were in force at a past instant. */
export function overridesAt(
  db: Queryable,
  tenant: WorkspaceTenant,
  seriesIds: readonly string[],
  at: Date,
): Promise<OverridesBySeries> {
  return readOverrides(db, tenant, seriesIds, at, `created_at <= $3 AND ${stood('$3')}`);
}

/**
 * Overrides that were in force when the month they apply to began, before any of its demand was known.
 * @param timeZone of the workspace
 */
export function overridesInAdvance(
  db: Queryable,
  tenant: WorkspaceTenant,
  seriesIds: readonly string[],
  timeZone: string,
): Promise<OverridesBySeries> {
  const began = `(month::timestamp AT TIME ZONE $3)`;
  return readOverrides(db, tenant, seriesIds, timeZone, `created_at < ${began} AND ${stood(began)}`);
}

/** @param bound value of the condition's $3 */
async function readOverrides(
  db: Queryable,
  tenant: WorkspaceTenant,
  seriesIds: readonly string[],
  bound: Date | string,
  condition: string,
): Promise<OverridesBySeries> {
  const rows = await db.query<OverrideValue & { seriesId: string; month: MonthNumber }>(
    `SELECT series_id AS "seriesId", ${monthOfDay('month')} AS month, kind, value
     FROM overrides
     WHERE organization_id = $1 AND workspace_id = $2 AND series_id = ANY ($4::uuid[])
       AND ${condition}`,
    [tenant.organizationId, tenant.workspaceId, bound, seriesIds],
  );
  const bySeries = new Map<string, Map<MonthNumber, OverrideValue>>();
  for (const { seriesId, month, kind, value } of rows) {
    const months = bySeries.get(seriesId) ?? new Map<MonthNumber, OverrideValue>();
    bySeries.set(seriesId, months.set(month, { kind, value }));
  }
  return bySeries;
}

/** A page of overrides, newest first. */
export async function listOverrides(
  db: Queryable,
  tenant: WorkspaceTenant,
  filter: OverrideFilter & IdSlice,
  now: Date,
): Promise<readonly OverrideEntryDto[]> {
  return db.query(
    `SELECT ${ENTRY}
     FROM overrides JOIN series ON series.id = overrides.series_id
     WHERE overrides.organization_id = $1 AND overrides.workspace_id = $2
       AND ($4 OR ${ACTIVE})
       AND ($5::uuid IS NULL OR series_id = $5)
       AND ($6::date IS NULL OR month = $6)
       AND ($7::uuid IS NULL OR overrides.id < $7)
     ORDER BY overrides.id DESC LIMIT $8`,
    [
      tenant.organizationId,
      tenant.workspaceId,
      now,
      filter.history,
      filter.seriesId ?? null,
      filter.month === undefined ? null : formatMonth(filter.month),
      filter.after ?? null,
      filter.limit,
    ],
  );
}

/** Ends the override of a series and month that is in force; an expired one has already ended. @returns whether there was one */
export async function endOverride(
  tx: Queryable,
  tenant: WorkspaceTenant,
  { seriesId, month }: { readonly seriesId: string; readonly month: MonthNumber },
  end: { readonly at: Date; readonly by: string },
): Promise<boolean> {
  const ended = await tx.execute(
    `UPDATE overrides SET ended_at = $5, ended_by = $6
     WHERE organization_id = $1 AND workspace_id = $2 AND series_id = $3 AND month = $4 AND ${inForce('$5')}`,
    [tenant.organizationId, tenant.workspaceId, seriesId, formatMonth(month), end.at, end.by],
  );
  return ended > 0;
}

/** Records an override; the caller has ended the previous one in the same transaction. */
export function insertOverride(
  tx: Queryable,
  tenant: WorkspaceTenant,
  override: NewOverride,
  now: Date,
): Promise<OverrideEntryDto> {
  return one<OverrideEntryDto>(
    tx,
    `WITH overrides AS (
       INSERT INTO overrides
         (id, organization_id, workspace_id, series_id, month, kind, value, reason, author, created_at, expires_at)
       VALUES ($4, $1, $2, $5, $6, $7, $8, $9, $10, $3, $11)
       RETURNING *
     )
     SELECT ${ENTRY} FROM overrides JOIN series ON series.id = overrides.series_id`,
    [
      tenant.organizationId,
      tenant.workspaceId,
      now,
      override.id,
      override.seriesId,
      formatMonth(override.month),
      override.kind,
      override.value,
      override.reason,
      override.author,
      override.expiresAt,
    ],
  );
}

/** Locks the series to serialize changes to its overrides. @returns false if there is no such series */
export async function lockSeries(tx: Queryable, tenant: WorkspaceTenant, seriesId: string): Promise<boolean> {
  const rows = await tx.query(
    `SELECT id FROM series WHERE organization_id = $1 AND workspace_id = $2 AND id = $3 FOR NO KEY UPDATE`,
    [tenant.organizationId, tenant.workspaceId, seriesId],
  );
  return rows.length === 1;
}
