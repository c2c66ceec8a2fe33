import { defineEntity, p } from '@mikro-orm/core';
import { userReference } from '../users/users.entities.js';

/** A code that replaces the authenticator once; deleted on use. */
export const RecoveryCodeEntity = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_codes',
  properties: {
    user: userReference().primary(),
    /** SHA-256 of the code. */
    hash: p.blob().primary(),
  },
});
