import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { deleteExpiredKeys } from './idempotency.queries.js';

const INTERVAL_MS = 10 * 60_000;
const BATCH = 5_000;

/** Removes expired idempotency keys. Every process may do it at any time; nothing depends on when. */
@Injectable()
export class IdempotencyCleaner {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Interval(INTERVAL_MS)
  async clean(): Promise<void> {
    try {
      while ((await deleteExpiredKeys(this.database, this.clock.now(), BATCH)) === BATCH);
    } catch (error) {
      this.logger.warn({ err: error }, 'expired idempotency keys could not be removed; the next round tries again');
    }
  }
}
