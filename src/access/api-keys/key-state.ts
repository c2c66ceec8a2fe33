import type { ApiKeyRow } from './api-keys.queries.js';

export const KEY_STATES = ['active', 'locked', 'superseded', 'expired', 'revoked', 'unreadable'] as const;
export type KeyState = (typeof KEY_STATES)[number];

/** The first of these that applies, the most final one first. */
export function keyState(key: ApiKeyRow, now: Date): KeyState {
  if (key.revoked_at !== null) return 'revoked';
  if (key.expires_at !== null && key.expires_at <= now) return 'expired';
  if (key.unreadable) return 'unreadable';
  if (key.locked_at !== null) return 'locked';
  return key.successor_id === null ? 'active' : 'superseded';
}

const ENDED: readonly KeyState[] = ['revoked', 'expired', 'unreadable'];

/** For a key that has been read, the counterpart of `notEnded` in SQL (api-keys.queries.ts). */
export function hasEnded(key: ApiKeyRow, now: Date): boolean {
  return ENDED.includes(keyState(key, now));
}
