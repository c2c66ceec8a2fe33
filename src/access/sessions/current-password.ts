import type { Queryable, Transaction } from '../../platform/database/database.js';
import { Problem } from '../../platform/http/problem.js';
import type { UserCaller } from '../guard/caller.js';
import { verifyPassword } from '../users/password.js';
import { findUserByEmail, lockPassword, type UserRow } from '../users/users.queries.js';
import { takeAttempt } from '../attempts/attempt-limit.js';
import { passwordSubject } from '../attempts/attempt-subjects.js';
import { clearAttempts } from '../attempts/attempts.queries.js';

/**
 * Checks the current password of a signed-in user, for actions that a stolen session alone must not allow. Counts guesses.
 * @returns the account, for {@link requireSamePassword} in the transaction of the change
 * @throws {Problem} 403 `password_wrong`; 429 `too_many_attempts`
 */
export async function provePassword(db: Queryable, user: UserCaller, password: string, now: Date): Promise<UserRow> {
  const subjects = [passwordSubject(user.userId)];
  await takeAttempt(db, subjects, now);
  const account = await findUserByEmail(db, user.email);
  if (!account || !(await verifyPassword(account.passwordHash, password))) throw wrongPassword();
  await clearAttempts(db, subjects);
  return account;
}

/**
 * Locks the account until the transaction ends.
 * @throws {Problem} 403 `password_wrong` if the password has changed since it was checked
 */
export async function requireSamePassword(tx: Transaction, account: UserRow): Promise<void> {
  if (!(await lockPassword(tx, account))) throw wrongPassword();
}

const wrongPassword = (): Problem => new Problem(403, 'password_wrong', 'The current password is wrong.');
