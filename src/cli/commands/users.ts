import type { Command } from 'commander';
import { changeEmail, changeName, changePassword } from '../../access/account/change-account.js';
import { deleteAccount } from '../../access/account/delete-account.js';
import { COMMAND_LINE } from '../actor.js';
import { recordAuditOfAccount } from '../../access/audit/record-by.js';
import { removeSecret } from '../../access/second-factor/second-factor.queries.js';
import { endSessions } from '../../access/sessions/sessions.queries.js';
import { generatePassword, hashPassword } from '../../access/users/password.js';
import { listUsers, type UserRow } from '../../access/users/users.queries.js';
import type { MemberRole } from '../../platform/http/access-declaration.js';
import type { AddCommand } from '../add-command.js';
import type { AdminContext } from '../context.js';
import { organizationOf, userOf } from '../input/lookups.js';
import { EMAIL, emailOption, nameOption, ORGANIZATION, roleOption, switchOption } from '../input/options.js';
import type { Answer } from '../output/answer.js';
import { UsageError } from '../input/usage-error.js';
import { ensureMember, ensureOperator, ensureUser, nameOf } from './ensure.js';

const show = (user: UserRow) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  operator: user.isOperator,
  created_at: user.createdAt,
});

async function listUsersCommand({ database }: AdminContext): Promise<Answer> {
  return (await listUsers(database)).map(show);
}

function createUserCommand(
  { database, now }: AdminContext,
  options: { readonly email: string; readonly name?: string; readonly operator?: boolean },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const wanted = {
      email: options.email,
      name: options.name ?? nameOf(options.email),
      isOperator: options.operator === true,
    };
    const { user, password } = await ensureUser(tx, wanted, now);
    if (wanted.isOperator) await ensureOperator(tx, user, true, now); // for an existing user
    return { ...show(user), operator: user.isOperator || wanted.isOperator, password, created: password !== null };
  });
}

function setOperatorCommand(
  { database, now }: AdminContext,
  options: { readonly email: string; readonly operator: boolean },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const user = await userOf(tx, options.email);
    await ensureOperator(tx, user, options.operator, now);
    return { ...show(user), operator: options.operator };
  });
}

/** Changes the user's name, email address, or both. */
function changeUserCommand(
  { database, mails, now }: AdminContext,
  options: { readonly email: string; readonly name?: string; readonly to?: string },
): Promise<Answer> {
  const { name, to } = options;
  if (name === undefined && to === undefined) throw new UsageError('set --name, --to or both');
  return database.transaction(async (tx) => {
    const user = await userOf(tx, options.email);
    const by = { actor: COMMAND_LINE, noticeActor: 'operator', now } as const;
    if (name !== undefined) await changeName(tx, { userId: user.id, from: user.name, to: name }, by);
    if (to !== undefined && to !== user.email) {
      await changeEmail(tx, mails, { userId: user.id, from: user.email, to }, by);
    }
    return show({ ...user, name: name ?? user.name, email: to ?? user.email });
  });
}

async function deleteUserCommand(
  { database, mails, now }: AdminContext,
  options: { readonly email: string },
): Promise<Answer> {
  const user = await userOf(database, options.email);
  await deleteAccount(database, mails, { user, actor: COMMAND_LINE, noticeActor: 'operator', now });
  return { email: user.email, deleted: true };
}

/** Sets a new generated password and ends all sessions of the user. */
function resetPasswordCommand(
  { database, mails, now }: AdminContext,
  options: { readonly email: string },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const user = await userOf(tx, options.email);
    const password = generatePassword();
    const passwordHash = await hashPassword(password);
    const details = { email: user.email };
    const reset = { user, passwordHash, keptSession: null, action: 'password.reset', details } as const;
    await changePassword(tx, mails, reset, { actor: COMMAND_LINE, noticeActor: 'operator', now });
    return { email: user.email, password };
  });
}

/** Removes the second factor of a user who has lost it and the recovery codes; an operator must set up a new one. */
function resetSecondFactorCommand(
  { database, mails, now }: AdminContext,
  options: { readonly email: string },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const user = await userOf(tx, options.email);
    await removeSecret(tx, user.id);
    await endSessions(tx, user.id, null, now);
    await mails.secondFactorOff(tx, user.email, 'operator');
    await recordAuditOfAccount(tx, user.id, {
      actor: COMMAND_LINE,
      action: 'second_factor.reset',
      target: { kind: 'user', id: user.id },
      details: { email: user.email },
      now,
    });
    return { email: user.email, second_factor: false };
  });
}

function setMemberCommand(
  { database, now }: AdminContext,
  options: { readonly email: string; readonly organization: string; readonly role: MemberRole },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const organization = await organizationOf(tx, options.organization);
    const user = await userOf(tx, options.email);
    await ensureMember(tx, organization.id, { user, role: options.role, now });
    return { organization_id: organization.id, email: user.email, role: options.role };
  });
}

/** `user`: users, their roles and credentials. */
export function addUserCommands(program: Command, command: AddCommand): void {
  const user = program.command('user').description('manage users');
  command(user, 'list', 'list all users', listUsersCommand);
  command(user, 'create', 'create a user with a generated password', createUserCommand)
    .requiredOption('--email <email>', 'email to sign in with', emailOption)
    .option(
      '--name <name>',
      'name shown to others, including in the forum (default: the part of the email before the @)',
      nameOption('--name'),
    )
    .option('--operator', 'make the user an operator of the platform');
  command<{ email: string; state: boolean }>(
    user,
    'operator',
    'grant or revoke operator rights',
    (context, { email, state }) => setOperatorCommand(context, { email, operator: state }),
  )
    .argument('<state>', 'on or off', switchOption)
    .requiredOption(...EMAIL);
  command(user, 'change', 'change the name or email of a user', changeUserCommand)
    .requiredOption(...EMAIL)
    .option('--name <name>', 'name shown to others, including in the forum', nameOption('--name'))
    .option('--to <email>', 'new email; it is not verified, so make sure that it belongs to the user', emailOption);
  command(
    user,
    'delete',
    'delete an account permanently; fails for the last owner of an organization',
    deleteUserCommand,
  ).requiredOption(...EMAIL);
  command(user, 'reset-password', 'generate a new password and end all sessions', resetPasswordCommand).requiredOption(
    ...EMAIL,
  );
  command(
    user,
    'reset-second-factor',
    'remove a lost second factor and end all sessions',
    resetSecondFactorCommand,
  ).requiredOption(...EMAIL);
  command(user, 'member', 'add a user to an organization, or change their role', setMemberCommand)
    .requiredOption(...EMAIL)
    .requiredOption(...ORGANIZATION)
    .requiredOption('--role <role>', 'viewer, member, admin or owner', roleOption);
}
