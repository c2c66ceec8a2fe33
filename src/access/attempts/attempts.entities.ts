import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../../platform/database/columns.js';

/** Number of recent attempts, by what they are counted by (attempt-subjects.ts). Named after the first of them, failed sign-ins. */
export const SignInAttemptEntity = defineEntity({
  name: 'SignInAttempt',
  tableName: 'sign_in_attempts',
  properties: {
    /** SHA-256 of what is counted: no addresses of nonexistent accounts are stored. */
    subject: p.blob().primary(),
    failures: p.integer(),
    lastAt: instant(),
    blockedUntil: instant().nullable(),
  },
});
