import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { recordAudit } from '../audit/audit-log.js';
import { recordAuditOfAccount } from '../audit/record-by.js';
import type { UserRow } from '../users/users.queries.js';
import { AfterReply } from './after-reply.js';

export interface FailedSignIn {
  /** Undefined if the address has no account; what was typed is not kept, since it may be a password. */
  readonly user: UserRow | undefined;
  readonly wrong: 'password' | 'second_factor';
  readonly address: string;
}

/** Records failed sign-ins in the audit log. */
@Injectable()
export class FailedSignIns {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly afterReply: AfterReply,
  ) {}

  async note({ user, wrong, address }: FailedSignIn): Promise<void> {
    const event = {
      actor: { kind: 'anonymous', id: null, name: 'not signed in', address },
      action: 'session.refused',
      target: { kind: 'user', id: user?.id ?? 'unknown' },
      details: { email: user?.email ?? null, wrong },
      now: this.clock.now(),
    } as const;
    await this.afterReply.run('failed sign-in', () =>
      this.database.transaction((tx) =>
        user === undefined
          ? recordAudit(tx, { organizationId: null, ...event })
          : recordAuditOfAccount(tx, user.id, event),
      ),
    );
  }
}
