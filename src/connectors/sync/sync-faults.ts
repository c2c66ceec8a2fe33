import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../../config/settings.js';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { HOUR_MS } from '../../platform/durations.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { SETTINGS } from '../../platform/platform.module.js';
import type { StoredConnector } from '../connector.js';
import { ConnectorInstruments } from '../connector-instruments.js';
import { Reconnect } from '../credentials/reconnect.js';
import { Sessions } from '../credentials/sessions.js';
import { isDueToOrder, setOrderAside } from '../orders/orders-set-aside.js';
import type { PlatformFault } from '../platform-fault.js';
import { PLATFORMS } from '../platforms/registry.js';
import { SetAsideReader } from './set-aside-reader.js';
import {
  closeStream,
  countSetAside,
  endSync,
  type LeasedSync,
  lockCursor,
  releaseSync,
  renewLease,
  type SyncPause,
} from './sync-work.queries.js';

/** Consecutive faults after which a sync fails; the next one continues where it stopped. */
export const MAX_FAILURES = 6;
/** Milliseconds before the first retry; doubled for each further one. */
const FIRST_RETRY_MS = 5_000;
/** Maximum pause between pages and before a retry, in milliseconds, whatever a platform says. */
export const MAX_PAUSE_MS = HOUR_MS;

/** What becomes of a sync after a fault. */
@Injectable()
export class SyncFaults {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly sessions: Sessions,
    private readonly reconnect: Reconnect,
    private readonly setAside: SetAsideReader,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly instruments: ConnectorInstruments,
  ) {}

  /**
   * Schedules the sync to continue later, at once without an order that cannot be read, or fails it.
   * @param lost aborted once another process may have leased the sync
   */
  async conclude(sync: LeasedSync, connector: StoredConnector, fault: PlatformFault, lost: AbortSignal): Promise<void> {
    this.logger.info(
      { sync_id: sync.id, connector_id: sync.connectorId, fault: fault.code },
      'a sync encountered an error',
    );
    this.instruments.fault(connector, fault.kind);
    const retry = retryAfter(fault, sync.failures) ?? (await this.withoutOrder(sync, connector, fault, lost));
    if (retry) await releaseSync(this.database, sync, retry);
    else await this.fail(sync, connector, fault);
  }

  /**
   * Sets aside the order that the fault is due to. The faults so far still count: the page has been retried long enough if further orders
   * of it cannot be read.
   * @returns undefined if it is due to none, or too many are set aside
   */
  private async withoutOrder(
    sync: LeasedSync,
    connector: StoredConnector,
    fault: PlatformFault,
    lost: AbortSignal,
  ): Promise<SyncPause | undefined> {
    if (!isDueToOrder(fault)) return undefined;
    const setAside = (): Promise<boolean> =>
      this.database.transaction(async (tx) => {
        if (!(await lockCursor(tx, sync.connectorId))) return false;
        if (!(await renewLease(tx, sync, this.settings.RUN_LEASE_MS))) return false;
        if (!(await setOrderAside(tx, connector, PLATFORMS[connector.platform], fault))) return false;
        await countSetAside(tx, sync);
        return true;
      });
    if (!(await setAside())) {
      // others may be readable by now, which is not found out otherwise while the sync stops here
      await this.setAside.readDue(sync, connector, this.sessions.open(connector, lost));
      if (!(await setAside())) return undefined;
    }
    this.logger.warn(
      { sync_id: sync.id, connector_id: sync.connectorId, order_id: fault.order, fault: fault.code },
      'an order that cannot be read was set aside',
    );
    this.instruments.orderSetAside(connector);
    return { waitMs: 0, failures: sync.failures, error: null };
  }

  private async fail(sync: LeasedSync, connector: StoredConnector, fault: PlatformFault): Promise<void> {
    const { kind, code, message } = fault;
    const ended = await this.database.transaction(async (tx) => {
      if (!(await lockCursor(tx, sync.connectorId))) return false;
      if (!(await endSync(tx, sync, { code, message }))) return false;
      if (kind === 'refused') await closeStream(tx, sync.connectorId);
      if (kind === 'reconnect') await this.reconnect.ask(tx, connector, fault, this.clock.now());
      return true;
    });
    if (ended) this.instruments.syncEnded(connector, 'failed');
  }
}

/** How a sync continues after a fault; undefined if it does not. A platform's request to wait does not count as a failure. */
function retryAfter({ kind, code, message, waitMs }: PlatformFault, failures: number): SyncPause | undefined {
  if (kind === 'wait') return { waitMs, failures, error: null };
  if (kind !== 'passing' || failures + 1 >= MAX_FAILURES) return undefined;
  return {
    waitMs: Math.max(FIRST_RETRY_MS * 2 ** failures, Math.min(waitMs, MAX_PAUSE_MS)),
    failures: failures + 1,
    error: { code, message },
  };
}
