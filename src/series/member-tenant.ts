import type { MemberCaller } from '../access/index.js';
import type { WorkspaceTenant } from './tenant.js';

/** The workspace in the path of an application route, whose membership the guard has checked. */
export function tenantOf(member: MemberCaller): WorkspaceTenant {
  if (member.workspaceId === null) throw new Error('the route has no workspace in its path');
  return { organizationId: member.organizationId, workspaceId: member.workspaceId };
}
