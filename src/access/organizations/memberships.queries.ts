import type { Queryable } from '../../platform/database/database.js';
import type { MemberRole } from '../../platform/http/access-declaration.js';

/** Makes the user a member, or gives a member another role. */
export async function setMembership(
  db: Queryable,
  organizationId: string,
  userId: string,
  role: MemberRole,
  now: Date,
): Promise<void> {
  await db.execute(
    `INSERT INTO memberships (organization_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (organization_id, user_id) DO UPDATE SET role = $3`,
    [organizationId, userId, role, now],
  );
}
