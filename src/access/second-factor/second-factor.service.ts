import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { seal } from '../../platform/crypto/sealed-box.js';
import type { Secrets } from '../../platform/crypto/secrets.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import { Problem } from '../../platform/http/problem.js';
import { SECRETS } from '../../platform/platform.module.js';
import type { AuditAction } from '../audit/audit-action.js';
import { actorOf } from '../audit/audit-event.js';
import { recordAuditOfAccount } from '../audit/record-by.js';
import type { UserCaller } from '../guard/caller.js';
import { AccountMails } from '../mails/account-mails.js';
import { takeAttempt } from '../attempts/attempt-limit.js';
import { provePassword, requireSamePassword } from '../sessions/current-password.js';
import { endSessions } from '../sessions/sessions.queries.js';
import { codeSubject } from '../attempts/attempt-subjects.js';
import { clearAttempts } from '../attempts/attempts.queries.js';
import { generateRecoveryCodes, hashRecoveryCode } from './recovery-codes.js';
import {
  confirmSecret,
  lockSecondFactor,
  removeSecret,
  replaceRecoveryCodes,
  type SecondFactorRow,
  storeSecret,
} from './second-factor.queries.js';
import { type OwnerProof, SecondFactorCheck, wrongCode } from './second-factor-check.js';
import { toBase32 } from './totp.js';

const ISSUER = 'Demand forecasting';
const SECRET_BYTES = 20;

/** How users turn their second factor on and off: time-based one-time codes, whose secret is stored encrypted for its user. */
@Injectable()
export class SecondFactorService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly mails: AccountMails,
    private readonly check: SecondFactorCheck,
    @Inject(SECRETS) private readonly secrets: Secrets,
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
      if ((await this.check.take(tx, user.userId, row, code)) === undefined) throw wrongCode();
      const result = await work(tx, row);
      await clearAttempts(tx, subjects);
      const target = { kind: 'user', id: user.userId };
      await recordAuditOfAccount(tx, user.userId, { actor: actorOf(user), action, target, now });
      return result;
    };
    return asSystem('account of a user', () => this.database.transaction(change));
  }
}

const isOn = (): Problem =>
  new Problem(409, 'second_factor_on', 'A second factor is already enabled. Remove it first.');
const isOff = (): Problem =>
  new Problem(409, 'second_factor_off', 'There is no second factor to confirm, change or remove.');
