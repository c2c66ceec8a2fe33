import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { seal, unseal } from '../../platform/crypto/sealed-box.js';
import type { Secrets } from '../../platform/crypto/secrets.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import { Problem } from '../../platform/http/problem.js';
import { SECRETS } from '../../platform/platform.module.js';
import { actorOf } from '../audit/audit-event.js';
import { recordAudit } from '../audit/audit-log.js';
import type { UserCaller } from '../guard/caller.js';
import { listMembershipsOfUser } from '../organizations/memberships.queries.js';
import { confirmSecret, lockSecondFactor, removeSecret, storeSecret, useStep } from './second-factor.queries.js';
import { matchingStep, toBase32 } from './totp.js';

const ISSUER = 'Demand forecasting';
const SECRET_BYTES = 20;

/** Time-based codes as a second factor of signing in. The secret is kept sealed for its user. */
@Injectable()
export class SecondFactorService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(SECRETS) private readonly secrets: Secrets,
  ) {}

  /** Makes a secret to put into an authenticator; it counts from its confirmation on. @throws {Problem} 409 `second_factor_on` */
  async begin(user: UserCaller): Promise<{ secret: string; otpauth_url: string }> {
    const bytes = randomBytes(SECRET_BYTES);
    const stored = await storeSecret(this.database, user.userId, seal(bytes, this.secrets.encryptionKey, user.userId));
    if (!stored) throw new Problem(409, 'second_factor_on', 'A second factor is on already; remove it first.');
    const secret = toBase32(bytes);
    const label = encodeURIComponent(`${ISSUER}:${user.email}`);
    return { secret, otpauth_url: `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(ISSUER)}` };
  }

  /** @throws {Problem} 403 `code_wrong`; 409 `second_factor_off` where none was begun */
  confirm(user: UserCaller, code: string): Promise<void> {
    return this.changing(user, code, 'second_factor.turned_on', (tx) =>
      confirmSecret(tx, user.userId, this.clock.now()),
    );
  }

  /** @throws {Problem} 403 `code_wrong`; 409 `second_factor_off` */
  remove(user: UserCaller, code: string): Promise<void> {
    return this.changing(user, code, 'second_factor.turned_off', (tx) => removeSecret(tx, user.userId));
  }

  /**
   * Checks the code of a sign-in whose password was right.
   * @throws {Problem} 401 `second_factor_required` without a code, `credentials_invalid` with a wrong or used one
   */
  async require(tx: Transaction, userId: string, code: string | undefined): Promise<void> {
    const row = await lockSecondFactor(tx, userId);
    if (!row || row.totp_secret === null || row.totp_confirmed_at === null) return;
    if (code === undefined)
      throw new Problem(401, 'second_factor_required', 'Send the code of your authenticator too.');
    if (!(await this.takes(tx, userId, row.totp_secret, row.totp_last_step, code))) {
      throw new Problem(401, 'credentials_invalid', 'The email, the password or the code is wrong.');
    }
  }

  private async takes(
    tx: Transaction,
    userId: string,
    sealed: Buffer,
    lastStep: number | null,
    code: string,
  ): Promise<boolean> {
    const step = matchingStep(unseal(sealed, this.secrets.encryptionKey, userId), code, this.clock.now());
    if (step === undefined || (lastStep !== null && step <= lastStep)) return false;
    await useStep(tx, userId, step);
    return true;
  }

  private changing(
    user: UserCaller,
    code: string,
    action: string,
    work: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    const change = async (tx: Transaction): Promise<void> => {
      const row = await lockSecondFactor(tx, user.userId);
      if (!row || row.totp_secret === null)
        throw new Problem(409, 'second_factor_off', 'There is no second factor to confirm or remove.');
      if (!(await this.takes(tx, user.userId, row.totp_secret, row.totp_last_step, code))) {
        throw new Problem(403, 'code_wrong', 'The code is wrong, or was used before.');
      }
      await work(tx);
      const memberships = await listMembershipsOfUser(tx, user.userId);
      for (const organizationId of memberships.length === 0
        ? [null]
        : memberships.map(({ organization_id }) => organization_id)) {
        const target = { kind: 'user', id: user.userId };
        await recordAudit(tx, { organizationId, actor: actorOf(user), action, target, occurredAt: this.clock.now() });
      }
    };
    return asSystem('account of a user', () => this.database.transaction(change));
  }
}
