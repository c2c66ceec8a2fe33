import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../platform/clock.js';
import { Database } from '../platform/database/database.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { recordAudit } from './audit/audit-log.js';
import { deleteExpiredKeys } from './idempotency/idempotency.queries.js';
import { deleteDueOrganization } from './organizations/organizations.queries.js';
import { deleteOldSessions } from './sessions/sessions.queries.js';
import { deleteOldAttempts } from './sessions/sign-in-attempts.queries.js';

const INTERVAL_MS = 10 * 60_000;
const BATCH = 5_000;

/**
 * Removes what has had its time: idempotency keys, sessions, counts of attempts, organizations whose deletion was asked
 * for. Nothing depends on when, or by which process.
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
    const now = this.clock.now();
    try {
      while ((await deleteExpiredKeys(this.database, now, BATCH)) === BATCH);
      while (await this.deleteOrganization(now));
      await deleteOldSessions(this.database, now);
      await deleteOldAttempts(this.database, now);
    } catch (error) {
      this.logger.warn({ err: error }, 'what has expired could not be removed; the next round tries again');
    }
  }

  /** @returns whether one was due; its audit log stays, and the platform's tells of it */
  private deleteOrganization(now: Date): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const deleted = await deleteDueOrganization(tx, now);
      if (!deleted) return false;
      await recordAudit(tx, {
        organizationId: null,
        actor: { kind: 'system', id: null, name: 'deletion', address: null },
        action: 'organization.deleted',
        target: { kind: 'organization', id: deleted.id },
        details: { name: deleted.name },
        occurredAt: now,
      });
      return true;
    });
  }
}
