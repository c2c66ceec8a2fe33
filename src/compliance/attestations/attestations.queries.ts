import { oneOrNone, type Queryable } from '../../platform/database/database.js';
import type { IdSlice } from '../../platform/http/pagination.js';
import { dayOf } from '../../platform/utc-calendar.js';
import type { AttestationBody } from '../dto/registers.dto.js';
import type { Attestation } from './attestation.js';
import type { AttestationKind } from './attestation-kinds.js';

// Registers belong to the platform itself: no query here names an organization.

const COLUMNS =
  'id, kind, performed_at, performed_by, outcome, reference, note, artefact_sha256, recorded_at, recorded_by';

/** @returns undefined if there already is an entry of that kind, time and reference */
export function insertAttestation(db: Queryable, entry: AttestationBody): Promise<AttestationBody | undefined> {
  return oneOrNone<AttestationBody>(
    db,
    `INSERT INTO compliance_attestations (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
    [
      entry.id,
      entry.kind,
      entry.performed_at,
      entry.performed_by,
      entry.outcome,
      entry.reference,
      entry.note,
      entry.artefact_sha256,
      entry.recorded_at,
      entry.recorded_by,
    ],
  );
}

/** The entry of that kind, time and reference. */
export function findAttestation(
  db: Queryable,
  { kind, performed_at, reference }: Attestation,
): Promise<AttestationBody | undefined> {
  return oneOrNone<AttestationBody>(
    db,
    `SELECT ${COLUMNS} FROM compliance_attestations
     WHERE kind = $1 AND performed_at = $2 AND reference IS NOT DISTINCT FROM $3`,
    [kind, performed_at, reference],
  );
}

/** The entry for the latest act of its kind, and of a reference if given. */
export function findLatestAttestation(
  db: Queryable,
  kind: AttestationKind,
  reference: string | null = null,
): Promise<AttestationBody | undefined> {
  return oneOrNone<AttestationBody>(
    db,
    `SELECT ${COLUMNS} FROM compliance_attestations WHERE kind = $1 AND ($2::text IS NULL OR reference = $2)
     ORDER BY performed_at DESC, id DESC LIMIT 1`,
    [kind, reference],
  );
}

/** Newest entries first. */
export function listAttestations(
  db: Queryable,
  filter: IdSlice & { readonly kind: AttestationKind | undefined },
): Promise<AttestationBody[]> {
  return db.query<AttestationBody>(
    `SELECT ${COLUMNS} FROM compliance_attestations
     WHERE ($1::text IS NULL OR kind = $1) AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    [filter.kind ?? null, filter.after ?? null, filter.limit],
  );
}

/** Version of the latest release. One may be announced before its day. */
export async function findLatestRelease(db: Queryable, now: Date): Promise<string | undefined> {
  const row = await oneOrNone<{ version: string }>(
    db,
    `SELECT version FROM releases WHERE released_on <= $1 ORDER BY released_on DESC, id DESC LIMIT 1`,
    [dayOf(now)],
  );
  return row?.version;
}
