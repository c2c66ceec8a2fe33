import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../../config/settings.js';
import { Clock } from '../../platform/clock.js';
import { isDatabaseUnavailable, isDeadlock } from '../../platform/database/database-faults.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { LeaseLost, withHeartbeat } from '../../platform/work/heartbeat.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { SETTINGS } from '../../platform/platform.module.js';
import { latestDemandDay, lockWorkspace } from '../../series/index.js';
import type { StoredConnector } from '../connector.js';
import { ConnectorInstruments } from '../connector-instruments.js';
import { findConnector } from '../connectors.queries.js';
import { countStartedMonths } from '../orders/count-months.js';
import { fillQuietMonths } from '../orders/quiet-months.js';
import { admitLeftOut } from '../orders/products-left-out.js';
import { listSetAside } from '../orders/orders-set-aside.queries.js';
import { hasLeftOut } from '../orders/products-left-out.queries.js';
import { replaceRetired } from '../orders/retired-demand.js';
import { storeOrders } from '../orders/store-orders.js';
import { discountUnseenOrders } from '../orders/unseen-orders.js';
import { PlatformFault } from '../platform-fault.js';
import type { ApiSession } from '../platforms/api-session.js';
import type { Platform } from '../platforms/platform.js';
import { PLATFORMS } from '../platforms/registry.js';
import { pullPage } from '../platforms/pull-page.js';
import { Reconnect } from '../credentials/reconnect.js';
import { Sessions } from '../credentials/sessions.js';
import { SetAsideReader } from './set-aside-reader.js';
import { MAX_FAILURES, MAX_PAUSE_MS, SyncFaults } from './sync-faults.js';
import { advance, stepOf } from './sync-cursor.js';
import {
  countPage,
  endSync,
  type LeasedSync,
  lockCursor,
  noteSynced,
  releaseSync,
  renewLease,
  saveCursor,
} from './sync-work.queries.js';

/** Pages that a sync reads before other syncs get their turn, so that an endless list does not starve them. */
const PAGES_A_TURN = 25;
/** Milliseconds within which a sync notices that it was ended externally. */
const MAX_BEAT_MS = 5_000;

/** Executes a sync page by page; each page is stored in one transaction with the cursor after it. */
@Injectable()
export class SyncReader {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly sessions: Sessions,
    private readonly reconnect: Reconnect,
    private readonly setAside: SetAsideReader,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly instruments: ConnectorInstruments,
    private readonly faults: SyncFaults,
  ) {}

  /**
   * Reads until the sync ends, must wait, or the process stops. Call it in the scope of its tenant. Rejects only if the database is
   * unavailable.
   */
  async read(sync: LeasedSync, stopping: () => boolean): Promise<void> {
    const leaseMs = this.settings.RUN_LEASE_MS;
    const connector = await findConnector(this.database, sync, sync.connectorId);
    if (!connector) return; // removed, and the sync with it
    const lost = new AbortController();
    if (sync.failures >= MAX_FAILURES) {
      const message = 'Processes of the service repeatedly stopped while reading a page.';
      return this.faults.conclude(sync, connector, PlatformFault.passing('broken_off', message), lost.signal);
    }
    const renew = async (): Promise<boolean> => {
      const kept = await renewLease(this.database, sync, leaseMs);
      if (!kept) lost.abort();
      return kept;
    };
    await withHeartbeat(renew, Math.min(leaseMs / 3, MAX_BEAT_MS), () =>
      this.readPages(sync, connector, lost.signal, stopping),
    );
  }

  private async readPages(
    sync: LeasedSync,
    connector: StoredConnector,
    lost: AbortSignal,
    stopping: () => boolean,
  ): Promise<void> {
    let { failures } = sync;
    const resumeAfter = (waitMs: number) => releaseSync(this.database, sync, { waitMs, failures, error: null });
    try {
      const platform = PLATFORMS[connector.platform];
      const api = this.sessions.open(connector, lost);
      while (!lost.aborted && !stopping() && (await this.admitSome(sync, connector)));
      let waitMs = 0;
      for (let page = 0; page < PAGES_A_TURN && waitMs === 0 && !lost.aborted && !stopping(); page += 1) {
        const { done, pauseMs } = await this.readPage({ ...sync, failures }, connector, platform, api);
        if (done) return;
        failures = 0;
        waitMs = pauseMs;
      }
      await resumeAfter(waitMs);
    } catch (fault) {
      if (fault instanceof LeaseLost || lost.aborted) return;
      if (stopping()) await resumeAfter(0);
      else await this.faults.conclude({ ...sync, failures }, connector, this.toFault(sync, fault), lost);
    }
  }

  /**
   * Counts some of the products that were left out before, as far as the plan has room by now. In a transaction of their own, so that uploads
   * need not wait for all of them.
   * @returns whether there may be more that have room
   */
  private async admitSome(sync: LeasedSync, connector: StoredConnector): Promise<boolean> {
    if (!(await hasLeftOut(this.database, connector))) return false;
    return this.database.transaction(async (tx) => {
      if (!(await lockWorkspace(tx, sync)) || !(await lockCursor(tx, sync.connectorId))) throw new LeaseLost();
      if (!(await renewLease(tx, sync, this.settings.RUN_LEASE_MS))) throw new LeaseLost();
      return admitLeftOut(tx, connector, this.clock.now());
    });
  }

  private async readPage(
    sync: LeasedSync,
    connector: StoredConnector,
    platform: Platform,
    api: ApiSession,
  ): Promise<{ done: boolean; pauseMs: number }> {
    const known = await this.database.transaction((tx) => lockCursor(tx, sync.connectorId));
    if (!known) throw new LeaseLost();
    const source = { ...platform, countsFrom: connector.countsFrom };
    const setAside = new Set((await listSetAside(this.database, connector, sync.id)).map(({ id }) => id));
    const step = { ...stepOf(known, source), faults: sync.failures, setAside };
    const page = await pullPage(platform, api, step, this.logger);
    const now = this.clock.now();
    const { cursor, done } = advance(known, page, source, now);
    const latest = latestDemandDay(now);
    const { countedTo = latest } = known;
    if (done) await this.setAside.readDue(sync, connector, api);
    await this.database.transaction(async (tx) => {
      if (!(await lockWorkspace(tx, sync)) || !(await lockCursor(tx, sync.connectorId))) throw new LeaseLost();
      const stored = await storeOrders(tx, connector, page.orders, now);
      const removed = done && known.full ? await discountUnseenOrders(tx, connector, platform, now) : 0;
      const counts = {
        pages: 1,
        read: page.orders.length + page.unreadable,
        changed: stored.changed.size + removed,
        skipped: stored.skipped + page.unreadable,
        leftOut: stored.leftOut,
      };
      if (!(await countPage(tx, sync, counts))) throw new LeaseLost();
      await saveCursor(tx, sync.connectorId, {
        ...cursor,
        countedTo: done ? latest : countedTo,
        ...(known.full && !done ? { full: true } : {}),
      });
      if (done) await this.complete(tx, sync, connector, { countedTo, now });
      await this.reconnect.noteWorking(tx, sync, now);
    });
    if (done) this.instruments.syncEnded(connector, 'completed');
    return { done, pauseMs: Math.min(page.pauseMs ?? 0, MAX_PAUSE_MS) };
  }

  /** Brings the demand up to date, now that all orders have been read, and ends the sync. */
  private async complete(
    tx: Transaction,
    sync: LeasedSync,
    connector: StoredConnector,
    { countedTo, now }: { readonly countedTo: string; readonly now: Date },
  ): Promise<void> {
    await replaceRetired(tx, connector, now);
    await countStartedMonths(tx, connector, countedTo, now);
    await fillQuietMonths(tx, connector, now);
    await endSync(tx, sync, null);
    await noteSynced(tx, sync.connectorId);
  }

  /** Converts an internal error into a fault like those of platforms; otherwise the sync would restart endlessly. */
  private toFault(sync: LeasedSync, fault: unknown): PlatformFault {
    if (fault instanceof PlatformFault) return fault;
    if (isDatabaseUnavailable(fault) || isDeadlock(fault)) throw fault;
    this.logger.error({ err: fault, sync_id: sync.id }, 'a sync failed because of an internal error');
    return PlatformFault.passing('internal_error', 'An error on our side.');
  }
}
