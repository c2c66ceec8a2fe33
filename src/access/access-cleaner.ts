import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../platform/clock.js';
import { Database } from '../platform/database/database.js';
import { MINUTE_MS } from '../platform/durations.js';
import { Rounds } from '../platform/work/rounds.js';
import { deleteExpiredEmailChanges } from './account/email-changes.queries.js';
import { unlockApiKeysWithRoom } from './api-keys/plan-locks/unlock-api-keys.js';
import { deleteExpiredKeys } from './idempotency/idempotency.queries.js';
import { deleteOldInvitations } from './invitations/invitations.queries.js';
import { deleteExpiredResets } from './password-reset/password-resets.queries.js';
import { deleteOldSessions } from './sessions/sessions.queries.js';
import { deleteOldAttempts } from './attempts/attempts.queries.js';

const INTERVAL_MS = 10 * MINUTE_MS;
const BATCH = 5_000;

/**
 * Deletes what has expired: idempotency keys, sessions, counts of failed sign-ins, invitations, links for passwords and email
 * addresses. Unlocks API keys once expired ones have made room. Nothing depends on when this runs, or in which process.
 */
@Injectable()
export class AccessCleaner {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly rounds: Rounds,
  ) {}

  @Interval(INTERVAL_MS)
  clean(): Promise<void> {
    const now = this.clock.now();
    const { database } = this;
    return this.rounds.make(
      'cleaning',
      async () => (await deleteExpiredKeys(database, now, BATCH)) === BATCH,
      () => deleteOldSessions(database, now),
      () => deleteOldAttempts(database, now),
      () => deleteOldInvitations(database, now),
      () => deleteExpiredResets(database, now),
      () => deleteExpiredEmailChanges(database, now),
      () => unlockApiKeysWithRoom(database, now),
    );
  }
}
