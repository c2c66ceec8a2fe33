import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PLANS } from '../../../config/plans.js';
import { Clock } from '../../platform/clock.js';
import type { Secrets } from '../../platform/crypto/secrets.js';
import { Database } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import { API_KEY_PARAMETER } from '../../platform/http/access-declaration.js';
import { Problem } from '../../platform/http/problem.js';
import { SECRETS } from '../../platform/platform.module.js';
import { dayOf } from '../../platform/utc-calendar.js';
import { ReadCache } from '../../platform/work/read-cache.js';
import { hashApiKey, isWellFormedApiKey } from '../api-keys/api-key-format.js';
import { type FlagRow, listFlags } from '../flags/flags.queries.js';
import { inRanges } from '../../../config/ip-ranges.js';
import { addressOf, type ApiCaller } from './caller.js';
import { type ApiKeyCredential, findApiKeyCredential } from './credentials.queries.js';
import { LastUse } from './last-use.js';

/** Milliseconds that keys and flags are cached: changes must take effect everywhere within 1 s. */
export const CACHE_MS = 500;
const MAX_KEPT_KEYS = 10_000;
/** Seconds after which a client should check whether the public API is available again. */
const MAINTENANCE_RETRY_SECONDS = '60';

/** Admits callers of the public API: checks 1 to 6 of the contract, in that order. */
@Injectable()
export class ApiKeyGate {
  private readonly keys = new ReadCache<ApiKeyCredential>(CACHE_MS, MAX_KEPT_KEYS);
  private readonly flags = new ReadCache<FlagRow[]>(CACHE_MS, 1);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly lastUse: LastUse,
    @Inject(SECRETS) private readonly secrets: Secrets,
  ) {}

  /**
   * @param feed whether the key may also be the password of HTTP Basic or the query parameter `api_key`
   * @throws {Problem} 503 `public_api_disabled`, 401 `api_key_invalid`, 403 `api_key_locked`, `organization_suspended`,
   * `ip_not_allowed`, `plan_not_eligible`
   */
  async admit(request: FastifyRequest, feed: boolean): Promise<ApiCaller> {
    await this.checkMaintenance();
    const key = await this.credential(request, feed);
    request.loggedCaller = { organization_id: key.organizationId, api_key_id: key.id };
    if (key.lockedAt !== null) {
      throw forbidden(
        'api_key_locked',
        'The API key is locked because the plan was lowered and no longer allows this many keys. Upgrade the plan or use another key.',
      );
    }
    if (key.suspended) {
      throw forbidden(
        'organization_suspended',
        'The organization is suspended. GET /auth/me shows its members since when, and why.',
      );
    }
    if (key.deleteAfter !== null) {
      throw forbidden(
        'organization_suspended',
        `The organization is scheduled for deletion on ${dayOf(key.deleteAfter)}. An owner can cancel the deletion until then.`,
      );
    }
    const address = addressOf(request);
    for (const ranges of [key.ipAllowlist, key.organizationIpAllowlist]) {
      if (ranges.length > 0 && !inRanges(address, ranges)) {
        throw forbidden(
          'ip_not_allowed',
          `The address ${address} is not on the allowlist of the API key or of the organization.`,
        );
      }
    }
    if (!PLANS[key.plan].public_api) {
      throw forbidden(
        'plan_not_eligible',
        `The plan ${key.plan} does not include the public API. Upgrade to growth or higher.`,
      );
    }
    this.lastUse.ofApiKey(key.id, key.lastUsedAt);
    return {
      apiKeyId: key.id,
      apiKeyName: key.name,
      organizationId: key.organizationId,
      workspaceId: key.workspaceId,
      plan: key.plan,
      address,
    };
  }

  /** Clears the caches: this process has just changed keys, flags, plans or allowlists. */
  forget(): void {
    this.keys.clear();
    this.flags.clear();
  }

  private async checkMaintenance(): Promise<void> {
    const flags = await this.flags.get('all', () => asSystem('flags', () => listFlags(this.database)));
    const flag = flags?.find((row) => row.name === 'disable_public_api' && row.enabled);
    if (!flag) return;
    const reason = flag.reason === null ? '' : ` Reason: ${flag.reason}`;
    throw new Problem(503, 'public_api_disabled', `The public API is switched off for maintenance.${reason}`, {
      headers: { 'retry-after': MAINTENANCE_RETRY_SECONDS },
    });
  }

  private async credential(request: FastifyRequest, feed: boolean): Promise<ApiKeyCredential> {
    const key = headerKey(request) ?? (feed ? (basicPassword(request) ?? queryKey(request)) : undefined);
    // BI tools use the first scheme that they support, and ask for user and password
    const challenge = `${feed ? 'Basic realm="api", charset="UTF-8", ' : ''}ApiKey realm="api"`;
    const refuse = (detail: string): Problem => Problem.unauthenticated('api_key_invalid', detail, challenge);
    if (!key) {
      const where = `in the X-API-Key header${feed ? ', or as the password of HTTP Basic authentication' : ''}`;
      throw refuse(`The request has no API key. Send it ${where}.`);
    }
    if (!isWellFormedApiKey(key)) {
      throw refuse(
        'The API key is not valid: it is incomplete or mistyped. A key is fk_ followed by 46 letters and digits.',
      );
    }
    // cached under a digest that costs a tenth of the peppered one; neither reveals the key
    const found = await this.keys.get(hash('sha256', key, 'base64'), () =>
      asSystem('key of a request', () =>
        findApiKeyCredential(this.database, hashApiKey(key, this.secrets.apiKeyPepper)),
      ),
    );
    // unknown, revoked and expired keys get the same reply: a thief must not learn what happened to the key
    if (!found || found.revokedAt !== null) throw refuse('The API key is not valid.');
    if (found.expiresAt !== null && found.expiresAt <= this.clock.now()) throw refuse('The API key is not valid.');
    return found;
  }
}

function forbidden(code: string, detail: string): Problem {
  return new Problem(403, code, detail);
}

function headerKey(request: FastifyRequest): string | undefined {
  const value = request.headers['x-api-key'];
  return Array.isArray(value) ? value.join(',') : value;
}

function basicPassword(request: FastifyRequest): string | undefined {
  const encoded = /^basic ([A-Za-z0-9+/=]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  return pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : undefined;
}

function queryKey(request: FastifyRequest): string | undefined {
  const value = (request.query as Record<string, unknown>)[API_KEY_PARAMETER];
  return typeof value === 'string' ? value : undefined;
}
