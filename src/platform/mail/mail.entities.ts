import { defineEntity, p } from '@mikro-orm/core';
import { instant, text } from '../database/columns.js';

/** Outbox of e-mails: written with what they tell of, sent after. */
export const MailMessageEntity = defineEntity({
  name: 'MailMessage',
  tableName: 'mail_messages',
  properties: {
    id: p.uuid().primary(),
    /** What it is about, for operators: `invitation`, `password_reset` … */
    kind: text(),
    /** pending, sent, refused (by the mail server, for good) or expired. */
    status: text().default('pending'),
    /** Recipient and text, encrypted, since they may carry a link that opens an account; gone once the message has ended. */
    sealed: p.blob().nullable(),
    attempts: p.integer().default(0),
    nextAttemptAt: instant(),
    /** When it is given up: by then its link has expired, or its news is old. */
    expiresAt: instant(),
    lastError: text().nullable(),
    createdAt: instant(),
    endedAt: instant().nullable(),
  },
  indexes: [{ name: 'mail_messages_due', properties: ['nextAttemptAt'], where: `status = 'pending'` }],
});

export const MAIL_ENTITIES = [MailMessageEntity];
