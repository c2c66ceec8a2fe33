import { apiKeyNotEnded, IS_DEMO } from '../../access/index.js';
import { countRows, one, type Queryable } from '../../platform/database/database.js';

// What customers do is counted for one organization, or for all except the demo, which nobody maintains while it has its original name;
// everything else is counted for the installation.
export const SUBJECT = `($1::uuid IS NULL AND NOT ${IS_DEMO} OR o.id = $1)`;

/** The number of items, and of those that meet the expectation. */
export interface Share {
  readonly total: number;
  readonly meeting: number;
}

export function countOperatorFactors(db: Queryable): Promise<Share> {
  return one(
    db,
    `SELECT count(*)::int AS total, count(totp_confirmed_at)::int AS meeting FROM users WHERE is_operator`,
  );
}

/** Administrators and owners of active organizations. */
export function countAdminFactors(db: Queryable, organizationId: string | null): Promise<Share> {
  return one(
    db,
    `SELECT count(*)::int AS total, count(totp_confirmed_at)::int AS meeting FROM users u
       WHERE EXISTS (SELECT FROM memberships m JOIN organizations o ON o.id = m.organization_id
                     WHERE m.user_id = u.id AND m.role IN ('admin', 'owner') AND o.suspended_at IS NULL AND ${SUBJECT})`,
    [organizationId],
  );
}

/** Memberships in active organizations (in others nobody can review them), and those neither begun nor reviewed since. */
export function countReviews(
  db: Queryable,
  organizationId: string | null,
  since: Date,
): Promise<{ total: number; overdue: number }> {
  return one(
    db,
    `SELECT count(*)::int AS total, count(*) FILTER (WHERE greatest(m.reviewed_at, m.created_at) < $2)::int AS overdue
       FROM memberships m JOIN organizations o ON o.id = m.organization_id WHERE o.suspended_at IS NULL AND ${SUBJECT}`,
    [organizationId, since],
  );
}

/** Usable keys `k` of active organizations `o`: `$1` is the organization, `$2` the current time. */
const LIVE_KEYS = `api_keys k JOIN organizations o ON o.id = k.organization_id
       WHERE ${apiKeyNotEnded('$2')} AND o.suspended_at IS NULL AND ${SUBJECT}`;

/** Open sessions of users who are not operators and belong to no organization. */
export function countStraySessions(db: Queryable, now: Date, idleSince: Date): Promise<number> {
  return countRows(
    db,
    `SELECT FROM sessions s JOIN users u ON u.id = s.user_id
     WHERE s.revoked_at IS NULL AND s.expires_at > $1 AND s.last_seen_at > $2 AND NOT u.is_operator
       AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id)`,
    [now, idleSince],
  );
}

/** Usable keys whose creator is no longer a member. */
export function countStrayKeys(db: Queryable, organizationId: string | null, now: Date): Promise<number> {
  return countRows(
    db,
    `SELECT FROM ${LIVE_KEYS} AND k.created_by IS NOT NULL
       AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = k.created_by AND m.organization_id = k.organization_id)`,
    [organizationId, now],
  );
}

/** Usable keys: all of them, those created before `oldest` and not replaced, and those replaced without an end. */
export function countKeys(
  db: Queryable,
  organizationId: string | null,
  now: Date,
  oldest: Date,
): Promise<{ total: number; old: number; endless: number }> {
  return one(
    db,
    `SELECT count(*)::int AS total, count(*) FILTER (WHERE k.created_at < $3 AND k.successor_id IS NULL)::int AS old,
              count(*) FILTER (WHERE k.successor_id IS NOT NULL AND k.expires_at IS NULL)::int AS endless
       FROM ${LIVE_KEYS}`,
    [organizationId, now, oldest],
  );
}

/** Whether an allowlist excludes any address: an empty one admits all, and so does one with a range of prefix length 0. */
const binds = (allowlist: string): string =>
  `(${allowlist} <> '{}' AND NOT EXISTS (SELECT FROM unnest(${allowlist}) AS listed (range) WHERE listed.range LIKE '%/0'))`;

/** Usable keys, and those of them that are restricted by an allowlist of their own or of the organization. */
export function countBoundKeys(db: Queryable, organizationId: string | null, now: Date): Promise<Share> {
  return one(
    db,
    `SELECT count(*)::int AS total, count(*) FILTER (WHERE ${binds('k.ip_allowlist')} OR ${binds('o.ip_allowlist')})::int AS meeting
       FROM ${LIVE_KEYS}`,
    [organizationId, now],
  );
}

/** Open sessions, those that exceed the maximum lifetime, and ended ones still kept after `keptUntil`. */
export function countSessions(
  db: Queryable,
  now: Date,
  longestMs: number,
  keptUntil: Date,
): Promise<{ live: number; overlong: number; kept: number }> {
  return one(
    db,
    `SELECT count(*) FILTER (WHERE open)::int AS live,
              count(*) FILTER (WHERE open AND expires_at > created_at + make_interval(secs => $2))::int AS overlong,
              count(*) FILTER (WHERE expires_at < $3)::int AS kept
       FROM (SELECT *, revoked_at IS NULL AND expires_at > $1 AS open FROM sessions) s`,
    [now, longestMs / 1_000, keptUntil],
  );
}
