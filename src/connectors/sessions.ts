import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../config/settings.js';
import { Database } from '../platform/database/database.js';
import { SETTINGS } from '../platform/platform.module.js';
import type { StoredConnector } from './connector.js';
import { findConnector, saveSealed } from './connectors.queries.js';
import { OutboundClient } from './outbound/outbound-client.js';
import { ApiSession, askForToken } from './platforms/api-session.js';
import type { FieldValues } from './field.js';
import { findPlatform } from './platforms/registry.js';
import { PlatformFault } from './platform-fault.js';
import { Vault } from './vault.js';

/** Opens sessions with platforms, and renews their tokens. */
@Injectable()
export class Sessions implements BeforeApplicationShutdown {
  private readonly client: OutboundClient;
  /** Ends what is under way when the process stops. */
  private readonly stopping = new AbortController();

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

  /** @param signal ends the session's requests */
  open(connector: StoredConnector, signal?: AbortSignal): ApiSession {
    const platform = findPlatform(connector.platform);
    if (!platform) throw new Error(`there is no platform ${connector.platform}`);
    const ends = signal ? AbortSignal.any([signal, this.stopping.signal]) : this.stopping.signal;
    return new ApiSession({
      platform,
      values: this.valuesOf(connector),
      client: this.client,
      signal: ends,
      renew: (refused) => this.renew(connector, refused, ends),
    });
  }

  valuesOf(connector: StoredConnector): FieldValues {
    return { ...connector.settings, ...this.vault.open(connector).values };
  }

  beforeApplicationShutdown(): void {
    this.stopping.abort();
    this.client.close();
  }

  /**
   * Renews the tokens of a connector, once at a time in all processes: whoever waited for the row finds what the one before
   * him has stored. A refresh token is good for one use, so the new one is committed before anything is asked with it.
   */
  private renew(connector: StoredConnector, refused: FieldValues, signal: AbortSignal): Promise<FieldValues> {
    return this.database.transaction(async (tx) => {
      // the platform is waited for while the row is locked
      await tx.execute(`SET LOCAL idle_in_transaction_session_timeout = '60s'`);
      const locked = await findConnector(tx, connector, connector.connectorId, 'lock');
      if (!locked) throw PlatformFault.passing('interrupted', 'The connector was removed.');
      const credentials = this.vault.open(locked);
      const values = { ...locked.settings, ...credentials.values };
      if (values['access_token'] !== refused['access_token']) return values;
      const platform = findPlatform(locked.platform);
      if (!platform?.refresh) throw new Error(`${locked.platform} renews no tokens`);
      const issued = await platform.refresh(values, (request) => askForToken(this.client, request, signal));
      const sealed = this.vault.seal(locked.connectorId, {
        ...credentials,
        values: { ...credentials.values, ...issued },
      });
      await saveSealed(tx, locked, sealed);
      return { ...values, ...issued };
    });
  }
}
