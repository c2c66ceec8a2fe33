import { PLANS } from '../../../../config/plans.js';
import type { Transaction } from '../../../platform/database/database.js';
import { requireById } from '../../../platform/http/require-by-id.js';
import type { Attribution } from '../../audit/audit-event.js';
import { recordAudit } from '../../audit/audit-log.js';
import type { OrganizationBody } from '../../organizations/organizations.dto.js';
import { requireRoom } from '../../organizations/plans/plan-limits.js';
import { findAndHoldWorkspace } from '../../organizations/workspaces/workspaces.queries.js';
import { countLiveApiKeys, type RequestedApiKey } from '../api-keys.queries.js';
import { issueApiKey, type IssuedApiKey } from './issue-api-key.js';

/**
 * Issues a key if the plan has room for it, and records it.
 * @param organization already locked: its plan must not change until the keys are counted
 * @throws {Problem} 404 for a workspace that does not exist or is being deleted; 409 `plan_limit_reached`
 */
export async function createApiKey(
  tx: Transaction,
  { id: organizationId, plan }: OrganizationBody,
  wanted: RequestedApiKey,
  by: Attribution & { readonly pepper: string },
): Promise<IssuedApiKey> {
  const { actor, now } = by;
  const remedy =
    PLANS[plan].api_keys === 0 ? '; the public API requires growth or higher' : '; revoke one, or raise the plan';
  requireRoom(plan, 'api_keys', await countLiveApiKeys(tx, organizationId, now), remedy);
  const { workspaceId: asked } = wanted;
  const workspace =
    asked === null ? null : await requireById('workspace', asked, (id) => findAndHoldWorkspace(tx, organizationId, id));
  const workspaceId = workspace?.id ?? null;
  const issued = await issueApiKey(tx, organizationId, { ...wanted, workspaceId }, by);
  await recordAudit(tx, {
    organizationId,
    actor,
    action: 'api_key.created',
    target: { kind: 'api_key', id: issued.key.id },
    details: {
      name: issued.key.name,
      workspace_id: workspaceId,
      ip_allowlist: issued.key.ip_allowlist,
      expires_at: issued.key.expires_at,
    },
    now,
  });
  return issued;
}
