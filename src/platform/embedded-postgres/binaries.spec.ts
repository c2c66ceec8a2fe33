import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { canTraverse, copyReadable, makePassable, serverUser } from './binaries.js';

describe('the account that runs the server', () => {
  let cluster: string;
  beforeEach(() => {
    cluster = mkdtempSync(join(tmpdir(), 'account-'));
  });
  afterEach(() => rmSync(cluster, { recursive: true, force: true }));
  const ownedBy = (uid: number): void => {
    writeFileSync(join(cluster, 'PG_VERSION'), '18\n');
    chownSync(join(cluster, 'PG_VERSION'), uid, uid);
  };

  if (process.getuid?.() === 0) {
    it('is the one that made the cluster, whatever accounts there are now', () => {
      ownedBy(65_533);
      expect(serverUser(cluster)).toEqual({ uid: 65_533, gid: 65_533 });
    });

    it('is not root, to whom a copy without its owners gave the cluster', () => {
      ownedBy(0);
      expect(() => serverUser(cluster)).toThrow(/belongs to root, .* give it back .*: chown -R postgres /);
    });
  } else {
    it('is that of this process', () => {
      expect(serverUser(cluster)).toBeUndefined();
    });
  }
});

if (process.getuid?.() === 0) {
  describe('what is made for the account that runs the server', () => {
    const umask = process.umask();
    let directory: string;
    beforeEach(() => {
      directory = mkdtempSync(join(tmpdir(), 'passable-'));
      chmodSync(directory, 0o755);
      process.umask(0o077);
    });
    afterEach(() => {
      process.umask(umask);
      rmSync(directory, { recursive: true, force: true });
    });

    it('is open to it, however strict the umask of root is', () => {
      const [made, copy] = [join(directory, 'made'), join(directory, 'copy')];
      makePassable(made);
      writeFileSync(join(made, 'program'), '', { mode: 0o700 });
      copyReadable(made, copy);

      const nobody = { uid: 65_534, gid: 65_534 };
      expect([made, copy].map((path) => canTraverse(path, nobody))).toEqual([true, true]);
      expect(statSync(join(copy, 'program')).mode & 0o777).toBe(0o755);
    });
  });
}
