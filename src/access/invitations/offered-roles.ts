import { MEMBER_ROLES, type MemberRole } from '../../platform/http/access-declaration.js';
import { Problem } from '../../platform/http/problem.js';

/** The roles that a member may invite to, by the member's own role: only owners can make owners. */
export const OFFERED_ROLES: Readonly<Record<MemberRole, readonly MemberRole[]>> = {
  viewer: [],
  member: [],
  admin: ['viewer', 'member', 'admin'],
  owner: MEMBER_ROLES,
};

/** @throws {Problem} 403 `role_required` */
export function requireOffered(inviter: MemberRole, role: MemberRole): void {
  if (OFFERED_ROLES[inviter].includes(role)) return;
  throw new Problem(403, 'role_required', `Your role (${inviter}) does not allow inviting people as ${role}.`);
}
