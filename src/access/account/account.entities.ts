import { defineEntity, p } from '@mikro-orm/core';
import { instant, text } from '../../platform/database/columns.js';
import { userReference } from '../users/users.entities.js';

/** A link that confirms the new email address of an account; deleted on use. */
export const EmailChangeEntity = defineEntity({
  name: 'EmailChange',
  tableName: 'email_changes',
  properties: {
    user: userReference().primary(),
    /** The new address, in lower case. */
    email: text(),
    /** SHA-256 of the token in the link. */
    tokenHash: p.blob().unique('email_changes_token'),
    createdAt: instant(),
    expiresAt: instant(),
  },
});
