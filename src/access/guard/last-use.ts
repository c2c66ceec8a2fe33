import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import { MINUTE_MS } from '../../platform/durations.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { SharedWork } from '../../platform/work/shared-work.js';
import { touchApiKey, touchSession } from './credentials.queries.js';

/** Milliseconds; short, since a downgrade leaves the most recently used keys open. */
const API_KEY_INTERVAL_MS = 1_000;
const SESSION_INTERVAL_MS = MINUTE_MS;

/** Records when keys and sessions were last used: not on every request, and without delaying any. */
@Injectable()
export class LastUse implements BeforeApplicationShutdown {
  private readonly pending = new SharedWork<void>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  ofApiKey(keyId: string, last: Date | null): void {
    this.record(keyId, last, API_KEY_INTERVAL_MS, (now) => touchApiKey(this.database, keyId, now));
  }

  ofSession(sessionId: string, last: Date): void {
    this.record(sessionId, last, SESSION_INTERVAL_MS, (now) => touchSession(this.database, sessionId, now));
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.pending.ended();
  }

  private record(id: string, last: Date | null, interval: number, write: (now: Date) => Promise<void>): void {
    const now = this.clock.now();
    if (last !== null && now.getTime() - last.getTime() < interval) return;
    void this.pending.share(id, () =>
      asSystem('last use', () => write(now)).catch((error: unknown) =>
        this.logger.warn({ err: error }, 'the time of last use could not be recorded'),
      ),
    );
  }
}
