import { CHECK_NAMES, type CheckName } from '../../../config/soc2.js';
import type { Queryable } from '../../platform/database/database.js';
import type { IdSlice } from '../../platform/http/pagination.js';
import type { EvidenceBody } from '../dto/registers.dto.js';
import { HISTORY_DAYS } from './heartbeats.queries.js';

// Evidence is about the whole installation: no query here names an organization.

/** The result of a check at one point in time. */
export type Observed = Pick<EvidenceBody, 'check' | 'status' | 'detail' | 'checked_at'>;

const COLUMNS = 'id, status, detail, duration_ms, trigger, check_name AS check, checked_at';

export async function insertEvidence(db: Queryable, evidence: EvidenceBody): Promise<void> {
  await db.execute(
    `INSERT INTO compliance_evidence (id, status, detail, duration_ms, trigger, check_name, checked_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      evidence.id,
      evidence.status,
      evidence.detail,
      evidence.duration_ms,
      evidence.trigger,
      evidence.check,
      evidence.checked_at,
    ],
  );
}

export type LatestEvidence = ReadonlyMap<CheckName, Observed>;

/** The latest evidence of every check that has ever run, by its name. */
export async function latestEvidence(db: Queryable): Promise<LatestEvidence> {
  const rows = await db.query<EvidenceBody>(
    `SELECT e.* FROM unnest($1::text[]) AS wanted (name) CROSS JOIN LATERAL (
       SELECT ${COLUMNS} FROM compliance_evidence WHERE check_name = wanted.name ORDER BY id DESC LIMIT 1) AS e`,
    [CHECK_NAMES],
  );
  return new Map(rows.map((row) => [row.check, row]));
}

/** The history, newest first. */
export function listEvidence(
  db: Queryable,
  filter: IdSlice & { readonly check: CheckName | undefined },
): Promise<EvidenceBody[]> {
  return db.query<EvidenceBody>(
    `SELECT ${COLUMNS} FROM compliance_evidence
     WHERE ($1::text IS NULL OR check_name = $1) AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    [filter.check ?? null, filter.after ?? null, filter.limit],
  );
}

export function deleteOldEvidence(db: Queryable, now: Date): Promise<number> {
  return db.execute(
    `DELETE FROM compliance_evidence WHERE checked_at < $1::timestamptz - make_interval(days => ${HISTORY_DAYS})`,
    [now],
  );
}
