import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { connectWithRetries } from '../database/connections/connect.js';
import { messageOf } from '../faults.js';
import type { Logger } from '../logging/logger.js';

/** Milliseconds before the first reconnection attempt: less than an operator's command takes to check who uses the server. */
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 4_000;

export interface PresenceOptions {
  /** The connection URL. */
  readonly url: string;
  /** Its application name, by which other processes recognize it. */
  readonly name: string;
  /** Restarts the server if it is not running; called before each attempt to reconnect. */
  readonly revive: () => Promise<void>;
  readonly logger: Pick<Logger, 'warn' | 'error'> | undefined;
}

/**
 * A connection held for as long as this process uses the server, so that others see it even when it is idle. It reconnects after a
 * crash of the server; otherwise the next process to leave would stop the server.
 */
export class Presence {
  private client: pg.Client | undefined;
  private readonly leaving = new AbortController();
  private returning: Promise<void> | undefined;

  private constructor(private readonly options: PresenceOptions) {}

  /** @throws if the server does not accept the connection */
  static async show(options: PresenceOptions): Promise<Presence> {
    const presence = new Presence(options);
    await presence.connect();
    return presence;
  }

  /** Closes the connection. Waits for a reconnection in progress, which might otherwise restart the server afterwards. */
  async end(): Promise<void> {
    this.leaving.abort();
    await this.returning;
    await this.client?.end().catch(() => undefined); // lost with a server that died
  }

  private async connect(attempts?: number): Promise<void> {
    const { url, name } = this.options;
    const client = await connectWithRetries(
      { connectionString: url, application_name: name, keepAlive: true },
      attempts,
    );
    this.client = client;
    client.once('end', () => {
      if (!this.leaving.signal.aborted) this.returning = this.reconnect();
    });
  }

  private async reconnect(): Promise<void> {
    const { revive, logger } = this.options;
    const { signal } = this.leaving;
    logger?.warn('lost the connection to the embedded database; checking it');
    let lastLogged = '';
    for (let pause = FIRST_PAUSE_MS; !signal.aborted; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      try {
        await sleep(pause, undefined, { signal });
        await revive();
        await this.connect(1);
        logger?.warn('the embedded database is back');
        return;
      } catch (error) {
        const message = messageOf(error);
        const fault = message.replace(/\d+/g, ''); // without the time, the process id and what is named after it
        if (fault !== lastLogged && !signal.aborted)
          logger?.error({ reason: message }, 'the embedded database is not back yet');
        lastLogged = fault;
      }
    }
  }
}
