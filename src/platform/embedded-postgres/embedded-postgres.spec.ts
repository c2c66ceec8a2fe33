import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { lock } from 'proper-lockfile';
import { clusterOf, discardDataDirectory } from './cluster.js';
import { EmbeddedPostgres } from './embedded-postgres.js';

it('chooses the place of the cluster once no other process is at it', async () => {
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
    expect(await start).toHaveProperty('message', expect.stringContaining('was made by PostgreSQL 9'));
  } finally {
    rmSync(dataDirectory, { recursive: true, force: true });
  }
});

it('does not wait for a lock that the file system refuses, and stops without it', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'embedded-'));
  chmodSync(dataDirectory, 0o755);
  const options = { dataDirectory, password: 'of a test' };
  try {
    const server = await EmbeddedPostgres.start(options);
    const pidFile = join(clusterOf(dataDirectory), 'postmaster.pid');
    const lockFile = join(dataDirectory, 'postgres-lock'); // abandoned, and no directory that could be removed
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

it('does not work on the original of a copy that was taken from under its server', async () => {
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
      /is a copy of one whose server runs; .* remove .*postmaster\.pid from the copy/,
    );
    expect(readdirSync(clusterOf(copy)).sort()).toEqual(['PG_VERSION', 'postmaster.pid']);
    const other = await EmbeddedPostgres.start(options); // as another process: the original is adopted
    expect(other.pid).toBe(server.pid);
    await other.stop('fast');
    await server.release();
  } finally {
    discardDataDirectory(dataDirectory);
    discardDataDirectory(copy);
  }
});
