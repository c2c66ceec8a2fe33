import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { serverUser } from './binaries.js';

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
