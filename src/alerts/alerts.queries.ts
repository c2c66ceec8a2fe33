import { type DemandChange, roundedPercent } from '../forecasting/change/index.js';
import { formatMonth } from '../forecasting/index.js';
import { oneOrNone, type Queryable, type Transaction } from '../platform/database/database.js';
import type { Tenant } from '../platform/database/scope.js';
import type { ListOrder, Slice } from '../platform/http/pagination.js';
import { readDemandSources, type RunScope } from '../series/index.js';
import type { AlertDto } from './alerts.dto.js';

const COLUMNS = `alert.id, alert.workspace_id, alert.series_id, series.unique_id, series.product_name, alert.kind,
  alert.severity, alert.message, alert.change_percent, alert.period, alert.run_id, alert.created_at, alert.read_at`;

export interface NewAlert {
  readonly id: string;
  readonly seriesId: string;
  readonly change: DemandChange;
}

/**
 * Inserts alerts before their publication, which dates them. Skips what an earlier run has already reported, also of a series replaced
 * since.
 */
export async function insertAlerts(tx: Transaction, run: RunScope, alerts: readonly NewAlert[]): Promise<void> {
  const reported = await readReportedBefore(tx, run, alerts);
  const added = alerts.filter(
    ({ seriesId, change }) => !reported.has(keyOf(seriesId, change.kind, formatMonth(change.month))),
  );
  if (added.length === 0) return;
  const column = <T>(value: (alert: NewAlert) => T): T[] => added.map(value);
  await tx.execute(
    `INSERT INTO alerts
       (organization_id, workspace_id, run_id, created_at, id, series_id, kind, severity, message, change_percent, period)
     SELECT $1, $2, $3, 'infinity', alert.*
     FROM unnest($4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::float8[], $10::date[])
       AS alert (id, series_id, kind, severity, message, change_percent, period)
     JOIN series ON series.id = alert.series_id AND series.organization_id = $1 AND series.workspace_id = $2
     ON CONFLICT (series_id, kind, period) DO NOTHING`,
    [
      run.organizationId,
      run.workspaceId,
      run.runId,
      column((alert) => alert.id),
      column((alert) => alert.seriesId),
      column((alert) => alert.change.kind),
      column((alert) => alert.change.severity),
      column((alert) => alert.change.message),
      column((alert) => roundedPercent(alert.change.changePercent)),
      column((alert) => formatMonth(alert.change.month)),
    ],
  );
}

/** What was reported of series that those of the alerts have replaced since. */
async function readReportedBefore(
  tx: Transaction,
  run: RunScope,
  alerts: readonly NewAlert[],
): Promise<ReadonlySet<string>> {
  if (alerts.length === 0) return new Set();
  const seriesIds = alerts.map(({ seriesId }) => seriesId);
  const sources = await readDemandSources(tx, run, seriesIds);
  const replaced = [...sources.keys()].filter((source) => sources.get(source) !== source);
  if (replaced.length === 0) return new Set();
  // by their ids alone: joined with the alerts, they would be compared with each of these
  const former = await tx.query<{ seriesId: string; kind: string; period: string }>(
    `SELECT series_id AS "seriesId", kind, period FROM alerts
      WHERE organization_id = $1 AND workspace_id = $2 AND series_id = ANY ($3::uuid[])`,
    [run.organizationId, run.workspaceId, replaced],
  );
  return new Set(former.map(({ seriesId, kind, period }) => keyOf(sources.get(seriesId)!, kind, period)));
}

const keyOf = (seriesId: string, kind: string, period: string): string => `${seriesId} ${kind} ${period}`;

/** Dates the alerts of a run; part of its publication (platform/database/publication.ts). */
export async function publishAlerts(tx: Transaction, run: RunScope, at: Date): Promise<void> {
  await tx.execute(
    `UPDATE alerts SET created_at = $4 WHERE organization_id = $1 AND workspace_id = $2 AND run_id = $3`,
    [run.organizationId, run.workspaceId, run.runId, at],
  );
}

export interface AlertFilter extends Slice {
  /** Only unread alerts. */
  readonly unreadOnly: boolean;
  /** Only alerts strictly after this instant. */
  readonly createdAfter: Date | undefined;
}

export const ALERT_ORDER: ListOrder<AlertDto> = {
  list: 'alerts',
  parts: ['instant', 'id'],
  positionOf: (alert) => [alert.created_at.toISOString(), alert.id],
};

/** Alerts, newest first. */
export function listAlerts(db: Queryable, scope: Tenant, filter: AlertFilter): Promise<AlertDto[]> {
  const [time, id] = filter.after ?? [];
  return db.query<AlertDto>(
    `SELECT ${COLUMNS}
       FROM alerts AS alert JOIN series ON series.id = alert.series_id
      WHERE alert.organization_id = $1 AND ($2::uuid IS NULL OR alert.workspace_id = $2)
        AND (NOT $3 OR alert.read_at IS NULL)
        AND ($4::timestamptz IS NULL OR alert.created_at > $4)
        AND ($5::timestamptz IS NULL OR (alert.created_at, alert.id) < ($5, $6::uuid))
      ORDER BY alert.created_at DESC, alert.id DESC LIMIT $7`,
    [
      scope.organizationId,
      scope.workspaceId,
      filter.unreadOnly,
      filter.createdAfter ?? null,
      time ?? null,
      id ?? null,
      filter.limit,
    ],
  );
}

/** Marks an alert read (keeping the time of the first reading) or unread; undefined if there is none in the scope. */
export function markAlert(
  db: Queryable,
  scope: Tenant,
  alertId: string,
  { read, now }: { readonly read: boolean; readonly now: Date },
): Promise<AlertDto | undefined> {
  return oneOrNone<AlertDto>(
    db,
    `WITH alert AS (
       UPDATE alerts SET read_at = CASE WHEN $4 THEN coalesce(read_at, $5) END
        WHERE id = $3 AND organization_id = $1 AND ($2::uuid IS NULL OR workspace_id = $2)
        RETURNING *
     )
     SELECT ${COLUMNS} FROM alert JOIN series ON series.id = alert.series_id`,
    [scope.organizationId, scope.workspaceId, alertId, read, now],
  );
}
