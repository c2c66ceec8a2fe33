import type { PlanName } from '../../../config/plans.js';
import { oneOrNone, type Queryable } from '../../platform/database/database.js';
import type { MemberRole } from '../../platform/http/access-declaration.js';

/** An API key with everything that determines whether it may be used. */
export interface ApiKeyCredential {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly workspaceId: string | null;
  readonly ipAllowlist: readonly string[];
  readonly lockedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly plan: PlanName;
  readonly suspended: boolean;
  /** When a requested deletion of the organization takes effect; its keys are refused from the time of the request. */
  readonly deleteAfter: Date | null;
  readonly organizationIpAllowlist: readonly string[];
}

/** Not scoped to an organization: the key is found by its hash. */
export function findApiKeyCredential(db: Queryable, hash: Buffer): Promise<ApiKeyCredential | undefined> {
  return oneOrNone<ApiKeyCredential>(
    db,
    `SELECT k.id, k.name, k.organization_id AS "organizationId", k.workspace_id AS "workspaceId", k.ip_allowlist AS "ipAllowlist",
            k.locked_at AS "lockedAt", k.revoked_at AS "revokedAt", k.expires_at AS "expiresAt", k.last_used_at AS "lastUsedAt",
            o.plan, (o.suspended_at IS NOT NULL) AS suspended, o.delete_after AS "deleteAfter",
            o.ip_allowlist AS "organizationIpAllowlist"
     FROM api_keys k JOIN organizations o ON o.id = k.organization_id
     WHERE k.hash = $1`,
    [hash],
  );
}

/**
 * Advances `last_used_at`, unless another process did within the last second. Skips a locked row: the deletion of a workspace holds
 * its keys until it ends, and every key used in the meantime would keep a connection waiting.
 */
export async function touchApiKey(db: Queryable, keyId: string, now: Date): Promise<void> {
  await db.execute(
    `UPDATE api_keys SET last_used_at = $2 WHERE id = (
       SELECT id FROM api_keys WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2::timestamptz - interval '1 second')
       FOR NO KEY UPDATE SKIP LOCKED)`,
    [keyId, now],
  );
}

/**
 * A session with its user and, if the route names an organization or workspace, the membership in it. An organization whose
 * deletion is due counts as deleted, although its rows may still exist.
 */
export interface SessionCredential {
  readonly sessionId: string;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly isOperator: boolean;
  readonly secondFactor: boolean;
  readonly organizationId: string | null;
  readonly workspaceId: string | null;
  readonly plan: PlanName | null;
  readonly suspended: boolean;
  /** Whether the organization admits only members with a second factor. */
  readonly secondFactorRequired: boolean;
  readonly role: MemberRole | null;
}

/** What the route's path names; at most one of the two. */
export interface RouteTarget {
  readonly organizationId: string | null;
  readonly workspaceId: string | null;
}

export function findSessionCredential(
  db: Queryable,
  tokenHash: Buffer,
  target: RouteTarget,
  now: Date,
): Promise<SessionCredential | undefined> {
  return oneOrNone<SessionCredential>(
    db,
    `SELECT s.id AS "sessionId", s.last_seen_at AS "lastSeenAt", s.expires_at AS "expiresAt", s.revoked_at AS "revokedAt",
            u.id AS "userId", u.email, u.name, u.is_operator AS "isOperator", (u.totp_confirmed_at IS NOT NULL) AS "secondFactor",
            o.id AS "organizationId", w.id AS "workspaceId", o.plan, (o.suspended_at IS NOT NULL) AS suspended,
            coalesce(o.second_factor_required, false) AS "secondFactorRequired", m.role
     FROM sessions s
     JOIN users u ON u.id = s.user_id
     LEFT JOIN workspaces w ON w.id = $3
     LEFT JOIN organizations o ON o.id = COALESCE(w.organization_id, $2) AND (o.delete_after IS NULL OR o.delete_after > $4)
     LEFT JOIN memberships m ON m.organization_id = o.id AND m.user_id = u.id
     WHERE s.token_hash = $1`,
    [tokenHash, target.organizationId, target.workspaceId, now],
  );
}

/** Advances `last_seen_at` at most once a minute, and skips a locked row, as during sign-out. */
export async function touchSession(db: Queryable, sessionId: string, now: Date): Promise<void> {
  await db.execute(
    `UPDATE sessions SET last_seen_at = $2 WHERE id = (
       SELECT id FROM sessions WHERE id = $1 AND last_seen_at < $2::timestamptz - interval '1 minute'
       FOR NO KEY UPDATE SKIP LOCKED)`,
    [sessionId, now],
  );
}
