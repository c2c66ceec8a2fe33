import type { Transaction } from '../../../platform/database/database.js';
import { newId } from '../../../platform/ids.js';
import type { Attribution } from '../../audit/audit-event.js';
import { recordAudit } from '../../audit/audit-log.js';
import type { OrganizationBody, WorkspaceBody } from '../organizations.dto.js';
import { requireRoom } from '../plans/plan-limits.js';
import { countWorkspaces, insertWorkspace } from './workspaces.queries.js';

/**
 * Creates a workspace if the plan has room for it, and records it.
 * @param organization already locked: its plan must not change until the workspaces are counted
 * @throws {Problem} 409 `plan_limit_reached`
 */
export async function createWorkspace(
  tx: Transaction,
  { id: organizationId, plan }: OrganizationBody,
  wanted: { readonly name: string; readonly timeZone: string },
  { actor, now }: Attribution,
): Promise<WorkspaceBody> {
  requireRoom(plan, 'workspaces', await countWorkspaces(tx, organizationId));
  const workspace = await insertWorkspace(tx, organizationId, { id: newId(), ...wanted, createdAt: now });
  await recordAudit(tx, {
    organizationId,
    actor,
    action: 'workspace.created',
    target: { kind: 'workspace', id: workspace.id },
    details: { name: workspace.name },
    now,
  });
  return workspace;
}
