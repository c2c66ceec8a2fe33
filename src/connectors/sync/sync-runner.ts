import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Settings } from '../../../config/settings.js';
import { Database } from '../../platform/database/database.js';
import { asSystem, asTenant } from '../../platform/database/scope.js';
import { newId } from '../../platform/ids.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { SETTINGS } from '../../platform/platform.module.js';
import { Rounds } from '../../platform/rounds.js';
import { SyncReader } from './sync-reader.js';
import { leaseSync, type LeasedSync, takeDueConnector } from './sync-work.queries.js';
import { openSync } from './syncs.queries.js';

const INTERVAL_MS = 1_000;
/** Syncs that one process works on at a time; they mostly wait for replies. */
const AT_ONCE = 4;

/** Opens syncs that are due and works them off. Every worker has one; the database sees to it that each happens once. */
@Injectable()
export class SyncRunner implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly rounds = new Rounds();
  /** By the id of the sync. */
  private readonly working = new Map<string, Promise<void>>();
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly reader: SyncReader,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.begin(INTERVAL_MS, () => asSystem('connector syncs', () => this.round()));
  }

  /** Before the sessions with platforms end: what they break off then is no fault. */
  onModuleDestroy(): void {
    this.stopped = true;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.rounds.end();
    await Promise.all(this.working.values());
  }

  private async round(): Promise<void> {
    try {
      while (!this.stopped && (await this.openDue()));
      while (!this.stopped && this.working.size < AT_ONCE) {
        const sync = await leaseSync(this.database, this.settings.RUN_LEASE_MS, this.working.keys());
        if (!sync) return;
        this.start(sync);
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'syncs could not be looked for; the next round tries again');
    }
  }

  /** @returns whether there was one to open */
  private openDue(): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const connector = await takeDueConnector(tx);
      if (!connector) return false;
      await tx.narrowTo(connector);
      await openSync(tx, connector, newId(), 'schedule'); // one that is still open stands for this tick too
      return true;
    });
  }

  private start(sync: LeasedSync): void {
    const work = asTenant(sync, () => this.reader.read(sync, () => this.stopped))
      .catch((error: unknown) =>
        this.logger.error(
          { err: error, sync_id: sync.id },
          'a sync broke off; it is taken up again when its lease ends',
        ),
      )
      .finally(() => this.working.delete(sync.id));
    this.working.set(sync.id, work);
  }
}
