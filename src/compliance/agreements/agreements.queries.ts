import type { AgreementName } from '../../../config/soc2.js';
import type { Queryable } from '../../platform/database/database.js';
import type { AcceptanceBody } from '../dto/agreement.dto.js';

/** Acceptance of a version of an agreement. */
export interface AcceptanceRow extends AcceptanceBody {
  agreement: AgreementName;
}

const COLUMNS = 'agreement, version, accepted_at, user_id, email';

/** All versions that the organization has accepted, latest first. */
export function listAcceptances(db: Queryable, organizationId: string): Promise<AcceptanceRow[]> {
  return db.query<AcceptanceRow>(
    `SELECT ${COLUMNS} FROM agreement_acceptances WHERE organization_id = $1 ORDER BY accepted_at DESC, version DESC`,
    [organizationId],
  );
}

/** @returns whether this is the first acceptance */
export async function insertAcceptance(
  db: Queryable,
  organizationId: string,
  acceptance: AcceptanceRow,
): Promise<boolean> {
  const inserted = await db.execute(
    `INSERT INTO agreement_acceptances (organization_id, ${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (organization_id, agreement, version) DO NOTHING`,
    [
      organizationId,
      acceptance.agreement,
      acceptance.version,
      acceptance.accepted_at,
      acceptance.user_id,
      acceptance.email,
    ],
  );
  return inserted > 0;
}
