import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Settings } from '../../../config/settings.js';
import { CONNECTION_PATIENCE_MS } from '../../platform/database/connections/connect.js';
import { Database } from '../../platform/database/database.js';
import { isDatabaseUnavailable } from '../../platform/database/database-faults.js';
import { SETTINGS } from '../../platform/platform.module.js';
import { SharedWork } from '../../platform/work/shared-work.js';
import type { StoredConnector } from '../connector.js';
import { findConnector } from '../connectors.queries.js';
import { OutboundClient } from '../outbound/outbound-client.js';
import { PlatformFault } from '../platform-fault.js';
import { ApiSession, type SessionOptions } from '../platforms/api-session.js';
import { PLATFORMS } from '../platforms/registry.js';
import { askForToken } from '../platforms/token-endpoint.js';
import { changedFields } from './changed-credentials.js';
import type { FieldValues } from './field.js';
import { leaseRenewal, releaseRenewal, saveSealed } from './renewal.queries.js';
import { Vault } from './vault.js';

/** Timeout of a token endpoint in milliseconds. */
const TOKEN_MS = 8_000;
/** Duration of the lease on a renewal in milliseconds. */
const RENEWAL_MS = 30_000;
/** Milliseconds for which storing issued tokens is retried. Together with the request it must fit into {@link RENEWAL_MS}. */
const STORING_MS = 15_000;
/**
 * Maximum duration of a renewal in milliseconds, whatever its outcome: shutdown waits this long. The last attempt to store may begin as the
 * time for storing ends, and wait for a connection.
 */
export const MAX_RENEWAL_MS = TOKEN_MS + STORING_MS + CONNECTION_PATIENCE_MS;
/** How often to check whether another process's renewal has ended, and the milliseconds between checks. */
const LOOKS = 20;
const LOOK_MS = 500;

/** Opens sessions with platforms, and renews their tokens. */
@Injectable()
export class Sessions implements OnModuleDestroy, BeforeApplicationShutdown {
  private readonly client: OutboundClient;
  /** Aborts requests when the process stops. */
  private readonly stopping = new AbortController();
  /** Renewals in progress in this process, by connector and refused token: concurrent callers share one. */
  private readonly renewals = new SharedWork<FieldValues>();

  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.client = new OutboundClient({
      privateRanges: settings.CONNECTOR_PRIVATE_RANGES,
      plainHttp: settings.CONNECTOR_PLAIN_HTTP === 'on',
    });
  }

  /** @param signal ends the session's requests @throws {PlatformFault} as {@link valuesOf} */
  open(connector: StoredConnector, signal: AbortSignal, options: Pick<SessionOptions, 'patienceMs'> = {}): ApiSession {
    return new ApiSession({
      ...options,
      platform: PLATFORMS[connector.platform],
      values: this.valuesOf(connector),
      client: this.client,
      signal: AbortSignal.any([signal, this.stopping.signal]),
      renew: (refused) => this.renewOnce(connector, refused),
    });
  }

  /** @throws {PlatformFault} asking to reconnect, if the credentials are unreadable */
  valuesOf(connector: StoredConnector): FieldValues {
    return { ...connector.settings, ...this.vault.open(connector).values };
  }

  /** Runs before the runners wait for their work, which may be waiting for a platform. */
  onModuleDestroy(): void {
    this.stopping.abort();
  }

  /** Waits for renewals in progress: aborting one could lose tokens that the platform has already issued. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.renewals.ended();
    this.client.close();
  }

  private renewOnce(connector: StoredConnector, refused: FieldValues): Promise<FieldValues> {
    const key = `${connector.connectorId} ${refused['access_token'] ?? ''}`;
    return this.renewals.share(key, () => this.renew(connector, refused));
  }

  /**
   * Renews the tokens of a connector, in one process at a time; others wait and then read the stored tokens. No database connection is held
   * during the platform's request.
   */
  private async renew(connector: StoredConnector, refused: FieldValues): Promise<FieldValues> {
    for (let look = 0; look < LOOKS; look += 1) {
      const leased = await leaseRenewal(this.database, connector, RENEWAL_MS);
      if (leased) {
        try {
          const values = this.valuesOf(leased);
          return isRefused(values, refused) ? await this.refresh(leased, values) : values;
        } finally {
          await releaseRenewal(this.database, leased);
        }
      }
      const known = await findConnector(this.database, connector, connector.connectorId);
      if (!known) throw removed();
      const values = this.valuesOf(known);
      if (!isRefused(values, refused)) return values;
      await pause(LOOK_MS, undefined, { signal: this.stopping.signal }).catch(() => {
        throw stopped();
      });
    }
    throw PlatformFault.passing('renewal_under_way', 'The tokens are being renewed.');
  }

  /**
   * A refresh token can be used only once. So the new tokens are committed before they are used, and shutdown does not abort the request.
   */
  private async refresh(leased: StoredConnector, values: FieldValues): Promise<FieldValues> {
    if (this.stopping.signal.aborted) throw stopped();
    const platform = PLATFORMS[leased.platform];
    if (!platform.refresh) throw new Error(`${leased.platform} renews no tokens`);
    const ends = AbortSignal.timeout(TOKEN_MS);
    const issued = await platform.refresh(values, (request) => askForToken(this.client, request, ends));
    // these tokens exist nowhere else: a short database outage must not lose them
    for (const until = performance.now() + STORING_MS; ;) {
      try {
        return await this.store(leased, values, issued);
      } catch (fault) {
        if (!isDatabaseUnavailable(fault) || performance.now() > until) throw fault;
        await pause(LOOK_MS);
      }
    }
  }

  /** @returns the values to use from now on: those of a member who has changed the credentials in the meantime, otherwise the new tokens */
  private store(leased: StoredConnector, values: FieldValues, issued: FieldValues): Promise<FieldValues> {
    return this.database.transaction(async (tx) => {
      const locked = await findConnector(tx, leased, leased.connectorId, 'lock');
      if (!locked) throw removed();
      const credentials = this.vault.open(locked);
      const now = { ...locked.settings, ...credentials.values };
      // a member has changed them in the meantime: the new tokens belong to the old grant. A refresh token is itself a grant, and used up
      const grant = PLATFORMS[locked.platform].fields.filter(({ name, kind }) =>
        values['refresh_token'] === undefined ? kind === 'secret' : name === 'refresh_token',
      );
      if (changedFields({ fields: grant }, values, now).length > 0) return now;
      const renewed = { ...credentials, values: { ...credentials.values, ...issued } };
      await saveSealed(tx, locked, this.vault.seal(locked.connectorId, renewed));
      return { ...now, ...issued };
    });
  }
}

const isRefused = (values: FieldValues, refused: FieldValues): boolean =>
  values['access_token'] === refused['access_token'];

const stopped = (): PlatformFault => PlatformFault.passing('interrupted', 'The service is stopping.');
const removed = (): PlatformFault => PlatformFault.passing('interrupted', 'The connector was deleted.');
