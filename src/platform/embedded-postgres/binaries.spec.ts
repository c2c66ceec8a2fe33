import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { canTraverse, copyBinaries, makeTraversable, serverUser } from './binaries.js';

const NOBODY = { uid: 65_534, gid: 65_534 };

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
    it('is the owner of the cluster, whatever accounts exist now', () => {
      ownedBy(65_533);
      expect(serverUser(cluster)).toEqual({ uid: 65_533, gid: 65_533 });
    });

    it('cannot be root, which owns a cluster copied without its owners', () => {
      ownedBy(0);
      expect(() => serverUser(cluster)).toThrow(/belongs to root, .* return it .*: chown -R postgres /);
    });
  } else {
    it('is that of this process', () => {
      expect(serverUser(cluster)).toBeUndefined();
    });
  }
});

if (process.getuid?.() === 0) {
  describe('a directory for the account that runs the server', () => {
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

    it('is accessible to it even under a strict umask', () => {
      const made = join(directory, 'made');
      makeTraversable(made, NOBODY);
      expect(canTraverse(made, NOBODY)).toBe(true);
    });

    it('is unchanged when the account can already traverse it', () => {
      chmodSync(directory, 0o711);
      makeTraversable(directory, NOBODY);
      expect(statSync(directory).mode & 0o777).toBe(0o711);
    });

    it.each(['copied', 'there, as a former release left it'])('lets it run the binaries when they are %s', (how) => {
      const [native, system] = [join(directory, 'native'), join(directory, 'system')];
      mkdirSync(join(native, 'bin'), { recursive: true });
      writeFileSync(join(native, 'bin', 'postgres'), '', { mode: 0o700 });
      const target = join(system, 'postgresql-18');
      if (how !== 'copied') cpSync(native, target, { recursive: true });

      expect(copyBinaries(native, target, NOBODY)).toBe(target);
      expect(canTraverse(join(target, 'bin'), NOBODY)).toBe(true);
      expect(statSync(join(target, 'bin', 'postgres')).mode & 0o777).toBe(0o755);
    });
  });
}
