import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  canTraverse,
  locateBinaries,
  type PostgresBinaries,
  serverUser,
  type ServerUser,
  SYSTEM_DIRECTORY,
} from './binaries.js';

const DATABASE = 'forecasting';
/** Marks this service's connections in pg_stat_activity. */
export const APPLICATION_NAME = 'demand-forecasting';
/** Marks the connection by which a process shows the others that it uses the server. */
const PRESENCE = `${APPLICATION_NAME}-presence-`;
const OWN_PRESENCE = PRESENCE + randomUUID();

/** The embedded server cannot be used; the message is one line for the operator. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

export interface EmbeddedPostgresOptions {
  /** Directory that holds the cluster (and, when this process is root, at least the pointer to it). */
  readonly dataDirectory: string;
  readonly password: string;
  /** Further `name=value` server parameters. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Port to listen on; any free one when absent. */
  readonly port?: number;
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
    private readonly lockFile: string,
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
    const lockFile = join(options.dataDirectory, 'postgres.lock');
    const unlock = await lock(lockFile);
    try {
      if (!existsSync(join(cluster, 'PG_VERSION'))) await initialise(binaries, user, cluster, options.password);
      const running = await runningPort(binaries, user, cluster);
      const port = running ?? (await startServer(binaries, user, cluster, options));
      const presence = await showPresence(port, options.password);
      const server = new EmbeddedPostgres(binaries, user, cluster, port, options.password, lockFile, presence);
      await server.createDatabase();
      return server;
    } finally {
      unlock();
    }
  }

  /** Stops the server unless another process of the service is still connected. */
  async release(): Promise<void> {
    const unlock = await lock(this.lockFile); // nobody adopts a server that is about to stop
    try {
      await this.presence.end().catch(() => undefined); // lost with a server that died
      if (!(await this.inUse())) await this.stop('fast');
    } finally {
      unlock();
    }
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

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // the query in flight rejects on its own
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The cluster's directory: below the data directory, or where root's server user can reach it, keyed by a pointer file. */
function placeCluster(dataDirectory: string, user: ServerUser | undefined): string {
  mkdirSync(dataDirectory, { recursive: true, mode: 0o755 });
  const inside = join(dataDirectory, 'postgres');
  if (!user) return ensureDirectory(inside, user);
  const pointer = join(dataDirectory, 'postgres-location');
  if (existsSync(pointer)) return ensureDirectory(readFileSync(pointer, 'utf8').trim(), user);
  if (canTraverse(dataDirectory, user)) return ensureDirectory(inside, user);
  const outside = join(SYSTEM_DIRECTORY, 'clusters', randomUUID());
  mkdirSync(join(SYSTEM_DIRECTORY, 'clusters'), { recursive: true, mode: 0o755 });
  writeFileSync(pointer, `${outside}\n`);
  return ensureDirectory(outside, user);
}

function ensureDirectory(path: string, user: ServerUser | undefined): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (user) chownSync(path, user.uid, user.gid);
  return path;
}

function checkVersion(cluster: string, binaries: PostgresBinaries): void {
  const file = join(cluster, 'PG_VERSION');
  if (!existsSync(file)) return;
  const found = readFileSync(file, 'utf8').trim();
  const bundled = binaries.version.split('.')[0] ?? '';
  if (found !== bundled) {
    throw new EmbeddedPostgresError(
      `the embedded database in ${cluster} was made by PostgreSQL ${found}, this release brings ${bundled}; dump it with the former release and restore it, or give another DATA_DIR`,
    );
  }
}

async function initialise(
  binaries: PostgresBinaries,
  user: ServerUser | undefined,
  cluster: string,
  password: string,
): Promise<void> {
  // made aside and moved into place whole: a start that is cut off leaves no half a cluster behind
  const fresh = `${cluster}.new`;
  rmSync(fresh, { recursive: true, force: true });
  ensureDirectory(fresh, user);
  const passwordFile = join(tmpdir(), `.initdb-${randomUUID()}`);
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) chownSync(passwordFile, user.uid, user.gid);
  try {
    await runTool(
      binaries.initdb,
      [
        '-D',
        fresh,
        '-U',
        'postgres',
        '-A',
        'scram-sha-256',
        `--pwfile=${passwordFile}`,
        '-E',
        'UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '--no-instructions',
      ],
      user,
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
  rmdirSync(cluster);
  renameSync(fresh, cluster);
}

/** Port of the server that runs on the cluster, from its pid file; undefined when none does. */
async function runningPort(
  binaries: PostgresBinaries,
  user: ServerUser | undefined,
  cluster: string,
): Promise<number | undefined> {
  const status = await runTool(binaries.pgCtl, ['status', '-D', cluster], user, true);
  if (status !== 0) return undefined;
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[3]);
    if (port > 0) return port;
    await sleep(100); // the pid file is written in steps while the server starts
  }
  throw new EmbeddedPostgresError(`the embedded database in ${cluster} runs but does not tell its port`);
}

async function startServer(
  binaries: PostgresBinaries,
  user: ServerUser | undefined,
  cluster: string,
  options: EmbeddedPostgresOptions,
): Promise<number> {
  const log = join(cluster, 'server.log');
  rmSync(log, { force: true });
  const port = options.port ?? (await freePort());
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '256MB',
    max_wal_size: '4GB',
    ...options.parameters,
  };
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`);
  try {
    await runTool(
      binaries.pgCtl,
      ['start', '-D', cluster, '-l', log, '-w', '-t', '60', '-s', '-o', `-p ${port} ${flags.join(' ')}`],
      user,
    );
  } catch {
    throw new EmbeddedPostgresError(`the embedded database did not start: ${lastFault(log)} (log: ${log})`);
  }
  return port;
}

function lastFault(log: string): string {
  if (!existsSync(log)) return 'it left no log';
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  return lines.filter((line) => /FATAL|PANIC|could not/.test(line)).at(-1) ?? lines.at(-1) ?? 'its log is empty';
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no free port')),
      );
    });
  });
}

/** Runs a server tool as the server's user; resolves to the exit code, rejects on a failure unless tolerated. */
function runTool(
  command: string,
  args: readonly string[],
  user: ServerUser | undefined,
  tolerate = false,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...(user ? { uid: user.uid, gid: user.gid } : {}),
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let fault = '';
    child.stderr.on('data', (chunk: Buffer) => (fault += chunk.toString()));
    child.once('error', reject);
    // 'exit', not 'close': the started server inherits the pipe and would keep it open for ever
    child.once('exit', (code) => {
      child.stderr.destroy();
      if (code === 0 || tolerate) resolve(code ?? 1);
      else reject(new EmbeddedPostgresError(fault.trim().split('\n').at(-1) ?? `${command} failed`));
    });
  });
}

/** A lock file against two processes initialising or starting the same cluster at once; a dead holder's lock is taken over. */
async function lock(path: string): Promise<() => void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (!holderAlive(path)) rmSync(path, { force: true });
      else await sleep(100);
    }
  }
  throw new EmbeddedPostgresError(`another process has held ${path} for a minute`);
}

function holderAlive(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    if (pid === process.pid) return false;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: another user's process; ENOENT: just given back, so the next try decides
    return ['EPERM', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}
