import { defineEntity, p } from '@mikro-orm/core';
import { instant, text } from '../database/columns.js';

/** Outbox of emails: written together with what they report, sent afterwards. */
export const MailMessageEntity = defineEntity({
  name: 'MailMessage',
  tableName: 'mail_messages',
  properties: {
    id: p.uuid().primary(),
    /** What it is about, for operators: `invitation`, `password_reset` … */
    kind: text(),
    /** pending, sent, refused (permanently, by the mail server) or expired. */
    status: text().default('pending'),
    /** Recipient and text, encrypted, since they may contain a link that gives access to an account; cleared once the message has ended. */
    sealed: p.blob().nullable(),
    attempts: p.integer().default(0),
    nextAttemptAt: instant(),
    /** When to give up: by then its link has expired, or its news is stale. */
    expiresAt: instant(),
    lastError: text().nullable(),
    createdAt: instant(),
    endedAt: instant().nullable(),
  },
  indexes: [{ name: 'mail_messages_due', properties: ['nextAttemptAt'], where: `status = 'pending'` }],
});

export const MAIL_ENTITIES = [MailMessageEntity];
