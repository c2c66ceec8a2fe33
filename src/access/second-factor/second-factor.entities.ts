import { defineEntity, p } from '@mikro-orm/core';
import { userReference } from '../users/users.entities.js';

/** A code that stands in for the authenticator once; it goes when it is used. */
export const RecoveryCodeEntity = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_codes',
  properties: {
    user: userReference().primary(),
    /** SHA-256 of the code. */
    hash: p.blob().primary(),
  },
});
