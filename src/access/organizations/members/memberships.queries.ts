import { countRows, one, oneOrNone, type Queryable, type Transaction } from '../../../platform/database/database.js';
import type { MemberRole } from '../../../platform/http/access-declaration.js';
import type { ListOrder, Slice } from '../../../platform/http/pagination.js';
import { OPEN_INVITATION } from '../../invitations/invitations.queries.js';
import type { MemberBody } from '../organizations.dto.js';
import type { OwnMembershipBody } from '../../sessions/sessions.dto.js';

/** Who should be a member, with which role and, for a new one, since when. */
export interface MembershipChange {
  readonly userId: string;
  readonly role: MemberRole;
  readonly now: Date;
}

/** Makes the user a member, or changes a member's role. */
export async function setMembership(
  db: Queryable,
  organizationId: string,
  { userId, role, now }: MembershipChange,
): Promise<void> {
  await db.execute(
    `INSERT INTO memberships (organization_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (organization_id, user_id) DO UPDATE SET role = $3`,
    [organizationId, userId, role, now],
  );
}

/** Makes the user a member; an existing member keeps the role. @returns the user's role now */
export async function addMembership(
  db: Queryable,
  organizationId: string,
  { userId, role, now }: MembershipChange,
): Promise<MemberRole> {
  const stored = await one<{ role: MemberRole }>(
    db,
    `INSERT INTO memberships (organization_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (organization_id, user_id) DO UPDATE SET role = memberships.role RETURNING role`,
    [organizationId, userId, role, now],
  );
  return stored.role;
}

/** The organizations of a user, in a fixed order: whoever locks several chains locks them in that order. */
export function listMembershipsOfUser(db: Queryable, userId: string): Promise<OwnMembershipBody[]> {
  return db.query<OwnMembershipBody>(
    `SELECT m.organization_id, o.name AS organization_name, o.plan, m.role, o.suspended_at, o.suspension_reason, o.second_factor_required, o.delete_after, COALESCE((
       SELECT jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name, 'time_zone', w.time_zone) ORDER BY w.id DESC)
       FROM workspaces w WHERE w.organization_id = m.organization_id
     ), '[]') AS workspaces
     FROM memberships m JOIN organizations o ON o.id = m.organization_id WHERE m.user_id = $1 ORDER BY m.organization_id`,
    [userId],
  );
}

const MEMBER = `SELECT m.user_id, u.email, u.name, m.role, (u.totp_confirmed_at IS NOT NULL) AS second_factor,
    (SELECT max(s.last_seen_at) FROM sessions s WHERE s.user_id = u.id) AS last_seen_at, m.reviewed_at, m.created_at
  FROM memberships m JOIN users u ON u.id = m.user_id`;

export const MEMBER_ORDER: ListOrder<MemberBody> = {
  list: 'members',
  parts: ['instant', 'id'],
  positionOf: (member) => [member.created_at.toISOString(), member.user_id],
};

/** Newest members first. */
export function listMembers(
  db: Queryable,
  organizationId: string,
  { limit, after = [] }: Slice,
): Promise<MemberBody[]> {
  const [createdAt = null, userId = null] = after;
  return db.query<MemberBody>(
    `${MEMBER} WHERE m.organization_id = $1 AND ($2::timestamptz IS NULL OR (m.created_at, m.user_id) < ($2, $3::uuid))
     ORDER BY m.created_at DESC, m.user_id DESC LIMIT $4`,
    [organizationId, createdAt, userId, limit],
  );
}

export function findMember(db: Queryable, organizationId: string, userId: string): Promise<MemberBody | undefined> {
  return oneOrNone<MemberBody>(db, `${MEMBER} WHERE m.organization_id = $1 AND m.user_id = $2`, [
    organizationId,
    userId,
  ]);
}

/** The email addresses of the members with one of the roles, each with the name of the organization. */
export function listRecipients(
  db: Queryable,
  organizationId: string,
  roles: readonly MemberRole[],
): Promise<{ email: string; organization: string }[]> {
  return db.query(
    `SELECT u.email, o.name AS organization FROM memberships m
     JOIN users u ON u.id = m.user_id JOIN organizations o ON o.id = m.organization_id
     WHERE m.organization_id = $1 AND m.role = ANY ($2) ORDER BY u.id`,
    [organizationId, roles],
  );
}

/** Locks the organization's owners until the transaction ends, so that no two can leave at once; returns their number. */
export async function lockOwners(tx: Transaction, organizationId: string): Promise<number> {
  const rows = await tx.query(
    `SELECT user_id FROM memberships WHERE organization_id = $1 AND role = 'owner' ORDER BY user_id FOR UPDATE`,
    [organizationId],
  );
  return rows.length;
}

export async function removeMembership(db: Queryable, organizationId: string, userId: string): Promise<void> {
  await db.execute(`DELETE FROM memberships WHERE organization_id = $1 AND user_id = $2`, [organizationId, userId]);
}

/** Records that an administrator confirmed the access. */
export async function markReviewed(db: Queryable, organizationId: string, userId: string, now: Date): Promise<void> {
  await db.execute(`UPDATE memberships SET reviewed_at = $3 WHERE organization_id = $1 AND user_id = $2`, [
    organizationId,
    userId,
    now,
  ]);
}

/** Members only, without invitations. */
export function countAcceptedMembers(db: Queryable, organizationId: string): Promise<number> {
  return countRows(db, `SELECT FROM memberships WHERE organization_id = $1`, [organizationId]);
}

/** Members and open invitations together: what the plan's limit counts. */
export function countMembers(db: Queryable, organizationId: string, now: Date): Promise<number> {
  return countRows(
    db,
    `SELECT user_id FROM memberships WHERE organization_id = $1
     UNION ALL SELECT id FROM invitations WHERE organization_id = $1 AND ${OPEN_INVITATION}`,
    [organizationId, now],
  );
}
