import type { Transaction } from '../../../platform/database/database.js';
import { later } from '../../../platform/durations.js';
import { LATEST_INSTANT } from '../../../platform/http/rules/instant.js';
import { Problem } from '../../../platform/http/problem.js';
import type { Attribution } from '../../audit/audit-event.js';
import { recordAudit } from '../../audit/audit-log.js';
import type { OrganizationBody } from '../../organizations/organizations.dto.js';
import { requireRoom } from '../../organizations/plans/plan-limits.js';
import { type ApiKeyRow, countSupersededApiKeys, supersedeApiKey } from '../api-keys.queries.js';
import { GRACE_PERIODS, type GracePeriod } from './grace-periods.js';
import { issueApiKey, type IssuedApiKey } from './issue-api-key.js';
import { keyState } from '../key-state.js';
import { requireLockedKey } from '../require-locked-key.js';

export interface Rotation extends Attribution {
  readonly pepper: string;
  /** How long the old key keeps working. */
  readonly grace: GracePeriod;
  /** Expiry of the successor; by default its lifetime is that of the old key. */
  readonly expiresAt: Date | undefined;
}

/**
 * Issues a successor with the same name, scope and allowlist, and records it; the old key keeps working for the grace period. At
 * most as many old keys may do so at a time as the plan allows keys: otherwise rotating one key again and again would create any
 * number of them.
 * @param organization already locked: its plan must not change until the keys are counted
 * @throws {Problem} 404; 409 `api_key_not_active` for a key that is revoked, expired, locked, unreadable or already rotated,
 * `plan_limit_reached`
 */
export async function rotateApiKey(
  tx: Transaction,
  organization: OrganizationBody,
  keyId: string,
  { pepper, grace, expiresAt, actor, now }: Rotation,
): Promise<IssuedApiKey> {
  const { id: organizationId, plan } = organization;
  const known = await requireLockedKey(tx, organization, keyId);
  if (keyState(known, now) !== 'active') {
    throw new Problem(409, 'api_key_not_active', 'Only an active key can be rotated.');
  }
  const graceMs = GRACE_PERIODS[grace];
  if (graceMs > 0) {
    const superseded = await countSupersededApiKeys(tx, organizationId, now);
    requireRoom(
      plan,
      'api_keys',
      superseded,
      ' in a grace period at a time; to rotate the key now, set grace_period to "0"',
    );
  }
  const wanted = {
    workspaceId: known.workspace_id,
    name: known.name,
    ipAllowlist: known.ip_allowlist,
    expiresAt: expiresAt ?? endAfterSameLife(known, now),
  };
  const issued = await issueApiKey(tx, organizationId, wanted, { pepper, actor, now });
  await supersedeApiKey(tx, organizationId, known.id, {
    successorId: issued.key.id,
    expiresAt: later(now, graceMs),
  });
  await recordAudit(tx, {
    organizationId,
    actor,
    action: 'api_key.rotated',
    target: { kind: 'api_key', id: known.id },
    details: {
      name: known.name,
      successor_id: issued.key.id,
      grace_seconds: graceMs / 1_000,
      expires_at: issued.key.expires_at,
    },
    now,
  });
  return issued;
}

/** When a key created now expires if it has the same lifetime as the given one. */
function endAfterSameLife({ created_at, expires_at }: ApiKeyRow, now: Date): Date | null {
  if (expires_at === null) return null;
  const end = now.getTime() + expires_at.getTime() - created_at.getTime();
  return new Date(Math.min(end, LATEST_INSTANT.getTime()));
}
