import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { canTraverse } from './binaries.js';
import { checkCluster, clusterOf, discardDataDirectory, initializeCluster, placeCluster } from './cluster.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

const isRoot = process.getuid?.() === 0;
/** The account of this process, which runs the server itself unless it is root. */
const OWN = isRoot ? { uid: 0, gid: 0 } : undefined;
const NOBODY = { uid: 65_534, gid: 65_534 };

describe('the location of the cluster', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'cluster-')); // only its owner can traverse it
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('is inside the data directory when the server can access it', () => {
    expect(placeCluster(directory, OWN)).toBe(join(directory, 'postgres'));
  });

  it('is not recreated when the pointer names a missing one', () => {
    writeFileSync(join(directory, 'postgres-location'), `${join(directory, 'elsewhere')}\n`);
    expect(() => placeCluster(directory, OWN)).toThrow(EmbeddedPostgresError);
    expect(() => placeCluster(directory, OWN)).toThrow(
      /is missing from .*elsewhere .*put it back, or remove that file/,
    );
  });

  it('contains a cluster of this major version, or nothing yet', () => {
    const check = () => checkCluster(directory, { version: '18.4' });
    expect(check).not.toThrow();
    writeFileSync(join(directory, 'base'), '');
    expect(check).toThrow(/contains files but is not a complete database: PG_VERSION is missing/);
    writeFileSync(join(directory, 'PG_VERSION'), '17\n');
    expect(check).toThrow(/was created by PostgreSQL 17, but this release includes 18/);
    writeFileSync(join(directory, 'PG_VERSION'), '18\n');
    expect(check).not.toThrow();
  });

  it('is named when it cannot be created', async () => {
    const initdb = join(directory, 'initdb');
    writeFileSync(initdb, '#!/bin/sh\necho "FATAL:  could not write: No space left on device" >&2\nexit 1\n', {
      mode: 0o755,
    });
    const cluster = join(directory, 'postgres');
    await expect(initializeCluster({ pgCtl: '', initdb, version: '18.4' }, undefined, cluster, 'x')).rejects.toThrow(
      `the embedded database could not be created in ${cluster}: FATAL:  could not write: No space left on device`,
    );
  });

  const reaches = (name: string): boolean => {
    const path = join(directory, name);
    mkdirSync(path);
    return spawnSync('sh', ['-c', `test -d "${path}"`]).status === 0; // quoted as the server's tools do it
  };

  it.each(['a$b', 'a$1', 'a$$', 'a${b}', 'a"b', 'a`b', 'a\nb', 'a\\\\b', 'a\\$'])(
    'is refused at the path %j, which the server tools cannot find',
    (name) => {
      expect(reaches(name)).toBe(name === 'a\nb'); // which the shell finds, but postmaster.pid truncates
      expect(() => checkCluster(join(directory, name), { version: '18.4' })).toThrow(
        /do not support .*set another DATA_DIR/,
      );
    },
  );

  it.each(['a$', 'a$.b', 'a$ b', 'a\\b', "a'b"])('can be at the path %j, which they find', (name) => {
    expect(reaches(name)).toBe(true);
    expect(() => checkCluster(join(directory, name), { version: '18.4' })).not.toThrow();
  });

  if (isRoot) {
    it('is elsewhere when the server cannot access the data directory, and stays there', () => {
      const cluster = placeCluster(directory, NOBODY);
      expect(cluster.startsWith(directory)).toBe(false);
      chmodSync(directory, 0o755);
      expect(placeCluster(directory, NOBODY)).toBe(cluster);
      expect(clusterOf(directory)).toBe(cluster);
      discardDataDirectory(directory);
      expect(existsSync(cluster)).toBe(false);
    });

    it('is made accessible when an earlier release left the path to it closed under a strict umask', () => {
      const system = mkdtempSync(join(tmpdir(), 'system-'));
      try {
        const cluster = placeCluster(directory, NOBODY, system);
        for (const closed of [system, dirname(cluster)]) chmodSync(closed, 0o700);
        expect(placeCluster(directory, NOBODY, system)).toBe(cluster);
        expect(canTraverse(cluster, NOBODY)).toBe(true);
      } finally {
        rmSync(system, { recursive: true, force: true });
      }
    });

    it('is found without giving up any privileges of this process', () => {
      const rights = () => [process.geteuid!(), process.getegid!(), process.getgroups!()];
      const before = rights();
      placeCluster(directory, NOBODY);
      expect(rights()).toEqual(before);
      discardDataDirectory(directory);
    });

    it('does not move when the server can no longer access the first one', () => {
      mkdirSync(join(directory, 'postgres'));
      writeFileSync(join(directory, 'postgres', 'PG_VERSION'), '18\n');
      expect(() => placeCluster(directory, NOBODY)).toThrow(/can no longer reach; grant it access/);
      expect(existsSync(join(directory, 'postgres-location'))).toBe(false);
    });
  }
});
