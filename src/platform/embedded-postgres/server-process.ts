import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresBinaries, ServerUser } from './binaries.js';
import { EmbeddedPostgresError, runTool } from './run-tool.js';

export interface ServerOptions {
  /** Further `name=value` server parameters. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Port to listen on; any free one when absent. */
  readonly port?: number;
}

/** Port of the server that runs on the cluster, from its pid file; undefined when none does. */
export async function runningPort(
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

/** Starts the server on the cluster and returns its port. @throws {EmbeddedPostgresError} with the reason from its log */
export async function startServer(
  binaries: PostgresBinaries,
  user: ServerUser | undefined,
  cluster: string,
  options: ServerOptions,
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
