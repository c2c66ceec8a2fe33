import { Inject, Injectable } from '@nestjs/common';
import type { PlanName } from '../../../config/plans.js';
import { Clock } from '../../platform/clock.js';
import type { Secrets } from '../../platform/crypto/secrets.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { LATEST_INSTANT } from '../../platform/http/instant.js';
import { type PageQueryDto, STANDARD_PAGE } from '../../platform/http/page-query.js';
import { idPage, type Page } from '../../platform/http/pagination.js';
import { Problem } from '../../platform/http/problem.js';
import { requireById } from '../../platform/http/require-by-id.js';
import { SECRETS } from '../../platform/platform.module.js';
import { recordAuditBy } from '../audit/record-by.js';
import { ApiKeyGate } from '../guard/api-key-gate.js';
import type { MemberCaller } from '../guard/caller.js';
import { normalizeRanges } from '../../../config/ip-ranges.js';
import { requireRoom } from '../organizations/plan-limits.js';
import { requireOrganization } from '../organizations/require-organization.js';
import { findLastingWorkspace } from '../organizations/workspaces.queries.js';
import {
  type ApiKeyRow,
  countLiveApiKeys,
  countSupersededApiKeys,
  findApiKey,
  listApiKeys,
  lockApiKey,
  supersedeApiKey,
  updateApiKey,
} from './api-keys.queries.js';
import { endApiKey } from './end-api-key.js';
import { issueApiKey } from './issue-api-key.js';

export interface WantedApiKey {
  readonly name: string;
  readonly workspace_id?: string;
  readonly ip_allowlist?: readonly string[];
  readonly expires_at?: Date;
}

export interface IssuedApiKey {
  readonly key: ApiKeyRow;
  readonly plaintext: string;
}

/** The API keys of an organization. Changes take effect in this process at once, in every other within a second. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly gate: ApiKeyGate,
    @Inject(SECRETS) private readonly secrets: Secrets,
  ) {}

  list(caller: MemberCaller, paging: PageQueryDto): Promise<Page<ApiKeyRow>> {
    return idPage(paging, STANDARD_PAGE, (slice) => listApiKeys(this.database, caller.organizationId, slice));
  }

  /** @throws {Problem} 404 */
  get(caller: MemberCaller, keyId: string): Promise<ApiKeyRow> {
    return requireById('API key', keyId, (id) => findApiKey(this.database, caller.organizationId, id));
  }

  /** @throws {Problem} 404 for the workspace; 400 `expires_at` in the past; 409 `plan_limit_reached` */
  create(caller: MemberCaller, wanted: WantedApiKey): Promise<IssuedApiKey> {
    const now = this.clock.now();
    const { organizationId } = caller;
    requireFuture(wanted.expires_at, now);
    return this.database.transaction(async (tx) => {
      const { plan } = await requireOrganization(tx, organizationId);
      requireRoom(plan, 'api_keys', await countLiveApiKeys(tx, organizationId, now));
      const { workspace_id: asked } = wanted;
      const workspaceId =
        asked === undefined
          ? null
          : (await requireById('workspace', asked, (id) => findLastingWorkspace(tx, organizationId, id))).id;
      const issued = await issueApiKey(tx, organizationId, this.secrets.apiKeyPepper, {
        workspaceId,
        name: wanted.name,
        ipAllowlist: normalizeRanges(wanted.ip_allowlist ?? []),
        expiresAt: wanted.expires_at ?? null,
        createdBy: caller.userId,
        now,
      });
      await recordAuditBy(tx, caller, {
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
    });
  }

  /** @throws {Problem} 404 */
  change(
    caller: MemberCaller,
    keyId: string,
    change: { readonly name?: string; readonly ip_allowlist?: readonly string[] },
  ): Promise<ApiKeyRow> {
    return this.changing(caller, keyId, async (tx, { known, now }) => {
      const wanted = {
        name: change.name ?? known.name,
        ipAllowlist: change.ip_allowlist === undefined ? known.ip_allowlist : normalizeRanges(change.ip_allowlist),
      };
      const key = await updateApiKey(tx, caller.organizationId, known.id, wanted);
      await recordAuditBy(tx, caller, {
        action: 'api_key.changed',
        target: { kind: 'api_key', id: known.id },
        details: { name: wanted.name, ip_allowlist: wanted.ipAllowlist },
        occurredAt: now,
      });
      return key ?? known;
    });
  }

  /**
   * Issues a successor with the same name, scope and allowlist; the old key works on for the grace period. As many do at a time as
   * the plan allows keys: without a bound, one key rotated again and again would make any number of them.
   * @param grace milliseconds
   * @param end of the successor; without it, it lives as long as the old key was to live
   * @throws {Problem} 400 for an end in the past; 404; 409 `api_key_not_active` for a key that is revoked, expired, locked or rotated
   * already, `plan_limit_reached`
   */
  rotate(caller: MemberCaller, keyId: string, grace: number, end: Date | undefined): Promise<IssuedApiKey> {
    requireFuture(end, this.clock.now());
    return this.changing(caller, keyId, async (tx, { plan, known, now }) => {
      const ended = known.revoked_at !== null || known.successor_id !== null || known.locked_at !== null;
      if (ended || (known.expires_at !== null && known.expires_at <= now)) {
        throw new Problem(409, 'api_key_not_active', 'Only an active key can be rotated.');
      }
      if (grace > 0) {
        const superseded = await countSupersededApiKeys(tx, caller.organizationId, now);
        requireRoom(
          plan,
          'api_keys',
          superseded,
          ' in a grace period at a time; with grace_period 0 a key can be rotated now',
        );
      }
      const issued = await issueApiKey(tx, caller.organizationId, this.secrets.apiKeyPepper, {
        workspaceId: known.workspace_id,
        name: known.name,
        ipAllowlist: known.ip_allowlist,
        expiresAt: end ?? endAfterSameLife(known, now),
        createdBy: caller.userId,
        now,
      });
      await supersedeApiKey(tx, caller.organizationId, known.id, {
        successorId: issued.key.id,
        expiresAt: new Date(now.getTime() + grace),
      });
      await recordAuditBy(tx, caller, {
        action: 'api_key.rotated',
        target: { kind: 'api_key', id: known.id },
        details: {
          name: known.name,
          successor_id: issued.key.id,
          grace_seconds: grace / 1_000,
          expires_at: issued.key.expires_at,
        },
        occurredAt: now,
      });
      return issued;
    });
  }

  /** Revokes a key and unlocks those that the plan then has room for. A revoked key stays as it is. @throws {Problem} 404 */
  async revoke(caller: MemberCaller, keyId: string): Promise<void> {
    const now = this.clock.now();
    await this.database.transaction(async (tx) => {
      const ended = await endApiKey(tx, caller.organizationId, keyId, now);
      if (!ended) throw Problem.notFound('API key');
      if (!ended.revoked) return;
      await recordAuditBy(tx, caller, {
        action: 'api_key.revoked',
        target: { kind: 'api_key', id: ended.key.id },
        details: { name: ended.key.name, keys_unlocked: ended.unlocked },
        occurredAt: now,
      });
    });
    this.gate.forget();
  }

  private async changing<T>(
    caller: MemberCaller,
    keyId: string,
    work: (
      tx: Transaction,
      given: { readonly plan: PlanName; readonly known: ApiKeyRow; readonly now: Date },
    ) => Promise<T>,
  ): Promise<T> {
    const now = this.clock.now();
    const result = await this.database.transaction(async (tx) => {
      // the organization before the key, as a change of plan locks them: another order would be a deadlock
      const { plan } = await requireOrganization(tx, caller.organizationId);
      const known = await requireById('API key', keyId, (id) => lockApiKey(tx, caller.organizationId, id));
      return work(tx, { plan, known, now });
    });
    this.gate.forget();
    return result;
  }
}

/** @throws {Problem} 400 */
function requireFuture(expiresAt: Date | undefined, now: Date): void {
  if (expiresAt !== undefined && expiresAt <= now) {
    throw Problem.invalid([{ param: 'expires_at', message: 'must be in the future' }]);
  }
}

/** When a key made now ends that lives as long as the given one was to live. */
function endAfterSameLife({ created_at, expires_at }: ApiKeyRow, now: Date): Date | null {
  if (expires_at === null) return null;
  const end = now.getTime() + expires_at.getTime() - created_at.getTime();
  return new Date(Math.min(end, LATEST_INSTANT.getTime()));
}
