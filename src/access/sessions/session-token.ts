import { hash, randomBytes } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../../platform/durations.js';

/** Milliseconds after which an idle session ends. */
export const SESSION_IDLE_MS = 12 * HOUR_MS;
/** Milliseconds after which a session ends, however active it is. */
export const SESSION_ABSOLUTE_MS = 14 * DAY_MS;

const SHAPE = /^fs_[A-Za-z0-9_-]{43}$/;

/** A new session bearer token: `fs_` and 256 random bits. */
export function generateSessionToken(): string {
  return `fs_${randomBytes(32).toString('base64url')}`;
}

/** SHA-256 of a token, which is random enough to need no salt; undefined if the format is wrong. */
export function hashSessionToken(token: string): Buffer | undefined {
  return SHAPE.test(token) ? hash('sha256', token, 'buffer') : undefined;
}
