import type { PlanName } from '../../../config/plans.js';
import { oneOrNone, type Queryable, type Transaction } from '../../platform/database/database.js';
import type { IdSlice } from '../../platform/http/pagination.js';
import type { MemberRole } from '../../platform/http/access-declaration.js';
import { OFFERED_ROLES } from './offered-roles.js';
import type { InvitationBody } from './invitations.dto.js';

const COLUMNS = 'id, email, role, invited_by, created_at, expires_at';
/** $2 is the current time. */
export const OPEN_INVITATION = 'accepted_at IS NULL AND revoked_at IS NULL AND expires_at > $2';
/**
 * Open, and from a member who may still invite to its role. $2 is the current time, $3 {@link OFFERED}. Invitations of other
 * senders are revoked together with their right to send them, but releases up to 0.10.0 left them open.
 */
const ACCEPTABLE = `${OPEN_INVITATION} AND EXISTS (
  SELECT FROM memberships m WHERE m.organization_id = invitations.organization_id AND m.user_id = invited_by
    AND $3::jsonb -> m.role ? invitations.role)`;
const OFFERED = JSON.stringify(OFFERED_ROLES);

export async function insertInvitation(
  db: Queryable,
  organizationId: string,
  invitation: InvitationBody,
  tokenHash: Buffer,
): Promise<void> {
  await db.execute(
    `INSERT INTO invitations (id, organization_id, email, role, token_hash, invited_by, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      invitation.id,
      organizationId,
      invitation.email,
      invitation.role,
      tokenHash,
      invitation.invited_by,
      invitation.created_at,
      invitation.expires_at,
    ],
  );
}

/** Newest first. */
export function listOpenInvitations(
  db: Queryable,
  organizationId: string,
  now: Date,
  { limit, after }: IdSlice,
): Promise<InvitationBody[]> {
  return db.query<InvitationBody>(
    `SELECT ${COLUMNS} FROM invitations WHERE organization_id = $1 AND ${OPEN_INVITATION}
       AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $4`,
    [organizationId, now, after ?? null, limit],
  );
}

/** Which open invitations: one, all to an address, or those that a member has sent for certain roles. */
export type InvitationSelection =
  | { readonly id: string }
  | { readonly email: string }
  | { readonly invitedBy: string; readonly roles: readonly MemberRole[] };

/** Revokes open invitations. */
export async function revokeInvitations(
  db: Queryable,
  organizationId: string,
  which: InvitationSelection,
  now: Date,
): Promise<InvitationBody[]> {
  return db.query<InvitationBody>(
    `UPDATE invitations SET revoked_at = $2 WHERE organization_id = $1 AND ${OPEN_INVITATION} AND ($3::uuid IS NULL OR id = $3)
       AND ($4::text IS NULL OR email = $4) AND ($5::uuid IS NULL OR invited_by = $5 AND role = ANY ($6::text[])) RETURNING ${COLUMNS}`,
    [
      organizationId,
      now,
      'id' in which ? which.id : null,
      'email' in which ? which.email : null,
      ...('invitedBy' in which ? [which.invitedBy, which.roles] : [null, null]),
    ],
  );
}

/** The address that an acceptable invitation was sent to. Not scoped to an organization: it is found by its token. */
export async function findInvitedEmail(db: Queryable, tokenHash: Buffer, now: Date): Promise<string | undefined> {
  const row = await oneOrNone<{ email: string }>(
    db,
    `SELECT email FROM invitations WHERE token_hash = $1 AND ${ACCEPTABLE}`,
    [tokenHash, now, OFFERED],
  );
  return row?.email;
}

/** An accepted invitation with the organization that it leads to. */
export interface AcceptedInvitationRow extends InvitationBody {
  organization_id: string;
  plan: PlanName;
}

/**
 * Accepts an invitation; of several concurrent attempts one succeeds. Not scoped to an organization: it is found by its token.
 * Locks the organization before the invitation, in the same order and mode as a new invitation to the address does; the sender's
 * role cannot change in the meantime.
 */
export async function acceptInvitation(
  tx: Transaction,
  tokenHash: Buffer,
  now: Date,
): Promise<AcceptedInvitationRow | undefined> {
  await tx.query(
    `SELECT id FROM organizations WHERE id = (SELECT organization_id FROM invitations WHERE token_hash = $1) FOR NO KEY UPDATE`,
    [tokenHash],
  );
  return oneOrNone<AcceptedInvitationRow>(
    tx,
    `UPDATE invitations SET accepted_at = $2 WHERE token_hash = $1 AND ${ACCEPTABLE}
     RETURNING ${COLUMNS}, organization_id, (SELECT plan FROM organizations o WHERE o.id = organization_id) AS plan`,
    [tokenHash, now, OFFERED],
  );
}

/** Deletes invitations of every organization that ended long ago, accepted or not. */
export function deleteOldInvitations(db: Queryable, now: Date): Promise<number> {
  return db.execute(`DELETE FROM invitations WHERE expires_at < $1::timestamptz - interval '30 days'`, [now]);
}
