import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import type { Secrets } from '../../platform/crypto/secrets.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import type { PageQueryDto } from '../../platform/http/page-query.js';
import { idPage, type Page } from '../../platform/http/pagination.js';
import { Problem } from '../../platform/http/problem.js';
import { requireById } from '../../platform/http/require-by-id.js';
import { SECRETS } from '../../platform/platform.module.js';
import { actorOf } from '../audit/audit-event.js';
import { changeBetween } from '../audit/change.js';
import { recordAuditBy } from '../audit/record-by.js';
import { ApiKeyGate } from '../guard/api-key-gate.js';
import type { MemberCaller } from '../guard/caller.js';
import { requireRole } from '../guard/require-role.js';
import { normalizeRanges } from '../../../config/ip-ranges.js';
import { ownMembership } from '../organizations/members/members.service.js';
import type { OrganizationBody } from '../organizations/organizations.dto.js';
import { requireOrganization } from '../organizations/require-organization.js';
import { type ApiKeyRow, findApiKey, listApiKeys, updateApiKey } from './api-keys.queries.js';
import type { ChangeApiKeyDto, CreateApiKeyDto } from './api-keys.dto.js';
import { createApiKey } from './issue/create-api-key.js';
import { endApiKey } from './end-api-key.js';
import type { GracePeriod } from './issue/grace-periods.js';
import type { IssuedApiKey } from './issue/issue-api-key.js';
import { requireLockedKey } from './require-locked-key.js';
import { rotateApiKey } from './issue/rotate-api-key.js';

/** The API keys of an organization. Changes take effect immediately in this process, and within a second in every other. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly gate: ApiKeyGate,
    @Inject(SECRETS) private readonly secrets: Secrets,
  ) {}

  list(caller: MemberCaller, paging: PageQueryDto): Promise<Page<ApiKeyRow>> {
    return idPage('api_keys', paging, (slice) => listApiKeys(this.database, caller.organizationId, slice));
  }

  /** @throws {Problem} 404 */
  get(caller: MemberCaller, keyId: string): Promise<ApiKeyRow> {
    return requireById('API key', keyId, (id) => findApiKey(this.database, caller.organizationId, id));
  }

  /** @throws {Problem} 404 for the workspace; 400 if `expires_at` is in the past; 409 `plan_limit_reached`; as {@link lockAsAdmin} */
  create(caller: MemberCaller, wanted: CreateApiKeyDto): Promise<IssuedApiKey> {
    const now = this.clock.now();
    requireFuture(wanted.expires_at, now);
    const request = {
      name: wanted.name,
      workspaceId: wanted.workspace_id ?? null,
      ipAllowlist: normalizeRanges(wanted.ip_allowlist ?? []),
      expiresAt: wanted.expires_at ?? null,
    };
    const by = { pepper: this.secrets.apiKeyPepper, actor: actorOf(caller), now };
    return this.database.transaction(async (tx) => createApiKey(tx, await lockAsAdmin(tx, caller), request, by));
  }

  /** @throws {Problem} 404 */
  async change(caller: MemberCaller, keyId: string, change: ChangeApiKeyDto): Promise<ApiKeyRow> {
    const now = this.clock.now();
    const { organizationId } = caller;
    const changed = await this.database.transaction(async (tx) => {
      const known = await requireLockedKey(tx, await requireOrganization(tx, organizationId), keyId);
      const wanted = {
        name: change.name ?? known.name,
        ipAllowlist: change.ip_allowlist === undefined ? known.ip_allowlist : normalizeRanges(change.ip_allowlist),
      };
      const details = changeBetween(known, { name: wanted.name, ip_allowlist: wanted.ipAllowlist });
      if (details === undefined) return known;
      const key = await updateApiKey(tx, organizationId, known.id, wanted);
      await recordAuditBy(tx, caller, {
        action: 'api_key.changed',
        target: { kind: 'api_key', id: known.id },
        details: { name: wanted.name, ...details },
        now,
      });
      return key ?? known;
    });
    this.gate.forget();
    return changed;
  }

  /**
   * {@link rotateApiKey}
   * @param expiresAt expiry of the successor; by default its lifetime is that of the old key
   * @throws {Problem} 400 for an expiry in the past; 404; 409 `api_key_not_active`, `plan_limit_reached`; as {@link lockAsAdmin}
   */
  async rotate(
    caller: MemberCaller,
    keyId: string,
    grace: GracePeriod,
    expiresAt: Date | undefined,
  ): Promise<IssuedApiKey> {
    const now = this.clock.now();
    requireFuture(expiresAt, now);
    const rotation = { pepper: this.secrets.apiKeyPepper, grace, expiresAt, actor: actorOf(caller), now };
    const issued = await this.database.transaction(async (tx) => {
      const organization = await lockAsAdmin(tx, caller);
      return rotateApiKey(tx, organization, keyId, rotation);
    });
    this.gate.forget();
    return issued;
  }

  /** Revokes a key and unlocks those for which the plan then has room. A no-op for a revoked key. @throws {Problem} 404 */
  async revoke(caller: MemberCaller, keyId: string): Promise<void> {
    const now = this.clock.now();
    await this.database.transaction(async (tx) => {
      const ended = await endApiKey(tx, caller.organizationId, keyId, now);
      if (!ended) throw Problem.notFound('API key');
      if (!ended.revoked) return;
      await recordAuditBy(tx, caller, {
        action: 'api_key.revoked',
        target: { kind: 'api_key', id: ended.key.id },
        details: {
          name: ended.key.name,
          keys_unlocked: ended.unlocked.length,
          unlocked_key_ids: ended.unlocked,
        },
        now,
      });
    });
    this.gate.forget();
  }
}

/**
 * Locks the organization for a member who receives a new key: one who was removed, or lost the role, since being admitted must not
 * leave with a key.
 * @throws {Problem} 404; 403 `role_required`
 */
async function lockAsAdmin(tx: Transaction, caller: MemberCaller): Promise<OrganizationBody> {
  const organization = await requireOrganization(tx, caller.organizationId);
  requireRole((await ownMembership(tx, caller)).role, 'admin');
  return organization;
}

/** @throws {Problem} 400 */
function requireFuture(expiresAt: Date | undefined, now: Date): void {
  if (expiresAt !== undefined && expiresAt <= now) {
    throw Problem.invalid([{ param: 'expires_at', message: 'must be in the future' }]);
  }
}
