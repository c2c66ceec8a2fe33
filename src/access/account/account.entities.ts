import { defineEntity, p } from '@mikro-orm/core';
import { instant, text } from '../../platform/database/columns.js';
import { userReference } from '../users/users.entities.js';

/** A link by which the new address of an account is confirmed; it goes when it is used. */
export const EmailChangeEntity = defineEntity({
  name: 'EmailChange',
  tableName: 'email_changes',
  properties: {
    user: userReference().primary(),
    /** The address to be, in lower case. */
    email: text(),
    /** SHA-256 of the token in the link. */
    tokenHash: p.blob().unique('email_changes_token'),
    createdAt: instant(),
    expiresAt: instant(),
  },
});
