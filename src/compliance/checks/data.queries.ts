import { AGREEMENT_NAMES, SOC2 } from '../../../config/soc2.js';
import { one, type Queryable } from '../../platform/database/database.js';
import { SUBJECT } from './access.queries.js';

// What the service does is counted for the whole installation; what customers do for one of them, if one is named.

/** Organizations whose retention was set before an instant, and how many of them have not been swept since. */
export function countSweeps(db: Queryable, since: Date): Promise<{ total: number; unswept: number }> {
  return one(
    db,
    `SELECT count(*)::int AS total,
              count(*) FILTER (WHERE s.finished_at IS NULL OR s.finished_at < $1)::int AS unswept
       FROM organizations o LEFT JOIN retention_sweeps s ON s.organization_id = o.id
       WHERE o.retention_months IS NOT NULL AND (o.retention_set_at IS NULL OR o.retention_set_at < $1)`,
    [since],
  );
}

/** Organizations awaiting deletion, and how many of them were due before `since`. */
export function countDeletions(db: Queryable, since: Date): Promise<{ waiting: number; overdue: number }> {
  return one(
    db,
    `SELECT count(*)::int AS waiting, count(*) FILTER (WHERE delete_after < $1)::int AS overdue
       FROM organizations WHERE delete_after IS NOT NULL`,
    [since],
  );
}

/**
 * Active organizations except the demo, and those that have accepted the version in force of every agreement.
 * @param organizationId counts only this one, the demo or not; null counts all
 */
export function countAcceptances(
  db: Queryable,
  organizationId: string | null,
): Promise<{ total: number; accepted: number }> {
  const versions = AGREEMENT_NAMES.map((name) => SOC2.agreements[name].version);
  return one<{ total: number; accepted: number }>(
    db,
    `SELECT count(*)::int AS total, count(*) FILTER (WHERE (
                SELECT count(*) FROM agreement_acceptances a
                JOIN unnest($2::text[], $3::text[]) AS force (agreement, version)
                  ON force.agreement = a.agreement AND force.version = a.version
                WHERE a.organization_id = o.id) = cardinality($2::text[]))::int AS accepted
       FROM organizations o WHERE o.suspended_at IS NULL AND ${SUBJECT}`,
    [organizationId, AGREEMENT_NAMES, versions],
  );
}

/**
 * Unfinished runs, imports and syncs, and those begun before `since`. A sync counts from when it was last due: its platform may have it wait
 * for weeks, and a first one may read for days, both by turns. Excludes paused syncs: those of suspended organizations, and scheduled ones
 * while the deletion of their organization is pending.
 */
export function countOpenWork(db: Queryable, since: Date): Promise<{ open: number; stuck: number }> {
  return one(
    db,
    `SELECT count(*)::int AS open, count(*) FILTER (WHERE due_at < $1)::int AS stuck FROM (
         SELECT created_at AS due_at FROM runs WHERE status IN ('queued', 'running')
         UNION ALL SELECT created_at FROM imports WHERE state IN ('receiving', 'processing')
         UNION ALL SELECT sync.wake_at FROM connector_syncs sync JOIN organizations o ON o.id = sync.organization_id
         WHERE sync.status IN ('queued', 'running') AND o.suspended_at IS NULL
           AND (o.delete_after IS NULL OR sync.trigger = 'manual')) AS work`,
    [since],
  );
}
