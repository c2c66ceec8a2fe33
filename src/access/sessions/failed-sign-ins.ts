import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { recordAudit } from '../audit/audit-log.js';
import { recordAuditOfAccount } from '../audit/record-by.js';
import type { UserRow } from '../users/users.queries.js';

export interface FailedSignIn {
  /** Undefined where the address has no account; what was typed there is not kept, it may be a password. */
  readonly user: UserRow | undefined;
  readonly wrong: 'password' | 'second_factor';
  readonly address: string;
}

/**
 * Notes failed attempts to sign in in the audit log. It does so after the reply, whose time would otherwise tell how many
 * organizations the account reaches, and whether there is one.
 */
@Injectable()
export class FailedSignIns implements BeforeApplicationShutdown {
  private readonly pending = new Set<Promise<void>>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  note(failure: FailedSignIn): void {
    const occurredAt = this.clock.now();
    const work = new Promise((resolve) => setImmediate(resolve))
      .then(() => asSystem('failed sign-in', () => this.record(failure, occurredAt)))
      .catch((error: unknown) => this.logger.warn({ err: error }, 'a failed sign-in could not be noted'))
      .finally(() => this.pending.delete(work));
    this.pending.add(work);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.pending);
  }

  private record({ user, wrong, address }: FailedSignIn, occurredAt: Date): Promise<void> {
    const event = {
      actor: { kind: 'anonymous', id: null, name: 'not signed in', address },
      action: 'session.refused',
      target: { kind: 'user', id: user?.id ?? 'unknown' },
      details: { email: user?.email ?? null, wrong },
      occurredAt,
    } as const;
    return this.database.transaction((tx) =>
      user === undefined
        ? recordAudit(tx, { organizationId: null, ...event })
        : recordAuditOfAccount(tx, user.id, event),
    );
  }
}
