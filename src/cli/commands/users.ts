import { COMMAND_LINE } from '../../access/audit/audit-event.js';
import { recordAuditOfAccount } from '../../access/audit/record-by.js';
import { removeSecret } from '../../access/second-factor/second-factor.queries.js';
import { endSessions } from '../../access/sessions/sessions.queries.js';
import { generatePassword, hashPassword } from '../../access/users/password.js';
import { listUsers, setPassword, type UserRow } from '../../access/users/users.queries.js';
import type { Transaction } from '../../platform/database/database.js';
import type { MemberRole } from '../../platform/http/access-declaration.js';
import type { AdminContext } from '../context.js';
import { organizationOf, userOf } from '../input.js';
import type { Answer } from '../output.js';
import { ensureMember, ensureOperator, ensureUser } from './ensure.js';

const show = (user: UserRow) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  operator: user.is_operator,
  created_at: user.created_at,
});

export async function listUsersCommand({ database }: AdminContext): Promise<Answer> {
  return (await listUsers(database)).map(show);
}

export function createUserCommand(
  { database, now }: AdminContext,
  options: { readonly email: string; readonly name?: string; readonly operator?: boolean },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const wanted = { email: options.email, name: options.name ?? options.email, isOperator: options.operator === true };
    const { user, password } = await ensureUser(tx, wanted, now);
    if (wanted.isOperator) await ensureOperator(tx, user, true, now); // of one that was there
    return { ...show(user), operator: user.is_operator || wanted.isOperator, password, created: password !== null };
  });
}

export function setOperatorCommand(
  { database, now }: AdminContext,
  options: { readonly email: string; readonly operator: boolean },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const user = await userOf(tx, options.email);
    await ensureOperator(tx, user, options.operator, now);
    return { ...show(user), operator: options.operator };
  });
}

/** Gives the user a new generated password and ends all sessions. */
export function resetPasswordCommand(
  { database, mails, now }: AdminContext,
  options: { readonly email: string },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const user = await userOf(tx, options.email);
    const password = generatePassword();
    await setPassword(tx, user.id, await hashPassword(password), now);
    await endSessions(tx, user.id, null, now);
    await mails.passwordChanged(tx, user.email, 'operator');
    await auditAccount(tx, user, 'password.reset', now);
    return { email: user.email, password };
  });
}

/** Takes the second factor away from who has lost it and the recovery codes; an operator must set up a new one. */
export function resetSecondFactorCommand(
  { database, mails, now }: AdminContext,
  options: { readonly email: string },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const user = await userOf(tx, options.email);
    await removeSecret(tx, user.id);
    await endSessions(tx, user.id, null, now);
    await mails.secondFactorOff(tx, user.email, 'operator');
    await auditAccount(tx, user, 'second_factor.reset', now);
    return { email: user.email, second_factor: false };
  });
}

export function setMemberCommand(
  { database, now }: AdminContext,
  options: { readonly email: string; readonly organization: string; readonly role: MemberRole },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const organization = await organizationOf(tx, options.organization);
    const user = await userOf(tx, options.email);
    await ensureMember(tx, organization.id, user, options.role, now);
    return { organization_id: organization.id, email: user.email, role: options.role };
  });
}

function auditAccount(tx: Transaction, user: UserRow, action: string, occurredAt: Date): Promise<void> {
  const target = { kind: 'user', id: user.id };
  const details = { email: user.email };
  return recordAuditOfAccount(tx, user.id, { actor: COMMAND_LINE, action, target, details, occurredAt });
}
