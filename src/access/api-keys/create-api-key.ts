import type { Transaction } from '../../platform/database/database.js';
import { requireById } from '../../platform/http/require-by-id.js';
import type { Attribution } from '../audit/audit-event.js';
import { recordAudit } from '../audit/audit-log.js';
import type { OrganizationRow } from '../organizations/organizations.queries.js';
import { requireRoom } from '../organizations/plan-limits.js';
import { findLastingWorkspace } from '../organizations/workspaces.queries.js';
import { countLiveApiKeys } from './api-keys.queries.js';
import { issueApiKey, type IssuedApiKey, makerOf } from './issue-api-key.js';

export interface NewApiKeyRequest {
  readonly name: string;
  /** The one that the key reaches; null for all. */
  readonly workspaceId: string | null;
  readonly ipAllowlist: readonly string[];
  readonly expiresAt: Date | null;
}

/**
 * Issues a key where the plan has room for it, and records that.
 * @param organization locked already: its plan must stay until the keys are counted
 * @throws {Problem} 404 for a workspace that is not there, or is being removed; 409 `plan_limit_reached`
 */
export async function createApiKey(
  tx: Transaction,
  { id: organizationId, plan }: OrganizationRow,
  wanted: NewApiKeyRequest,
  { pepper, actor, now }: Attribution & { readonly pepper: string },
): Promise<IssuedApiKey> {
  requireRoom(plan, 'api_keys', await countLiveApiKeys(tx, organizationId, now));
  const { name, workspaceId: asked, ipAllowlist, expiresAt } = wanted;
  const workspace =
    asked === null ? null : await requireById('workspace', asked, (id) => findLastingWorkspace(tx, organizationId, id));
  const workspaceId = workspace?.id ?? null;
  const request = { workspaceId, name, ipAllowlist, expiresAt, maker: makerOf(actor), now };
  const issued = await issueApiKey(tx, organizationId, pepper, request);
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
    occurredAt: now,
  });
  return issued;
}
