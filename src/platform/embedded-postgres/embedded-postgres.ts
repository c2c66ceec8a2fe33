import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { lock } from 'proper-lockfile';
import { locateBinaries, type PostgresBinaries, serverUser, type ServerUser } from './binaries.js';
import { checkVersion, initialiseCluster, placeCluster } from './cluster.js';
import { EmbeddedPostgresError, runTool } from './run-tool.js';
import { runningPort, type ServerOptions, startServer } from './server-process.js';
import { withClient } from '../database/with-client.js';

const DATABASE = 'forecasting';
/** Marks this service's connections in pg_stat_activity. */
export const APPLICATION_NAME = 'demand-forecasting';
/** Marks the connection by which a process shows the others that it uses the server. */
const PRESENCE = `${APPLICATION_NAME}-presence-`;
const OWN_PRESENCE = PRESENCE + randomUUID();

export interface EmbeddedPostgresOptions extends ServerOptions {
  /** Directory that holds the cluster (and, when this process is root, at least the pointer to it). */
  readonly dataDirectory: string;
  readonly password: string;
}

/**
 * A real PostgreSQL server from npm packages, driven through pg_ctl: it lives in its own session, so Ctrl-C in the
 * terminal does not reach it; a server left by a crash is adopted; several processes may share it, and the last one
 * to leave stops it.
 */
export class EmbeddedPostgres {
  private constructor(
    private readonly binaries: PostgresBinaries,
    private readonly user: ServerUser | undefined,
    private readonly cluster: string,
    private readonly port: number,
    private readonly password: string,
    private readonly dataDirectory: string,
    private readonly presence: pg.Client,
  ) {}

  get url(): string {
    return this.urlOf(DATABASE);
  }

  /** Connection URL of another database of the same server. */
  urlOf(database: string): string {
    return `postgres://postgres:${this.password}@127.0.0.1:${this.port}/${database}`;
  }

  /** Process id of the server's postmaster. */
  get pid(): number {
    return Number(readFileSync(join(this.cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  /**
   * Initialises the cluster where there is none, then starts the server or adopts the running one.
   * @throws {EmbeddedPostgresError} with the reason from the server's log
   */
  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const user = serverUser();
    const binaries = locateBinaries(user);
    const cluster = placeCluster(options.dataDirectory, user);
    checkVersion(cluster, binaries);
    return alone(options.dataDirectory, async () => {
      await initialiseCluster(binaries, user, cluster, options.password);
      const running = await runningPort(binaries, user, cluster);
      const port = running ?? (await startServer(binaries, user, cluster, options));
      const presence = await showPresence(port, options.password);
      const server = new EmbeddedPostgres(
        binaries,
        user,
        cluster,
        port,
        options.password,
        options.dataDirectory,
        presence,
      );
      await server.createDatabase();
      return server;
    });
  }

  /** Stops the server unless another process of the service is still connected. */
  async release(): Promise<void> {
    // nobody adopts a server that is about to stop
    await alone(this.dataDirectory, async () => {
      await this.presence.end().catch(() => undefined); // lost with a server that died
      if (!(await this.inUse())) await this.stop('fast');
    });
  }

  /** Stops the server whoever is connected; `immediate` skips the checkpoint, as a power cut would. */
  async stop(mode: 'fast' | 'immediate'): Promise<void> {
    // a server that has died already is as good as stopped
    if ((await runTool(this.binaries.pgCtl, ['status', '-D', this.cluster], this.user, true)) !== 0) return;
    await runTool(this.binaries.pgCtl, ['stop', '-D', this.cluster, '-m', mode, '-w', '-t', '60'], this.user);
  }

  /** Whether the presence of another process shows; our own, just ended, may still be listed. */
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
      return false; // not answering: stopping it is all that is left
    }
  }

  private async createDatabase(): Promise<void> {
    await withClient(this.urlOf('postgres'), async (client) => {
      const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
      if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
    });
  }
}

/** A connection held as long as this process uses the server, so that others see that it does, however idle it is. */
async function showPresence(port: number, password: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    application_name: OWN_PRESENCE,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  client.on('error', () => undefined); // the server died; whoever queries it is told
  await client.connect();
  return client;
}

/** Against two processes that initialise, start or stop the same cluster at once; the lock of a dead process lasts 5 s. */
async function alone<T>(dataDirectory: string, work: () => Promise<T>): Promise<T> {
  const lockfilePath = join(dataDirectory, 'postgres-lock');
  const unlock = await lock(dataDirectory, {
    lockfilePath,
    stale: 5_000,
    retries: { retries: 600, factor: 1, minTimeout: 100, maxTimeout: 100 },
    onCompromised: () => undefined, // this process was frozen and replaced; the server's own pid file still guards the cluster
  }).catch((error: unknown) => {
    throw new EmbeddedPostgresError(`${lockfilePath} cannot be had: ${(error as Error).message}`);
  });
  try {
    return await work();
  } finally {
    await unlock().catch(() => undefined); // lost already, see above
  }
}
