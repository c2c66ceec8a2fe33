import { type AuditActor, type AuditEntry, recordAudit } from '../access/index.js';
import type { Clock } from '../platform/clock.js';
import type { Database, Queryable, Transaction } from '../platform/database/database.js';
import { DAY_MS } from '../platform/durations.js';
import { cancelQueued } from '../runs/index.js';
import { listUnreportedRuns, type UnreportedRun } from '../usage/index.js';
import { EXPIRING, FORECAST_BATCH, type Kind, OF_ORGANIZATION } from './kinds.js';
import {
  countDue,
  deleteDue,
  deleteForecasts,
  deleteOrganization,
  type DueOrganization,
  finishSweep,
  holdWorkspaces,
  leaseSweep,
  listSubjects,
  lockSweep,
  noteBatch,
} from './retention.queries.js';

/**
 * Maximum delay in milliseconds of an organization's deletion while meter events are pending: less than `deletions_done` of the SOC
 * 2 checks allows.
 */
const METERING_WAIT_MS = DAY_MS;

/** Maximum number of runs that an event names: it is read as a whole, and each run billed beyond a quota is in the log of its start. */
const MAX_NAMED = 1_000;

const ACTOR: AuditActor = { kind: 'system', id: null, name: 'retention', address: null };

/** Rows by table; tables without any are omitted. */
export type RowCounts = Readonly<Record<string, number>>;

/** What a sweep of an organization has deleted, or would delete. */
export interface SweepReport {
  readonly organization_id: string;
  readonly organization: string;
  /** Results and records older than this are deleted; null if the whole organization is. */
  readonly older_than: Date | null;
  readonly organization_deleted: boolean;
  readonly deleted: RowCounts;
}

/** Sweeps the next organization that is due, like {@link sweep}. @returns undefined if none is due */
export async function sweepNext(
  database: Database,
  clock: Clock,
  stopping: () => boolean = () => false,
): Promise<SweepReport | undefined> {
  const next = await leaseNextSweep(database, clock);
  return next && sweep(database, clock, next, stopping);
}

/** An organization that is due and leased for a sweep. */
export interface LeasedSweep {
  readonly due: DueOrganization;
  readonly begun: Date;
}

/** Leases the organization that is due next. One whose sweep has just failed stays leased until its lease expires. */
export async function leaseNextSweep(database: Database, clock: Clock): Promise<LeasedSweep | undefined> {
  const begun = clock.now();
  const due = await leaseSweep(database, begun);
  return due && { due, begun };
}

/**
 * Sweeps an organization: deletes batch by batch what its retention no longer covers, or all of it if its deletion is due, and
 * records that in the audit log. An interrupted sweep is resumed where it stopped.
 * @param stopping checked between batches; the rest is then left to the next sweep
 * @returns undefined if it was stopped
 */
export async function sweep(
  database: Database,
  clock: Clock,
  leased: LeasedSweep,
  stopping: () => boolean,
): Promise<SweepReport | undefined> {
  for (const kind of kindsOf(leased.due)) {
    while (!stopping() && (await database.transaction((tx) => deleteBatch(tx, leased, kind, clock.now()))));
  }
  if (stopping()) return undefined;
  return database.transaction((tx) => finish(tx, leased, clock.now()));
}

/** What sweeps at a time, now or before, would delete of what is there, by organization; nothing is changed. */
export async function previewSweeps(db: Queryable, at: Date): Promise<SweepReport[]> {
  const reports: SweepReport[] = [];
  for (const subject of await listSubjects(db, at)) {
    const counts: Record<string, number> = {};
    for (const kind of kindsOf(subject)) {
      const { rows, forecasts } = await countDue(db, subject.id, kind, { cutoff: cutoffOf(subject), at });
      if (rows > 0) counts[kind.table] = rows;
      if (forecasts > 0) counts['forecasts'] = forecasts;
    }
    reports.push(reportOf(subject, counts));
  }
  return reports;
}

/**
 * Deletes the forecasts of deleted runs and, once none are left, what is due under the current settings rather than those at the
 * beginning of the lease: whoever corrects a mistaken retention, or cancels a deletion, keeps what has not been deleted yet.
 * @param now when the batch begins: that renews the lease
 * @returns whether there may be more
 */
async function deleteBatch(tx: Transaction, { due, begun }: LeasedSweep, kind: Kind, now: Date): Promise<boolean> {
  const sweep = await lockSweep(tx, due.id, begun);
  if (!sweep) return false; // another process has deleted the organization
  const { deleted, pendingRuns } = sweep;
  const counting = (table: string, rows: number) =>
    rows === 0 ? deleted : { ...deleted, [table]: (deleted[table] ?? 0) + rows };
  await holdWorkspaces(tx, due.id);
  if (pendingRuns.length > 0) {
    // before more runs, whose ids would pile up, and before series, whose deletion would delete all their forecasts at once
    const { rows, left } = await deleteForecastsOf(tx, due.id, pendingRuns);
    await noteBatch(tx, due.id, { deleted: counting('forecasts', rows), pendingRuns: left, now });
    return true;
  }
  if (sweep.ends !== due.ends) return false; // the deletion was canceled
  const refund = sweep.ends ? await cancelQueued(tx, { organizationId: due.id, workspaceId: null }) : undefined;
  const ids = await deleteDue(tx, due.id, kind, cutoffOf(sweep));
  await refund?.(); // in the same transaction: meter events are sent until the organization is gone
  if (ids.length === 0) return false;
  await noteBatch(tx, due.id, {
    deleted: counting(kind.table, ids.length),
    // for readers, a run is gone with its row; its forecasts, possibly many, are deleted afterwards
    pendingRuns: kind.table === 'runs' ? ids : [],
    now,
  });
  return true;
}

/** Deletes a batch of the forecasts of deleted runs. @returns the number of rows deleted, and the runs that may have more */
async function deleteForecastsOf(
  tx: Transaction,
  organizationId: string,
  runIds: readonly string[],
): Promise<{ rows: number; left: readonly string[] }> {
  let rows = 0;
  for (const [at, runId] of runIds.entries()) {
    rows += await deleteForecasts(tx, organizationId, runId, FORECAST_BATCH - rows);
    if (rows === FORECAST_BATCH) return { rows, left: runIds.slice(at) };
  }
  return { rows, left: [] };
}

/** Ends the sweep, and the organization if its deletion is due; records what was deleted. */
async function finish(tx: Transaction, { due, begun }: LeasedSweep, now: Date): Promise<SweepReport> {
  const sweep = await lockSweep(tx, due.id, begun);
  const report = reportOf(due, sweep?.deleted ?? {});
  if (due.ends) return endOrganization(tx, due, report, now);
  await finishSweep(tx, due.id, now);
  if (Object.keys(report.deleted).length > 0) {
    await recordSweep(tx, report, { organizationId: due.id, action: 'retention.applied', now });
  }
  return report;
}

/** Deletes the rest of an organization, and records that it is gone, with the runs that nobody has paid for. */
async function endOrganization(
  tx: Transaction,
  due: DueOrganization,
  report: SweepReport,
  now: Date,
): Promise<SweepReport> {
  const unreported = await listUnreportedRuns(tx, due.id);
  if (waitsForMetering(due, unreported, now) || !(await deleteOrganization(tx, due.id, now))) {
    return { ...report, organization_deleted: false };
  }
  const runs = {
    unreported_count: unreported.length,
    unreported_runs: unreported
      .slice(0, MAX_NAMED)
      .map(({ run_id, occurred_at, status }) => ({ run_id, occurred_at, status })),
  };
  // its own log stays unchanged; its end is recorded in the platform's
  const entry = { organizationId: null, action: 'organization.deleted', now } as const;
  await recordSweep(tx, report, entry, unreported.length > 0 ? runs : {});
  return report;
}

function recordSweep(
  tx: Transaction,
  report: SweepReport,
  entry: Pick<AuditEntry, 'organizationId' | 'action' | 'now'>,
  further: object = {},
): Promise<void> {
  const { organization_id: id, organization: name, older_than, deleted } = report;
  return recordAudit(tx, {
    ...entry,
    actor: ACTOR,
    target: { kind: 'organization', id },
    details: { name, older_than, deleted, ...further },
  });
}

/**
 * Whether the deletion of the rest of an organization waits for outstanding charges, since its meter events would be deleted too.
 * Not forever, since the deletion was promised.
 */
function waitsForMetering(due: DueOrganization, unreported: readonly UnreportedRun[], now: Date): boolean {
  if (due.deleteAfter === null || now.getTime() >= due.deleteAfter.getTime() + METERING_WAIT_MS) return false;
  return unreported.some(({ status }) => status === 'pending');
}

const kindsOf = (due: DueOrganization): readonly Kind[] => (due.ends ? OF_ORGANIZATION : EXPIRING);
const cutoffOf = (due: Pick<DueOrganization, 'ends' | 'cutoff'>): Date | null => (due.ends ? null : due.cutoff);

function reportOf(due: DueOrganization, deleted: RowCounts): SweepReport {
  return {
    organization_id: due.id,
    organization: due.name,
    older_than: cutoffOf(due),
    organization_deleted: due.ends,
    deleted,
  };
}
