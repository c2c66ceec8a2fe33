import { type AuditActor, recordAudit } from '../../access/index.js';
import type { Transaction } from '../../platform/database/database.js';
import { newId } from '../../platform/ids.js';
import type { AttestationBody } from '../dto/registers.dto.js';
import type { Attestation } from './attestation.js';
import { insertAttestation } from './attestations.queries.js';

/**
 * Records an entry, and adds it to the audit log of the platform.
 * @returns undefined if there already is one of that kind, time and reference
 */
export async function recordAttestation(
  tx: Transaction,
  entry: Attestation,
  actor: AuditActor,
  now: Date,
): Promise<AttestationBody | undefined> {
  const row = await insertAttestation(tx, { ...entry, id: newId(), recorded_at: now, recorded_by: actor.name });
  if (!row) return undefined;
  await recordAudit(tx, {
    organizationId: null,
    actor,
    action: 'compliance.attested',
    target: { kind: 'attestation', id: row.id },
    details: { ...entry },
    now,
  });
  return row;
}
