import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { seal, unseal } from '../../platform/crypto/sealed-box.js';
import type { Secrets } from '../../platform/crypto/secrets.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import { Problem } from '../../platform/http/problem.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { SECRETS } from '../../platform/platform.module.js';
import type { AuditAction } from '../audit/audit-action.js';
import { actorOf } from '../audit/audit-event.js';
import { recordAuditOfAccount } from '../audit/record-by.js';
import type { UserCaller } from '../guard/caller.js';
import { AccountMails } from '../mails/account-mails.js';
import { listMembershipsOfUser } from '../organizations/members/memberships.queries.js';
import { takeAttempt } from '../attempts/attempt-limit.js';
import { provePassword, requireSamePassword } from '../sessions/current-password.js';
import { endSessions } from '../sessions/sessions.queries.js';
import { clearAttempts, codeSubject } from '../attempts/attempts.queries.js';
import type { UserRow } from '../users/users.queries.js';
import { generateRecoveryCodes, hashRecoveryCode, RECOVERY_CODE } from './recovery-codes.js';
import {
  confirmSecret,
  lockSecondFactor,
  removeSecret,
  replaceRecoveryCodes,
  type SecondFactorRow,
  storeSecret,
  useRecoveryCode,
  useStep,
} from './second-factor.queries.js';
import { matchingStep, toBase32 } from './totp.js';

const ISSUER = 'Demand forecasting';
const SECRET_BYTES = 20;

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

/** Time-based one-time codes as a second factor for signing in. The secret is stored encrypted for its user. */
@Injectable()
export class SecondFactorService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly mails: AccountMails,
    @Inject(SECRETS) private readonly secrets: Secrets,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Creates a secret to be added to an authenticator. It takes effect once it is confirmed.
   * @throws {Problem} 403 `password_wrong`; 409 `second_factor_on`; 429
   */
  async begin(user: UserCaller, password: string): Promise<{ secret: string; otpauth_url: string }> {
    const account = await provePassword(this.database, user, password, this.clock.now());
    const bytes = randomBytes(SECRET_BYTES);
    const sealed = seal(bytes, this.secrets.encryptionKey, user.userId);
    await this.database.transaction(async (tx) => {
      await requireSamePassword(tx, account);
      if (!(await storeSecret(tx, user.userId, sealed))) throw isOn();
    });
    const secret = toBase32(bytes);
    const label = encodeURIComponent(`${ISSUER}:${user.email}`);
    return { secret, otpauth_url: `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(ISSUER)}` };
  }

  /**
   * Turns the factor on and ends the user's other sessions, which were opened without it. A correct code proves that the caller
   * received the secret, which was issued for the password.
   * @throws {Problem} 403 `code_wrong`; 409 `second_factor_off` if none was begun, `second_factor_on`; 429
   */
  confirm(user: UserCaller, code: string): Promise<{ recovery_codes: string[] }> {
    return this.changing(user, code, 'second_factor.turned_on', async (tx, row) => {
      if (row.confirmedAt !== null) throw isOn();
      const now = this.clock.now();
      await confirmSecret(tx, user.userId, now);
      await endSessions(tx, user.userId, user.sessionId, now);
      await this.mails.secondFactorOn(tx, user.email, user);
      return this.newRecoveryCodes(tx, user.userId);
    });
  }

  /** @throws {Problem} 403 `password_wrong`, `code_wrong`; 409 `second_factor_off`; 429 */
  async renewRecoveryCodes(
    user: UserCaller,
    { password, code }: Required<OwnerProof>,
  ): Promise<{ recovery_codes: string[] }> {
    const account = await provePassword(this.database, user, password, this.clock.now());
    return this.changing(user, code, 'second_factor.recovery_codes_renewed', async (tx, row) => {
      await requireSamePassword(tx, account);
      if (row.confirmedAt === null) throw isOff();
      await this.mails.recoveryCodesRenewed(tx, user.email, user);
      return this.newRecoveryCodes(tx, user.userId);
    });
  }

  /** @throws {Problem} 403 `password_wrong`, `code_wrong`; 409 `second_factor_off`; 429 */
  async remove(user: UserCaller, { password, code }: Required<OwnerProof>): Promise<void> {
    const account = await provePassword(this.database, user, password, this.clock.now());
    await this.changing(user, code, 'second_factor.turned_off', async (tx, row) => {
      await requireSamePassword(tx, account);
      if (row.confirmedAt === null) throw isOff();
      await removeSecret(tx, user.userId);
      await this.mails.secondFactorOff(tx, user.email, user);
    });
  }

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
  private async take(
    tx: Transaction,
    userId: string,
    row: SecondFactorRow,
    code: string,
  ): Promise<UsedFactor | undefined> {
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

  private async newRecoveryCodes(tx: Transaction, userId: string): Promise<{ recovery_codes: string[] }> {
    const codes = generateRecoveryCodes();
    await replaceRecoveryCodes(tx, userId, codes.map(hashRecoveryCode));
    return { recovery_codes: codes };
  }

  /** Runs a change that requires a code of the second factor. Wrong codes are counted, since six digits could be guessed. */
  private async changing<T>(
    user: UserCaller,
    code: string,
    action: AuditAction,
    work: (tx: Transaction, row: SecondFactorRow) => Promise<T>,
  ): Promise<T> {
    const now = this.clock.now();
    const subjects = [codeSubject(user.userId)];
    await takeAttempt(this.database, subjects, now);
    const change = async (tx: Transaction): Promise<T> => {
      const row = await lockSecondFactor(tx, user.userId);
      if (!row || row.secret === null) throw isOff();
      if ((await this.take(tx, user.userId, row, code)) === undefined) throw wrongCode();
      const result = await work(tx, row);
      await clearAttempts(tx, subjects);
      const target = { kind: 'user', id: user.userId };
      await recordAuditOfAccount(tx, user.userId, { actor: actorOf(user), action, target, now });
      return result;
    };
    return asSystem('account of a user', () => this.database.transaction(change));
  }
}

const wrongCode = (): Problem => new Problem(403, 'code_wrong', 'The code is missing, wrong or already used.');
const isOn = (): Problem =>
  new Problem(409, 'second_factor_on', 'A second factor is already enabled. Remove it first.');
const isOff = (): Problem =>
  new Problem(409, 'second_factor_off', 'There is no second factor to confirm, change or remove.');
