import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { lock } from 'proper-lockfile';
import { clusterOf, discardDataDirectory } from './cluster.js';
import { EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded-postgres.js';
import { MachineMark } from './machine-mark.js';

it('chooses the location of the cluster once no other process holds the lock', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'embedded-'));
  chmodSync(dataDirectory, 0o755);
  try {
    const unlock = await lock(dataDirectory, { lockfilePath: join(dataDirectory, 'postgres-lock') });
    const start = EmbeddedPostgres.start({ dataDirectory, password: 'of a test' }).catch((error: Error) => error);
    await sleep(300);
    expect(existsSync(join(dataDirectory, 'postgres'))).toBe(false);
    mkdirSync(join(dataDirectory, 'postgres')); // by the other process, of another release
    writeFileSync(join(dataDirectory, 'postgres', 'PG_VERSION'), '9\n');
    await unlock();
    expect(await start).toHaveProperty('message', expect.stringContaining('was created by PostgreSQL 9'));
  } finally {
    rmSync(dataDirectory, { recursive: true, force: true });
  }
});

it('fails on a lock that the file system refuses, and still stops the server', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'embedded-'));
  chmodSync(dataDirectory, 0o755);
  const options = { dataDirectory, password: 'of a test' };
  try {
    const server = await EmbeddedPostgres.start(options);
    const pidFile = join(clusterOf(dataDirectory), 'postmaster.pid');
    const lockFile = join(dataDirectory, 'postgres-lock'); // stale, and not a directory that could be removed
    writeFileSync(lockFile, '');
    utimesSync(lockFile, 0, 0);
    await expect(EmbeddedPostgres.start(options)).rejects.toHaveProperty('code', 'ENOTDIR');
    expect(existsSync(pidFile)).toBe(true);
    await server.release();
    expect(existsSync(pidFile)).toBe(false);
  } finally {
    discardDataDirectory(dataDirectory);
  }
});

it('connects without TLS, whatever the environment requires of other databases', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'embedded-'));
  chmodSync(dataDirectory, 0o755);
  process.env['PGSSLMODE'] = 'require';
  try {
    const server = await EmbeddedPostgres.start({ dataDirectory, password: 'of a test' });
    await server.release();
  } finally {
    delete process.env['PGSSLMODE'];
    discardDataDirectory(dataDirectory);
  }
});

it('refuses a copy taken while its server was running, without touching the original', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'embedded-'));
  const copy = mkdtempSync(join(tmpdir(), 'embedded-copy-'));
  for (const directory of [dataDirectory, copy]) chmodSync(directory, 0o755);
  const options = { dataDirectory, password: 'of a test' };
  try {
    const server = await EmbeddedPostgres.start(options);
    const { uid, gid } = statSync(clusterOf(dataDirectory));
    mkdirSync(clusterOf(copy));
    for (const name of ['PG_VERSION', 'postmaster.pid']) {
      copyFileSync(join(clusterOf(dataDirectory), name), join(clusterOf(copy), name));
      chownSync(join(clusterOf(copy), name), uid, gid);
    }
    await expect(EmbeddedPostgres.start({ ...options, dataDirectory: copy })).rejects.toThrow(
      /was copied while its server was running, .*; stop the original service and copy it again .*postmaster\.pid/,
    );
    expect(readdirSync(clusterOf(copy)).sort()).toEqual(['PG_VERSION', 'postmaster.pid']);
    const other = await EmbeddedPostgres.start(options); // like another process: adopts the running server
    expect(other.pid).toBe(server.pid);
    await Promise.all([server.release(), other.release()]); // a single one left connected would restart the server while it stops
  } finally {
    discardDataDirectory(dataDirectory);
    discardDataDirectory(copy);
  }
});

it('refuses a database in use by another container or machine until that shows no sign of life', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'embedded-'));
  chmodSync(dataDirectory, 0o755);
  const options = { dataDirectory, password: 'of a test' };
  try {
    const other = await MachineMark.set(dataDirectory, 'another container');
    await expect(EmbeddedPostgres.start(options)).rejects.toThrow(/is in use by another container or machine; /);
    expect(readdirSync(dataDirectory)).not.toContain('postgres.new');
    expect(readdirSync(clusterOf(dataDirectory))).toEqual([]);
    other.leave(); // as if killed
    const server = await EmbeddedPostgres.start(options);
    await server.release();
    expect(readdirSync(dataDirectory)).not.toContain('postgres-machine');
  } finally {
    discardDataDirectory(dataDirectory);
  }
});

describe('a server that dies', () => {
  /** Starts one and kills it after `meanwhile`. `logs` waits for a matching log line. */
  async function killed(dataDirectory: string, meanwhile: (mark: string) => void) {
    const lines: string[] = [];
    const logger = {
      warn: (message: unknown) => lines.push(String(message)),
      error: ({ reason }: { reason?: unknown }) => lines.push(String(reason)),
    } as unknown as NonNullable<EmbeddedPostgresOptions['logger']>;
    chmodSync(dataDirectory, 0o755);
    const server = await EmbeddedPostgres.start({ dataDirectory, password: 'of a test', logger });
    const mark = join(dataDirectory, 'postgres-machine');
    meanwhile(mark);
    process.kill(server.pid, 'SIGKILL');
    const logs = async (what: RegExp): Promise<void> => {
      while (!lines.some((line) => what.test(line))) await sleep(50);
    };
    return { server, mark, logs, lines };
  }

  it('is marked as in use again after its restart, even if the mark was removed', async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'embedded-'));
    try {
      const { server, mark, logs } = await killed(dataDirectory, (file) => rmSync(file));
      await logs(/is back/);
      expect(existsSync(mark)).toBe(true);
      await server.release();
    } finally {
      discardDataDirectory(dataDirectory);
    }
  });

  it('is reported once for each reason that keeps it from being restarted', async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'embedded-'));
    const cluster = clusterOf(dataDirectory);
    try {
      const { server, logs, lines } = await killed(dataDirectory, () => chmodSync(cluster, 0o755));
      await logs(/invalid permissions/);
      const log = join(cluster, 'server.log');
      const ofFirstAttempt = readFileSync(log, 'utf8');
      while (!existsSync(log) || ['', ofFirstAttempt].includes(readFileSync(log, 'utf8'))) await sleep(20);
      chmodSync(cluster, 0o700);
      await logs(/is back/);
      expect(lines.filter((line) => line.includes('invalid permissions'))).toHaveLength(1);
      await server.release();
    } finally {
      discardDataDirectory(dataDirectory);
    }
  });

  it('is not restarted after another container took over its database, whose files stay untouched', async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'embedded-'));
    const signs: NodeJS.Timeout[] = [];
    try {
      const { server, mark, logs } = await killed(dataDirectory, (file) => {
        writeFileSync(file, 'another container');
        signs.push(setInterval(() => utimesSync(file, new Date(), new Date()), 200));
      });
      await logs(/is in use by another container or machine/);
      const pidFile = join(clusterOf(dataDirectory), 'postmaster.pid');
      writeFileSync(pidFile, `${process.pid}\n`); // an unrelated process with the same id on this machine
      await server.release();
      expect([readFileSync(mark, 'utf8'), existsSync(pidFile)]).toEqual(['another container', true]);
    } finally {
      signs.forEach(clearInterval);
      discardDataDirectory(dataDirectory);
    }
  });
});

const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('a killed server is restarted when its process id', () => {
  it.each([
    ['belongs to another program', 'echo $$; exec sleep 60', '(sleep) S'],
    ['belongs to the server of another database', 'echo $$; exec ./postgres 60', '(postgres) S'],
    ['belongs to a zombie server', './postgres 0.1 & echo $!; exec sleep 60', '(postgres) Z'],
  ])('%s', async (_, program, state) => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'embedded-'));
    chmodSync(dataDirectory, 0o755);
    const tools = mkdtempSync(join(tmpdir(), 'embedded-tools-'));
    chmodSync(tools, 0o755);
    symlinkSync('/bin/sleep', join(tools, 'postgres'));
    const options = { dataDirectory, password: 'of a test' };
    const killed = await EmbeddedPostgres.start(options);
    const file = join(clusterOf(dataDirectory), 'postmaster.pid');
    const [, ...lines] = readFileSync(file, 'utf8').split('\n');
    const { uid, gid } = statSync(clusterOf(dataDirectory));
    const shell = spawn('sh', ['-c', program], { cwd: tools, uid, gid, stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const [output] = (await once(shell.stdout, 'data')) as [Buffer];
      const id = output.toString().trim();
      await killed.stop('immediate');
      while (!readFileSync(`/proc/${id}/stat`, 'utf8').includes(state)) await sleep(20);
      writeFileSync(file, [id, ...lines].join('\n'));
      const server = await EmbeddedPostgres.start(options);
      expect(server.pid).not.toBe(Number(id));
      await server.release();
    } finally {
      shell.kill('SIGKILL');
      for (const directory of [dataDirectory, tools]) discardDataDirectory(directory);
    }
  });
});
