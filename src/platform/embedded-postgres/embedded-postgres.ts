import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import { isWrongPassword } from '../database/database-faults.js';
import { codeOf, messageOf } from '../faults.js';
import { checkAdopted } from './adoption.js';
import { locateBinaries, serverUser } from './binaries.js';
import { checkCluster, clusterOf, initializeCluster, placeCluster } from './cluster.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { MachineMark } from './machine-mark.js';
import { Presence } from './presence.js';
import { type Place, runningPort, type ServerOptions, startServer, stopServer } from './server-process.js';
import { withClient } from '../database/connections/with-client.js';
import type { Logger } from '../logging/logger.js';

const DATABASE = 'forecasting';
/** Identifies this service's connections in pg_stat_activity. */
export const APPLICATION_NAME = 'demand-forecasting';
/** Prefix of the application name of the connection by which a process shows the others that it uses the server. */
const PRESENCE = `${APPLICATION_NAME}-presence-`;
const OWN_PRESENCE = PRESENCE + randomUUID();
/** How often to try a lock that others hold, and the milliseconds between attempts. */
const LOCK_ATTEMPTS = 600;
const LOCK_PAUSE_MS = 100;

export interface EmbeddedPostgresOptions extends ServerOptions {
  /** Directory that contains the cluster (or, if this process is root, at least the pointer to it). */
  readonly dataDirectory: string;
  readonly password: string;
  /** Notified when the server dies and when it is back. */
  readonly logger?: Pick<Logger, 'warn' | 'error'>;
}

/**
 * A real PostgreSQL server from npm packages, controlled through pg_ctl. It runs in a session of its own, so Ctrl-C in the terminal
 * does not reach it. A server left running by a crashed process is adopted; one that dies is restarted on its port. Several
 * processes may share it; the last to leave stops it.
 */
export class EmbeddedPostgres {
  private constructor(
    private readonly place: Place,
    private readonly port: number,
    private readonly options: EmbeddedPostgresOptions,
    private readonly presence: Presence,
    private readonly mark: MachineMark,
  ) {}

  get url(): string {
    return this.urlOf(DATABASE);
  }

  /** Connection URL of another database of the same server. */
  urlOf(database: string): string {
    return urlOf(this.port, this.options.password, database);
  }

  /** Process id of the server's postmaster. */
  get pid(): number {
    return Number(readFileSync(join(this.place.cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  /**
   * Initializes the cluster if there is none, then starts the server or adopts the running one.
   * @throws {EmbeddedPostgresError} with the reason from the server's log
   */
  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const user = serverUser(clusterOf(options.dataDirectory));
    const binaries = locateBinaries(user);
    mkdirSync(options.dataDirectory, { recursive: true, mode: 0o755 }); // for the lock file
    const server = await alone(options.dataDirectory, async () => {
      const place = { binaries, user, cluster: placeCluster(options.dataDirectory, user) };
      checkCluster(place.cluster, binaries);
      const mark = await MachineMark.set(options.dataDirectory);
      try {
        return await EmbeddedPostgres.open(place, options, mark);
      } catch (error) {
        mark.leave();
        throw error;
      }
    });
    try {
      await alone(options.dataDirectory, () => server.createDatabase());
    } catch (error) {
      await server.release();
      throw error;
    }
    return server;
  }

  private static async open(
    place: Place,
    options: EmbeddedPostgresOptions,
    mark: MachineMark,
  ): Promise<EmbeddedPostgres> {
    await initializeCluster(place.binaries, place.user, place.cluster, options.password);
    const running = await runningPort(place);
    const port = running ?? (await startServer(place, options));
    const presence = await Presence.show({
      url: urlOf(port, options.password, 'postgres'),
      name: OWN_PRESENCE,
      revive: () =>
        alone(options.dataDirectory, async () => {
          await mark.claim();
          await revive(place, options, port);
        }),
      logger: options.logger,
    }).catch(async (error: unknown) => {
      if (running === undefined) await stopServer(place, 'fast');
      throw refusedBy(place.cluster, error);
    });
    if (running !== undefined) {
      await checkAdopted(place.cluster, urlOf(port, options.password, 'postgres')).catch(async (error: unknown) => {
        await presence.end();
        throw error;
      });
    }
    return new EmbeddedPostgres(place, port, options, presence, mark);
  }

  /** Stops the server unless another process of the service is still connected. */
  async release(): Promise<void> {
    await this.presence.end();
    // under the lock, so that no process adopts a server that is about to stop
    await alone(
      this.options.dataDirectory,
      async () => {
        if (await this.inUse()) this.mark.leave();
        else await this.stop('fast');
      },
      { evenUnlocked: true },
    );
  }

  /** Stops the server even if others are connected; `immediate` skips the checkpoint, like a power failure. */
  async stop(mode: 'fast' | 'immediate'): Promise<void> {
    await this.presence.end();
    if (this.mark.isOthers) return this.mark.leave(); // the pid file names a process on another machine, not here
    await stopServer(this.place, mode);
    this.mark.remove();
  }

  /** Whether another process shows its presence. Our own connection, just closed, may still be listed. */
  private async inUse(): Promise<boolean> {
    try {
      return await withClient(this.urlOf('postgres'), async (client) => {
        const { rows } = await client.query<{ others: number }>(
          `SELECT count(*)::int AS others FROM pg_stat_activity WHERE application_name LIKE $1 AND application_name <> $2`,
          [`${PRESENCE}%`, OWN_PRESENCE],
        );
        return (rows[0]?.others ?? 0) > 0;
      });
    } catch {
      return false; // it does not respond, so all that is left is to stop it
    }
  }

  private async createDatabase(): Promise<void> {
    await withClient(this.urlOf('postgres'), async (client) => {
      const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
      if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
    });
  }
}

/** Disables TLS explicitly: the driver would otherwise use a PGSSLMODE meant for other databases. */
function urlOf(port: number, password: string, database: string): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;
}

/** Restarts a server that died, on the port where this process expects it. */
async function revive(place: Place, options: ServerOptions, port: number): Promise<void> {
  const found = (await runningPort(place)) ?? (await startServer(place, { ...options, port }));
  if (found !== port)
    throw new EmbeddedPostgresError(
      `it was restarted on port ${found}, but this process expects port ${port} and must be restarted`,
    );
}

function refusedBy(cluster: string, fault: unknown): EmbeddedPostgresError {
  let wayOut = '';
  if (isWrongPassword(fault))
    wayOut = '; restore the file secrets/database-password of its DATA_DIR, or set another DATA_DIR';
  if (codeOf(fault) === 'ECONNREFUSED')
    wayOut = `; another process may have the id named in ${join(cluster, 'postmaster.pid')}: remove that file if no PostgreSQL is running`;
  return new EmbeddedPostgresError(
    `the embedded database in ${cluster} does not accept connections: ${messageOf(fault)}${wayOut}`,
  );
}

/**
 * Runs `work` under a lock file, so that no two processes initialize, start or stop the cluster at once. The lock of a dead process
 * expires after 5 s.
 * @param evenUnlocked run without the lock if the file system supports none: no other process can get one either
 */
async function alone<T>(dataDirectory: string, work: () => Promise<T>, { evenUnlocked = false } = {}): Promise<T> {
  const unlock = await lockOf(dataDirectory).catch((error: unknown) => {
    if (evenUnlocked && !(error instanceof EmbeddedPostgresError)) return () => Promise.resolve();
    throw error;
  });
  try {
    return await work();
  } finally {
    await unlock().catch(() => undefined); // the lock was lost in the meantime, see onCompromised
  }
}

/** Waits while others hold the lock; throws file system errors immediately. */
async function lockOf(dataDirectory: string): Promise<() => Promise<void>> {
  const lockfilePath = join(dataDirectory, 'postgres-lock');
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await lock(dataDirectory, {
        lockfilePath,
        stale: 5_000,
        onCompromised: () => undefined, // this process was frozen and lost the lock; the server's own pid file still protects the cluster
      });
    } catch (error) {
      if (codeOf(error) !== 'ELOCKED') throw error;
      if (attempt === LOCK_ATTEMPTS) {
        throw new EmbeddedPostgresError(`${lockfilePath} cannot be locked: ${messageOf(error)}`);
      }
      await sleep(LOCK_PAUSE_MS);
    }
  }
}
