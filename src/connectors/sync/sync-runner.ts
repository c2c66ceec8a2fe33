import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Settings } from '../../../config/settings.js';
import { Database } from '../../platform/database/database.js';
import { asTenant } from '../../platform/database/scope.js';
import { newId } from '../../platform/ids.js';
import { Lifecycle } from '../../platform/lifecycle.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { SETTINGS } from '../../platform/platform.module.js';
import { Rounds } from '../../platform/work/rounds.js';
import { SharedWork } from '../../platform/work/shared-work.js';
import { SyncReader } from './sync-reader.js';
import { leaseSync, type LeasedSync, takeDueConnector } from './sync-work.queries.js';
import { openSync } from './syncs.queries.js';

const INTERVAL_MS = 1_000;
/** Number of syncs per process at a time; they mostly wait for responses. */
const AT_ONCE = 4;

/** Opens due syncs and works through them. Every worker has one; the database ensures that each runs only once. */
@Injectable()
export class SyncRunner implements BeforeApplicationShutdown {
  /** By sync id. */
  private readonly working = new SharedWork<void>();

  constructor(
    private readonly database: Database,
    private readonly reader: SyncReader,
    private readonly lifecycle: Lifecycle,
    private readonly rounds: Rounds,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Interval(INTERVAL_MS)
  round(): Promise<void> {
    return this.rounds.make(
      'connector syncs',
      () => this.openDue(),
      () => this.startOpen(),
    );
  }

  /** The last round has ended by now, so no further sync starts. */
  beforeApplicationShutdown(): Promise<void> {
    return this.working.ended();
  }

  /** @returns whether one was started */
  private async startOpen(): Promise<boolean> {
    if (this.working.size >= AT_ONCE) return false;
    const sync = await leaseSync(this.database, this.settings.RUN_LEASE_MS, this.working.keys());
    if (sync) void this.working.share(sync.id, () => this.read(sync));
    return sync !== undefined;
  }

  /** @returns whether one was due */
  private openDue(): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const connector = await takeDueConnector(tx);
      if (!connector) return false;
      await tx.narrowTo(connector);
      await openSync(tx, connector, newId(), 'schedule'); // one that is still open counts for this tick too
      return true;
    });
  }

  private read(sync: LeasedSync): Promise<void> {
    return asTenant(sync, () => this.reader.read(sync, () => this.lifecycle.draining)).catch((error: unknown) =>
      this.logger.error({ err: error, sync_id: sync.id }, 'a sync was interrupted; it resumes when its lease expires'),
    );
  }
}
