import { counted } from '../../platform/counted.js';
import type { Queryable } from '../../platform/database/database.js';
import { Problem } from '../../platform/http/problem.js';
import type { AttemptSubject, PasswordSubjects } from './attempt-subjects.js';
import { clearAttempts, countAttempt, longestWait, uncountAttempt } from './attempts.queries.js';

/**
 * Counts an attempt for each subject before it is made, or for none if one has to wait: what is refused for an address is not a
 * failure of the account. Outside the attempt's transaction, which a failure rolls back.
 * @throws {Problem} 429 `too_many_attempts`
 */
export async function takeAttempt(db: Queryable, subjects: readonly AttemptSubject[], now: Date): Promise<void> {
  await requireNoWait(db, subjects, now);
  for (const subject of subjects) {
    // another attempt may have started a wait since, and a success may have ended it again: then any second will do
    if (!(await countAttempt(db, subject, now))) throw tooMany((await longestWait(db, subjects, now)) ?? 1);
  }
}

/**
 * Counts nothing: for what is checked before an attempt that is only counted together with its success.
 * @throws {Problem} 429 `too_many_attempts`
 */
export async function requireNoWait(db: Queryable, subjects: readonly AttemptSubject[], now: Date): Promise<void> {
  const wait = await longestWait(db, subjects, now);
  if (wait !== undefined) throw tooMany(wait);
}

const tooMany = (wait: number): Problem =>
  Problem.tooMany(wait, `Too many attempts. Try again in ${counted(wait, 'second')}.`, 'too_many_attempts');

/**
 * After a correct password the account's count is reset, while the address only gets this attempt back: otherwise an attacker could
 * clear failures on other accounts by signing in to one of their own.
 */
export async function clearAfterSuccess(db: Queryable, [account, address]: PasswordSubjects): Promise<void> {
  await clearAttempts(db, [account]);
  await uncountAttempt(db, address);
}
