import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { touchApiKey, touchSession } from './credentials.queries.js';

const INTERVAL = 60_000;

/** Records when keys and sessions were last used: at most once a minute each, and never in the way of the request. */
@Injectable()
export class LastUse implements BeforeApplicationShutdown {
  private readonly pending = new Map<string, Promise<void>>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  ofApiKey(keyId: string, last: Date | null): void {
    this.record(keyId, last, (now) => touchApiKey(this.database, keyId, now));
  }

  ofSession(sessionId: string, last: Date): void {
    this.record(sessionId, last, (now) => touchSession(this.database, sessionId, now));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.pending.values());
  }

  private record(id: string, last: Date | null, write: (now: Date) => Promise<void>): void {
    const now = this.clock.now();
    if (this.pending.has(id) || (last !== null && now.getTime() - last.getTime() < INTERVAL)) return;
    const work = asSystem('last use', () => write(now))
      .catch((error: unknown) => this.logger.warn({ err: error }, 'the time of last use could not be recorded'))
      .finally(() => this.pending.delete(id));
    this.pending.set(id, work);
  }
}
