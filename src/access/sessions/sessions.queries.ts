import type { Queryable } from '../../platform/database/database.js';
import { newId } from '../../platform/ids.js';
import { generateSessionToken, hashSessionToken, SESSION_ABSOLUTE_MS } from './session-token.js';

export interface NewSession {
  readonly userId: string;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly now: Date;
}

/** Opens a session; the token exists in the reply only. */
export async function openSession(
  db: Queryable,
  session: NewSession,
): Promise<{ id: string; token: string; expiresAt: Date }> {
  const id = newId();
  const token = generateSessionToken();
  const expiresAt = new Date(session.now.getTime() + SESSION_ABSOLUTE_MS);
  await db.execute(
    `INSERT INTO sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at, address, user_agent)
     VALUES ($1, $2, $3, $4, $4, $5, $6, $7)`,
    [id, session.userId, hashSessionToken(token), session.now, expiresAt, session.address, session.userAgent],
  );
  return { id, token, expiresAt };
}

/** Ends all sessions of a user, but for the one to keep. */
export function endSessions(db: Queryable, userId: string, keep: string | null, now: Date): Promise<number> {
  return db.execute(
    `UPDATE sessions SET revoked_at = $3 WHERE user_id = $1 AND revoked_at IS NULL AND ($2::uuid IS NULL OR id <> $2)`,
    [userId, keep, now],
  );
}
