import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../../platform/database/columns.js';
import { userReference } from '../users/users.entities.js';

/** A link for replacing a forgotten password; deleted on use. */
export const PasswordResetEntity = defineEntity({
  name: 'PasswordReset',
  tableName: 'password_resets',
  properties: {
    id: p.uuid().primary(),
    user: userReference(),
    /** SHA-256 of the token in the link. */
    tokenHash: p.blob().unique('password_resets_token'),
    createdAt: instant(),
    expiresAt: instant(),
  },
  indexes: [{ name: 'password_resets_user', properties: ['user'] }],
});
