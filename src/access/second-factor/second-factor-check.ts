import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { unseal } from '../../platform/crypto/sealed-box.js';
import type { Secrets } from '../../platform/crypto/secrets.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { Problem } from '../../platform/http/problem.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { SECRETS } from '../../platform/platform.module.js';
import { takeAttempt } from '../attempts/attempt-limit.js';
import { codeSubject } from '../attempts/attempt-subjects.js';
import { clearAttempts } from '../attempts/attempts.queries.js';
import type { UserCaller } from '../guard/caller.js';
import { AccountMails } from '../mails/account-mails.js';
import { listMembershipsOfUser } from '../organizations/members/memberships.queries.js';
import { provePassword, requireSamePassword } from '../sessions/current-password.js';
import type { UserRow } from '../users/users.queries.js';
import { hashRecoveryCode, RECOVERY_CODE } from './recovery-codes.js';
import { lockSecondFactor, type SecondFactorRow, useRecoveryCode, useStep } from './second-factor.queries.js';
import { matchingStep } from './totp.js';

/** Proof that the holder of a session owns the account. */
export interface OwnerProof {
  readonly password: string;
  /** From the authenticator, or a recovery code; required if the account has a second factor. */
  readonly code?: string;
}

/**
 * Checks the code in the transaction of the change: locks the user, and throws 403 `code_wrong`, also if there is no code, or
 * `password_wrong` if the password has changed since it was checked.
 */
export type OwnerCheck = (tx: Transaction) => Promise<void>;

/** How the second factor was provided. */
export type UsedFactor = 'authenticator' | 'recovery_code';

/** Checks codes of the second factor: at sign-in, and before what a stolen session alone must not allow. */
@Injectable()
export class SecondFactorCheck {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly mails: AccountMails,
    @Inject(SECRETS) private readonly secrets: Secrets,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Checks the code of a sign-in whose password was correct.
   * @returns what was provided; undefined for an account without a second factor
   * @throws {Problem} 401 `second_factor_required` without a code, `credentials_invalid` with a wrong or used one
   */
  async require(tx: Transaction, userId: string, code: string | undefined): Promise<UsedFactor | undefined> {
    const row = await lockSecondFactor(tx, userId);
    if (!row || row.confirmedAt === null) return undefined;
    if (code === undefined)
      throw Problem.unauthenticated(
        'second_factor_required',
        'The account has a second factor. Send a code from the authenticator as well.',
      );
    const given = await this.take(tx, userId, row, code);
    if (given === undefined) {
      throw Problem.unauthenticated('credentials_invalid', 'The email address, password or code is wrong.');
    }
    return given;
  }

  /**
   * Checks the password of a signed-in user, for what a stolen session alone must not allow. Counts guesses, including those of
   * codes.
   * @param purpose what the notice to the owner says a recovery code was used for; omitted if the account will no longer exist
   * @returns the account, and the check of its code
   * @throws {Problem} 403 `password_wrong`; 429 `too_many_attempts`
   */
  async proveOwner(
    user: UserCaller,
    { password, code }: OwnerProof,
    purpose?: `to ${string}`,
  ): Promise<{ account: UserRow; prove: OwnerCheck }> {
    const account = await provePassword(this.database, user, password, this.clock.now());
    return { account, prove: await this.countCode(user, account, code, purpose) };
  }

  /**
   * The second half of {@link proveOwner}, for what has to be checked between the password and the code.
   * @param account whose password was checked
   * @throws {Problem} 429 `too_many_attempts`
   */
  async countCode(
    user: UserCaller,
    account: UserRow,
    code: string | undefined,
    purpose?: `to ${string}`,
  ): Promise<OwnerCheck> {
    const subjects = [codeSubject(user.userId)];
    if (code !== undefined) await takeAttempt(this.database, subjects, this.clock.now());
    return async (tx) => {
      await requireSamePassword(tx, account);
      const row = await lockSecondFactor(tx, user.userId);
      const asked = row !== undefined && row.confirmedAt !== null;
      const given = asked && code !== undefined ? await this.take(tx, user.userId, row, code) : undefined;
      if (asked && given === undefined) throw wrongCode();
      await clearAttempts(tx, subjects);
      if (given === 'recovery_code' && purpose !== undefined)
        await this.mails.recoveryCodeUsed(tx, account.email, { purpose, address: user.address });
    };
  }

  /** Consumes a code. @returns undefined if it is wrong or was used before */
  async take(tx: Transaction, userId: string, row: SecondFactorRow, code: string): Promise<UsedFactor | undefined> {
    if (RECOVERY_CODE.test(code)) {
      return (await useRecoveryCode(tx, userId, hashRecoveryCode(code))) ? 'recovery_code' : undefined;
    }
    if (row.secret === null) return undefined;
    const secret = await this.open(tx, row.secret, userId);
    const step = matchingStep(secret, code, this.clock.now());
    if (step === undefined || (row.lastStep !== null && step <= row.lastStep)) return undefined;
    await useStep(tx, userId, step);
    return 'authenticator';
  }

  /** @throws {Problem} 403 `second_factor_unreadable` if it was sealed under another key */
  private async open(tx: Transaction, sealed: Buffer, userId: string): Promise<Buffer> {
    try {
      return unseal(sealed, this.secrets.encryptionKey, userId);
    } catch {
      const memberships = await listMembershipsOfUser(tx, userId);
      this.logger.warn(
        { user_id: userId, organization_ids: memberships.map(({ organization_id }) => organization_id) },
        'the second factor of a user was sealed under another ENCRYPTION_KEY and cannot be checked',
      );
      throw new Problem(
        403,
        'second_factor_unreadable',
        'The service can no longer verify codes for this account. Use a recovery code, or ask an operator to reset the second factor.',
      );
    }
  }
}

export const wrongCode = (): Problem => new Problem(403, 'code_wrong', 'The code is missing, wrong or already used.');
