import type { Queryable } from '../../platform/database/database.js';
import { earlier, later } from '../../platform/durations.js';
import type { IdSlice } from '../../platform/http/pagination.js';
import { newId } from '../../platform/ids.js';
import { generateSessionToken, hashSessionToken, SESSION_ABSOLUTE_MS, SESSION_IDLE_MS } from './session-token.js';

export interface NewSession {
  readonly userId: string;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly now: Date;
}

/** Opens a session; its token exists only in the reply. */
export async function openSession(
  db: Queryable,
  session: NewSession,
): Promise<{ id: string; token: string; expiresAt: Date }> {
  const id = newId();
  const token = generateSessionToken();
  const expiresAt = later(session.now, SESSION_ABSOLUTE_MS);
  await db.execute(
    `INSERT INTO sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at, address, user_agent)
     VALUES ($1, $2, $3, $4, $4, $5, $6, $7)`,
    [id, session.userId, hashSessionToken(token), session.now, expiresAt, session.address, session.userAgent],
  );
  return { id, token, expiresAt };
}

/** Ends all sessions of a user except the one to keep. @returns how many there were */
export function endSessions(db: Queryable, userId: string, keep: string | null, now: Date): Promise<number> {
  return db.execute(
    `UPDATE sessions SET revoked_at = $3 WHERE user_id = $1 AND revoked_at IS NULL AND ($2::uuid IS NULL OR id <> $2)`,
    [userId, keep, now],
  );
}

export interface SessionRow {
  id: string;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  address: string | null;
  user_agent: string | null;
}

/** SQL condition that a session still admits its user; `$2` is the current time, `$3` {@link idleSince}. */
const LIVE = `revoked_at IS NULL AND expires_at > $2 AND last_seen_at > $3`;

/** A session last used before this has ended. */
const idleSince = (now: Date): Date => earlier(now, SESSION_IDLE_MS);

/** Newest first. */
export function listLiveSessions(
  db: Queryable,
  userId: string,
  now: Date,
  { limit, after }: IdSlice,
): Promise<SessionRow[]> {
  return db.query<SessionRow>(
    `SELECT id, created_at, last_seen_at, expires_at, address, user_agent FROM sessions
     WHERE user_id = $1 AND ${LIVE}
       AND ($4::uuid IS NULL OR id < $4) ORDER BY id DESC LIMIT $5`,
    [userId, now, idleSince(now), after ?? null, limit],
  );
}

/** @returns whether the user had such a live session */
export async function endSession(db: Queryable, userId: string, sessionId: string, now: Date): Promise<boolean> {
  const ended = await db.execute(`UPDATE sessions SET revoked_at = $2 WHERE user_id = $1 AND ${LIVE} AND id = $4`, [
    userId,
    now,
    idleSince(now),
    sessionId,
  ]);
  return ended > 0;
}

export function deleteOldSessions(db: Queryable, now: Date): Promise<number> {
  return db.execute(`DELETE FROM sessions WHERE expires_at < $1::timestamptz - interval '30 days'`, [now]);
}
