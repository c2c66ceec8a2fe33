import { fromRole, MEMBER_ROLES, type MemberRole } from '../../platform/http/access-declaration.js';
import { Problem } from '../../platform/http/problem.js';

/** @throws {Problem} 403 `role_required` */
export function requireRole(has: MemberRole, needed: MemberRole): void {
  if (MEMBER_ROLES.indexOf(has) >= MEMBER_ROLES.indexOf(needed)) return;
  throw new Problem(403, 'role_required', `This requires the role ${fromRole(needed)}; yours is ${has}.`);
}
