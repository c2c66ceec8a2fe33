import { defineEntity, p } from '@mikro-orm/core';
import { instant, text } from '../../platform/database/columns.js';
import { userReference } from '../users/users.entities.js';

/** A signed-in browser or program. */
export const SessionEntity = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    id: p.uuid().primary(),
    user: userReference(),
    /** SHA-256 of the bearer token. */
    tokenHash: p.blob().unique('sessions_token'),
    createdAt: instant(),
    lastSeenAt: instant(),
    /** Absolute expiry, however active the session is. */
    expiresAt: instant(),
    revokedAt: instant().nullable(),
    address: text().nullable(),
    userAgent: text().nullable(),
  },
  indexes: [{ name: 'sessions_user', properties: ['user', 'id'] }],
});
