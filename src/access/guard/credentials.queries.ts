import type { PlanName } from '../../../config/plans.js';
import type { Queryable } from '../../platform/database/database.js';
import type { MemberRole } from '../../platform/http/access-declaration.js';

/** An API key with everything that decides whether it may be used. */
export interface ApiKeyCredential {
  id: string;
  name: string;
  organization_id: string;
  workspace_id: string | null;
  ip_allowlist: string[];
  locked_at: Date | null;
  revoked_at: Date | null;
  expires_at: Date | null;
  last_used_at: Date | null;
  plan: PlanName;
  suspended: boolean;
  organization_ip_allowlist: string[];
}

/** Names no organization: the key's hash is what tells it. */
export async function findApiKeyCredential(db: Queryable, hash: Buffer): Promise<ApiKeyCredential | undefined> {
  const [row] = await db.query<ApiKeyCredential>(
    `SELECT k.id, k.name, k.organization_id, k.workspace_id, k.ip_allowlist, k.locked_at, k.revoked_at, k.expires_at,
            k.last_used_at, o.plan, (o.suspended_at IS NOT NULL OR o.delete_after IS NOT NULL) AS suspended,
            o.ip_allowlist AS organization_ip_allowlist
     FROM api_keys k JOIN organizations o ON o.id = k.organization_id
     WHERE k.hash = $1`,
    [hash],
  );
  return row;
}

/** Moves `last_used_at` forward, unless another process did within the last second. */
export async function touchApiKey(db: Queryable, keyId: string, now: Date): Promise<void> {
  await db.execute(
    `UPDATE api_keys SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2::timestamptz - interval '1 second')`,
    [keyId, now],
  );
}

/**
 * A session with its user and, where the route names an organization or workspace, the membership in it. An organization
 * whose deletion is due is as good as gone, though its rows may take a while.
 */
export interface SessionCredential {
  session_id: string;
  last_seen_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  user_id: string;
  email: string;
  name: string;
  is_operator: boolean;
  second_factor: boolean;
  organization_id: string | null;
  workspace_id: string | null;
  plan: PlanName | null;
  suspended: boolean;
  role: MemberRole | null;
}

/** What the route's path names; at most one of both. */
export interface RouteTarget {
  readonly organizationId: string | null;
  readonly workspaceId: string | null;
}

export async function findSessionCredential(
  db: Queryable,
  tokenHash: Buffer,
  target: RouteTarget,
  now: Date,
): Promise<SessionCredential | undefined> {
  const [row] = await db.query<SessionCredential>(
    `SELECT s.id AS session_id, s.last_seen_at, s.expires_at, s.revoked_at, u.id AS user_id, u.email, u.name, u.is_operator,
            (u.totp_confirmed_at IS NOT NULL) AS second_factor,
            o.id AS organization_id, w.id AS workspace_id, o.plan,
            (o.suspended_at IS NOT NULL) AS suspended, m.role
     FROM sessions s
     JOIN users u ON u.id = s.user_id
     LEFT JOIN workspaces w ON w.id = $3
     LEFT JOIN organizations o ON o.id = COALESCE(w.organization_id, $2) AND (o.delete_after IS NULL OR o.delete_after > $4)
     LEFT JOIN memberships m ON m.organization_id = o.id AND m.user_id = u.id
     WHERE s.token_hash = $1`,
    [tokenHash, target.organizationId, target.workspaceId, now],
  );
  return row;
}

/** Moves `last_seen_at` forward, at most once a minute. */
export async function touchSession(db: Queryable, sessionId: string, now: Date): Promise<void> {
  await db.execute(
    `UPDATE sessions SET last_seen_at = $2 WHERE id = $1 AND last_seen_at < $2::timestamptz - interval '1 minute'`,
    [sessionId, now],
  );
}
