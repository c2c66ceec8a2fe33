import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import { Lifecycle } from '../../platform/lifecycle.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { beat } from './heartbeats.queries.js';

/** Twice a minute, so that no minute is missed when the timer is late. */
const INTERVAL_MS = 30_000;

/** Records that this process of the API is ready and its database answers: the history from which uptime is computed. */
@Injectable()
export class Heartbeat {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly lifecycle: Lifecycle,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Never rejects. */
  @Interval(INTERVAL_MS)
  async beat(): Promise<void> {
    if (!this.lifecycle.ready) return;
    await asSystem('heartbeat', () => beat(this.database, this.clock.now())).catch((error: unknown) =>
      this.logger.warn({ err: error }, 'the heartbeat could not be noted'),
    );
  }
}
