import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../platform/clock.js';
import { Database } from '../platform/database/database.js';
import { asSystem } from '../platform/database/scope.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { deleteExpiredEmailChanges } from './account/email-changes.queries.js';
import { unlockApiKeysWithRoom } from './api-keys/unlock-api-keys.js';
import { deleteExpiredKeys } from './idempotency/idempotency.queries.js';
import { deleteOldInvitations } from './invitations/invitations.queries.js';
import { deleteExpiredResets } from './password-reset/password-resets.queries.js';
import { deleteOldSessions } from './sessions/sessions.queries.js';
import { deleteOldAttempts } from './sessions/sign-in-attempts.queries.js';

const INTERVAL_MS = 10 * 60_000;
const BATCH = 5_000;

/**
 * Removes what has expired: idempotency keys, sessions, counts of failed sign-ins, invitations, links for passwords and
 * addresses. Unlocks API keys for
 * which expired ones have left room. Nothing depends on when this runs, or in which process.
 */
@Injectable()
export class AccessCleaner {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Interval(INTERVAL_MS)
  async clean(): Promise<void> {
    try {
      await asSystem('cleaning', () => this.cleanAll());
    } catch (error) {
      this.logger.warn({ err: error }, 'what has expired could not be removed; the next round tries again');
    }
  }

  private async cleanAll(): Promise<void> {
    const now = this.clock.now();
    while ((await deleteExpiredKeys(this.database, now, BATCH)) === BATCH);
    await deleteOldSessions(this.database, now);
    await deleteOldAttempts(this.database, now);
    await deleteOldInvitations(this.database, now);
    await deleteExpiredResets(this.database, now);
    await deleteExpiredEmailChanges(this.database, now);
    await unlockApiKeysWithRoom(this.database, now);
  }
}
