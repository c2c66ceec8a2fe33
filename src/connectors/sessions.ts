import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Settings } from '../../config/settings.js';
import { isDatabaseAway } from '../platform/database/database-faults.js';
import { Database } from '../platform/database/database.js';
import { SETTINGS } from '../platform/platform.module.js';
import type { StoredConnector } from './connector.js';
import { findConnector, leaseRenewal, releaseRenewal, saveSealed } from './connectors.queries.js';
import { OutboundClient } from './outbound/outbound-client.js';
import { ApiSession, askForToken } from './platforms/api-session.js';
import type { FieldValues } from './field.js';
import { findPlatform } from './platforms/registry.js';
import { PlatformFault } from './platform-fault.js';
import { Vault } from './vault.js';

/** Longest that a token endpoint may take, in milliseconds. */
const TOKEN_MS = 8_000;
/** Milliseconds after which a renewal that was never given up counts as broken off. */
const RENEWAL_MS = 30_000;
/** Milliseconds for which storing what a token endpoint has issued is tried again, with those before within {@link RENEWAL_MS}. */
const STORING_MS = 15_000;
/** Milliseconds after which no renewal is under way any more, whatever came of it: a stop of the service waits as long. */
export const LONGEST_RENEWAL = TOKEN_MS + STORING_MS;
/** How often, and every how many milliseconds, it is looked whether somebody else's renewal has ended. */
const LOOKS = 20;
const LOOK_MS = 500;

/** Opens sessions with platforms, and renews their tokens. */
@Injectable()
export class Sessions implements OnModuleDestroy, BeforeApplicationShutdown {
  private readonly client: OutboundClient;
  /** Ends what is under way when the process stops. */
  private readonly stopping = new AbortController();
  /** Renewals under way in this process, by connector and the token that was refused: all who need one share it. */
  private readonly renewals = new Map<string, Promise<FieldValues>>();

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
  open(connector: StoredConnector, signal: AbortSignal): ApiSession {
    const platform = findPlatform(connector.platform);
    if (!platform) throw new Error(`there is no platform ${connector.platform}`);
    return new ApiSession({
      platform,
      values: this.valuesOf(connector),
      client: this.client,
      signal: AbortSignal.any([signal, this.stopping.signal]),
      renew: (refused) => this.renewOnce(connector, refused),
    });
  }

  /** @throws {PlatformFault} asking to reconnect, where the credentials cannot be read */
  valuesOf(connector: StoredConnector): FieldValues {
    return { ...connector.settings, ...this.vault.open(connector).values };
  }

  /** Before the runners wait for their work, which may be waiting for a platform. */
  onModuleDestroy(): void {
    this.stopping.abort();
  }

  /** Waits for renewals under way: of a request that is broken off the platform may have issued tokens that nobody has then. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.allSettled(this.renewals.values());
    this.client.close();
  }

  private renewOnce(connector: StoredConnector, refused: FieldValues): Promise<FieldValues> {
    const key = `${connector.connectorId} ${refused['access_token'] ?? ''}`;
    const underWay = this.renewals.get(key);
    if (underWay) return underWay;
    const renewal = this.renew(connector, refused).finally(() => this.renewals.delete(key));
    this.renewals.set(key, renewal);
    return renewal;
  }

  /**
   * Renews the tokens of a connector, once at a time in all processes; who comes second waits and finds what was stored. No
   * connection to the database is held while the platform is asked.
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
    throw PlatformFault.passing('renewal_under_way', 'The tokens are being renewed at this moment.');
  }

  /**
   * A refresh token is good for one use, so the new one is committed before anything is asked with it, and a stop of the
   * service does not break the request off.
   */
  private async refresh(leased: StoredConnector, values: FieldValues): Promise<FieldValues> {
    if (this.stopping.signal.aborted) throw stopped();
    const platform = findPlatform(leased.platform);
    if (!platform?.refresh) throw new Error(`${leased.platform} renews no tokens`);
    const ends = AbortSignal.timeout(TOKEN_MS);
    const issued = await platform.refresh(values, (request) => askForToken(this.client, request, ends));
    // nobody else has them: a database that is away for a moment must not cost the grant
    for (const until = Date.now() + STORING_MS; ;) {
      try {
        return await this.store(leased, values, issued);
      } catch (fault) {
        if (!isDatabaseAway(fault) || Date.now() > until) throw fault;
        await pause(LOOK_MS);
      }
    }
  }

  /** @returns what is to be used from now on: not the tokens, where a member has changed the credentials meanwhile */
  private store(leased: StoredConnector, values: FieldValues, issued: FieldValues): Promise<FieldValues> {
    return this.database.transaction(async (tx) => {
      const locked = await findConnector(tx, leased, leased.connectorId, 'lock');
      if (!locked) throw removed();
      const credentials = this.vault.open(locked);
      const now = { ...locked.settings, ...credentials.values };
      // changed by a member meanwhile: these tokens are of the former grant
      if (now['refresh_token'] !== values['refresh_token']) return now;
      const renewed = { ...credentials, values: { ...credentials.values, ...issued } };
      await saveSealed(tx, locked, this.vault.seal(locked.connectorId, renewed));
      return { ...now, ...issued };
    });
  }
}

const isRefused = (values: FieldValues, refused: FieldValues): boolean =>
  values['access_token'] === refused['access_token'];

const stopped = (): PlatformFault => PlatformFault.passing('interrupted', 'The service is stopping.');
const removed = (): PlatformFault => PlatformFault.passing('interrupted', 'The connector was removed.');
