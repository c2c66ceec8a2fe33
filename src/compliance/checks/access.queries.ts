import { IS_DEMO, unendedApiKey } from '../../access/index.js';
import { only, type Queryable } from '../../platform/database/database.js';

// What customers do is counted of one organization, or of all but the demo, which nobody tends while it has its first name; the
// rest is the installation's.
export const SUBJECT = `($1::uuid IS NULL AND NOT ${IS_DEMO} OR o.id = $1)`;

/** How many there are, and how many of them meet what is asked of them. */
export interface Share {
  readonly total: number;
  readonly meeting: number;
}

export async function countOperatorFactors(db: Queryable): Promise<Share> {
  return only(
    await db.query(
      `SELECT count(*)::int AS total, count(totp_confirmed_at)::int AS meeting FROM users WHERE is_operator`,
    ),
  );
}

/** Administrators and owners of organizations that may work. */
export async function countAdminFactors(db: Queryable, organizationId: string | null): Promise<Share> {
  return only(
    await db.query(
      `SELECT count(*)::int AS total, count(totp_confirmed_at)::int AS meeting FROM users u
       WHERE EXISTS (SELECT FROM memberships m JOIN organizations o ON o.id = m.organization_id
                     WHERE m.user_id = u.id AND m.role IN ('admin', 'owner') AND o.suspended_at IS NULL AND ${SUBJECT})`,
      [organizationId],
    ),
  );
}

/** Memberships of organizations that may work, without which nobody can review them, and those neither begun nor reviewed since. */
export async function countReviews(
  db: Queryable,
  organizationId: string | null,
  since: Date,
): Promise<{ total: number; overdue: number }> {
  return only(
    await db.query(
      `SELECT count(*)::int AS total, count(*) FILTER (WHERE greatest(m.reviewed_at, m.created_at) < $2)::int AS overdue
       FROM memberships m JOIN organizations o ON o.id = m.organization_id WHERE o.suspended_at IS NULL AND ${SUBJECT}`,
      [organizationId, since],
    ),
  );
}

/** Keys `k` that admit, of organizations `o` that may work: `$1` the organization, `$2` the present. */
const LIVE_KEYS = `api_keys k JOIN organizations o ON o.id = k.organization_id
       WHERE ${unendedApiKey('$2')} AND o.suspended_at IS NULL AND ${SUBJECT}`;

/** Open sessions of users who neither operate nor belong to any organization. */
export async function countStraySessions(db: Queryable, now: Date, idleSince: Date): Promise<number> {
  const { sessions } = only(
    await db.query<{ sessions: number }>(
      `SELECT count(*)::int AS sessions FROM sessions s JOIN users u ON u.id = s.user_id
       WHERE s.revoked_at IS NULL AND s.expires_at > $1 AND s.last_seen_at > $2 AND NOT u.is_operator
         AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id)`,
      [now, idleSince],
    ),
  );
  return sessions;
}

/** Keys that admit, whose maker is no longer a member. */
export async function countStrayKeys(db: Queryable, organizationId: string | null, now: Date): Promise<number> {
  const { keys } = only(
    await db.query<{ keys: number }>(
      `SELECT count(*)::int AS keys FROM ${LIVE_KEYS} AND k.created_by IS NOT NULL
         AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = k.created_by AND m.organization_id = k.organization_id)`,
      [organizationId, now],
    ),
  );
  return keys;
}

/** Keys that admit: all of them, those made before `oldest`, and those replaced without an end. */
export async function countKeys(
  db: Queryable,
  organizationId: string | null,
  now: Date,
  oldest: Date,
): Promise<{ total: number; old: number; endless: number }> {
  return only(
    await db.query(
      `SELECT count(*)::int AS total, count(*) FILTER (WHERE k.created_at < $3)::int AS old,
              count(*) FILTER (WHERE k.successor_id IS NOT NULL AND k.expires_at IS NULL)::int AS endless
       FROM ${LIVE_KEYS}`,
      [organizationId, now, oldest],
    ),
  );
}

/** Whether an allowlist leaves some address out: an empty one admits all, and so does one with a range of no prefix. */
const binds = (allowlist: string): string =>
  `(${allowlist} <> '{}' AND NOT EXISTS (SELECT FROM unnest(${allowlist}) AS listed (range) WHERE listed.range LIKE '%/0'))`;

/** Keys that admit, and those of them that an allowlist of their own or of the organization binds. */
export async function countBoundKeys(db: Queryable, organizationId: string | null, now: Date): Promise<Share> {
  return only(
    await db.query(
      `SELECT count(*)::int AS total, count(*) FILTER (WHERE ${binds('k.ip_allowlist')} OR ${binds('o.ip_allowlist')})::int AS meeting
       FROM ${LIVE_KEYS}`,
      [organizationId, now],
    ),
  );
}

/** Open sessions, those that outlive the longest session, and ended ones still kept after `keptUntil`. */
export async function countSessions(
  db: Queryable,
  now: Date,
  longestMs: number,
  keptUntil: Date,
): Promise<{ live: number; overlong: number; kept: number }> {
  return only(
    await db.query(
      `SELECT count(*) FILTER (WHERE open)::int AS live,
              count(*) FILTER (WHERE open AND expires_at > created_at + make_interval(secs => $2))::int AS overlong,
              count(*) FILTER (WHERE expires_at < $3)::int AS kept
       FROM (SELECT *, revoked_at IS NULL AND expires_at > $1 AS open FROM sessions) s`,
      [now, longestMs / 1_000, keptUntil],
    ),
  );
}
