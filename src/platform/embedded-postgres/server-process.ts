import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresBinaries, ServerUser } from './binaries.js';
import { codeOf } from '../faults.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { runTool, withAdvice } from './run-tool.js';

/**
 * Longest recovery to wait for. After a crash the server first replays its write-ahead log, which may be as large as max_wal_size;
 * a recovery that is interrupted, as service managers do after a failed start, begins again.
 */
const MAX_RECOVERY_MS = 3_600_000;

export interface ServerOptions {
  /** Additional server parameters by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Port to listen on; by default that of the previous server, or any free one. */
  readonly port?: number;
}

/** A cluster, with the binaries and the user that run its server. */
export interface Place {
  readonly binaries: PostgresBinaries;
  readonly user: ServerUser | undefined;
  readonly cluster: string;
}

/** Port of the server running on the cluster, from its pid file; undefined if none is. */
export async function runningPort(place: Place): Promise<number | undefined> {
  const { cluster } = place;
  if (!(await isRunning(place))) return undefined;
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[3]);
    if (port > 0) return port;
    await sleep(100); // the pid file is written in steps during startup
  }
  throw new EmbeddedPostgresError(`the embedded database in ${cluster} is running, but its port is unknown`);
}

/** Starts the server on the cluster and returns its port. @throws {EmbeddedPostgresError} with the reason from its log */
export async function startServer(place: Place, options: ServerOptions): Promise<number> {
  const { binaries, user, cluster } = place;
  const log = join(cluster, 'server.log');
  // the log of a server that died is kept until the next start
  if (existsSync(log)) renameSync(log, `${log}.former`);
  const port = options.port ?? (await freePort(formerPort(cluster))) ?? (await freePort(0));
  if (port === undefined) throw new EmbeddedPostgresError('no free port on 127.0.0.1 for the embedded database');
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '256MB',
    max_wal_size: '4GB',
    log_checkpoints: 'off', // two lines every five minutes, for years, in a file that is only rotated at a start
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
    if (!(await becomesReady(place)))
      throw new EmbeddedPostgresError(`the embedded database did not start: ${lastFault(log)} (log: ${log})`);
  }
  return port;
}

/** Waits for a server that is running but was not ready within pg_ctl's timeout; false if it exits or never becomes ready. */
async function becomesReady(place: Place): Promise<boolean> {
  const pidFile = join(place.cluster, 'postmaster.pid');
  for (const until = performance.now() + MAX_RECOVERY_MS; performance.now() < until; await sleep(500)) {
    if (!(await isRunning(place))) return false;
    const status = existsSync(pidFile) ? readFileSync(pidFile, 'utf8').split('\n')[7] : undefined;
    if (status?.trim() === 'ready') return true;
  }
  return false;
}

/** Stops the server if it is running, even if others are connected. */
export async function stopServer(place: Place, mode: 'fast' | 'immediate'): Promise<void> {
  if (!(await isRunning(place))) return; // a server that has died already counts as stopped
  const { binaries, user, cluster } = place;
  await runTool(binaries.pgCtl, ['stop', '-D', cluster, '-m', mode, '-w', '-t', '60'], user);
}

async function isRunning({ binaries, user, cluster }: Place): Promise<boolean> {
  removeStalePidFile(cluster);
  return (await runTool(binaries.pgCtl, ['status', '-D', cluster], user, true)) === 0;
}

/**
 * Removes a pid file whose process is not a server of the cluster. PostgreSQL takes any process with that id for the server. In a
 * container, ids restart at 1 with every start, so some thread soon gets it; after a reboot it may belong to another PostgreSQL; and a
 * killed server keeps its id as a zombie if the init process does not reap. A server that is still running is also detected by its
 * shared memory.
 */
function removeStalePidFile(cluster: string): void {
  const path = join(cluster, 'postmaster.pid');
  if (!existsSync(path)) return;
  const start = startOf(path);
  const id = start.split('\n')[0]!.trim();
  const [, command, state] = statOf(id);
  if (command === undefined || (command === 'postgres' && state !== 'Z' && mayHaveStarted(id, start))) return;
  rmSync(path, { force: true });
}

/** What a server writes when it starts and does not change: its process id, data directory and time. */
const startOf = (pidFile: string): string => readFileSync(pidFile, 'utf8').split('\n').slice(0, 3).join('\n');

/**
 * Whether the process wrote that into the pid file in its working directory: the cluster's server did, and so did the original's if the
 * cluster is a copy. True if the directory cannot be read.
 */
function mayHaveStarted(id: string, start: string): boolean {
  try {
    return startOf(`/proc/${id}/cwd/postmaster.pid`) === start;
  } catch (error) {
    return codeOf(error) !== 'ENOENT';
  }
}

/** Name and state of a process or thread as Linux reports them (proc(5)); empty if it does not. */
function statOf(id: string): readonly (string | undefined)[] {
  try {
    return /^\d+ \((.*)\) (\w)/s.exec(readFileSync(`/proc/${id}/stat`, 'utf8')) ?? [];
  } catch {
    return [];
  }
}

function lastFault(log: string): string {
  if (!existsSync(log)) return 'it left no log';
  const text = readFileSync(log, 'utf8').trim();
  if (text === '') return 'its log is empty, for example because the disk is full';
  const lines = text.split('\n');
  // a full disk is reported before the failures it causes, which do not mention it
  const faults = [/No space left on device|wrote only \d/, /FATAL|PANIC|could not/];
  const at = faults.map((fault) => lines.findLastIndex((line) => fault.test(line))).find((line) => line >= 0);
  return withAdvice(lines, at ?? lines.length - 1);
}

/** Port of the cluster's previous server, so that clients find the new one there. */
function formerPort(cluster: string): number {
  const options = join(cluster, 'postmaster.opts');
  return existsSync(options) ? Number(/"-p" "(\d+)"/.exec(readFileSync(options, 'utf8'))?.[1] ?? 0) : 0;
}

/** `wanted`, or any free port if it is 0; undefined if it is not available. */
function freePort(wanted: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
