import type { Transaction } from '../../platform/database/database.js';
import { Problem } from '../../platform/http/problem.js';
import type { Attribution } from '../audit/audit-event.js';
import { recordAuditOfAccount } from '../audit/record-by.js';
import type { AccountActor, AccountMails } from '../mails/account-mails.js';
import { endSessions } from '../sessions/sessions.queries.js';
import { setEmail, setName, setPassword, type UserRow } from '../users/users.queries.js';

export interface AccountChange<Value> {
  readonly userId: string;
  readonly from: Value;
  readonly to: Value;
}

/** Who changes an account, for the audit log and for the notice to the owner. */
export interface AccountChanger extends Attribution {
  /** As named in the notice. */
  readonly noticeActor: AccountActor;
}

/** Changes a user's name and records it; a no-op if the name is the same. */
export async function changeName(
  tx: Transaction,
  { userId, from, to }: AccountChange<string>,
  { actor, now }: Attribution,
): Promise<void> {
  if (from === to) return;
  await setName(tx, userId, to);
  await recordAuditOfAccount(tx, userId, {
    actor,
    action: 'user.renamed',
    target: { kind: 'user', id: userId },
    details: { from, to },
    now,
  });
}

/**
 * Changes an account's email address, notifies the previous one, and records it.
 * @throws {Problem} 409 `email_taken`
 */
export async function changeEmail(
  tx: Transaction,
  mails: AccountMails,
  { userId, from, to }: AccountChange<string>,
  { actor, noticeActor, now }: AccountChanger,
): Promise<void> {
  if (!(await setEmail(tx, userId, to))) {
    throw new Problem(409, 'email_taken', 'The address already belongs to an account.');
  }
  await mails.emailChanged(tx, from, noticeActor);
  await recordAuditOfAccount(tx, userId, {
    actor,
    action: 'email.changed',
    target: { kind: 'user', id: userId },
    details: { from, to },
    now,
  });
}

export interface PasswordChange {
  readonly user: Pick<UserRow, 'id' | 'email'>;
  readonly passwordHash: string;
  /** The session to keep; null ends all. */
  readonly keptSession: string | null;
  readonly action: 'password.changed' | 'password.reset';
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Changes an account's password, ends its sessions, notifies its owner, and records it. */
export async function changePassword(
  tx: Transaction,
  mails: AccountMails,
  { user, passwordHash, keptSession, action, details = {} }: PasswordChange,
  { actor, noticeActor, now }: AccountChanger,
): Promise<void> {
  await setPassword(tx, user.id, passwordHash, now);
  await endSessions(tx, user.id, keptSession, now);
  await mails.passwordChanged(tx, user.email, noticeActor);
  const target = { kind: 'user', id: user.id };
  await recordAuditOfAccount(tx, user.id, { actor, action, target, details, now });
}
