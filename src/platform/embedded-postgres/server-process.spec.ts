import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startServer } from './server-process.js';

describe('a server that fails to start', () => {
  let cluster: string;
  beforeEach(() => {
    cluster = mkdtempSync(join(tmpdir(), 'server-'));
  });
  afterEach(() => rmSync(cluster, { recursive: true, force: true }));

  it.each([
    ['', 'its log is empty, for example because the disk is full'],
    ['FATAL:  lock file is held\nLOG:  database system is shut down', 'FATAL:  lock file is held'],
    [
      'ERROR:  could not write block 2: No space left on device\nFATAL:  checkpoint request failed',
      'ERROR:  could not write block 2: No space left on device',
    ],
    [
      'FATAL:  data directory has invalid permissions\nDETAIL:  Permissions should be 0700.',
      'FATAL:  data directory has invalid permissions (Permissions should be 0700.)',
    ],
    ['LOG:  starting', 'LOG:  starting'],
  ])('with the log %j is reported by %j', async (log, reason) => {
    const pgCtl = join(cluster, 'pg_ctl');
    writeFileSync(pgCtl, `#!/bin/sh\nprintf '%s' '${log}' > "$5"\nexit 1\n`); // the fifth argument is the log file
    chmodSync(pgCtl, 0o755);
    const place = { binaries: { pgCtl, initdb: '', version: '18' }, user: undefined, cluster };
    await expect(startServer(place, {})).rejects.toThrow(`did not start: ${reason} (log: `);
  });
});

it('waits longer than pg_ctl for a server recovering from a crash', async () => {
  const cluster = mkdtempSync(join(tmpdir(), 'server-'));
  try {
    const pgCtl = join(cluster, 'pg_ctl');
    const status = (word: string): string => `printf '0\\n\\n\\n1\\n\\n\\n\\n${word}\\n' > ${cluster}/postmaster.pid`;
    // "status" reports a running server, "start" one that was not ready in time
    writeFileSync(
      pgCtl,
      `#!/bin/sh\n[ "$1" = status ] && exit 0\n${status('starting')}\n(sleep 1; ${status('ready')}) &\nexit 1\n`,
    );
    chmodSync(pgCtl, 0o755);
    const place = { binaries: { pgCtl, initdb: '', version: '18' }, user: undefined, cluster };
    await expect(startServer(place, { port: 1 })).resolves.toBe(1);
  } finally {
    rmSync(cluster, { recursive: true, force: true });
  }
});
