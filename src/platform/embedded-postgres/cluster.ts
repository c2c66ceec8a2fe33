import { randomUUID } from 'node:crypto';
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { canTraverse, makeTraversable, type PostgresBinaries, type ServerUser, SYSTEM_DIRECTORY } from './binaries.js';
import { messageOf } from '../faults.js';
import { writeWhole } from '../whole-files.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { runTool } from './run-tool.js';
import { requireUsablePath } from './usable-path.js';

/**
 * The cluster's directory: inside the data directory or, if the server's user cannot access that, where a pointer file in the data
 * directory says. Call it in one process at a time.
 * @throws {EmbeddedPostgresError} if an existing cluster is unreachable: an empty one would replace it
 */
export function placeCluster(
  dataDirectory: string,
  user: ServerUser | undefined,
  systemDirectory = SYSTEM_DIRECTORY,
): string {
  const inside = insideOf(dataDirectory);
  const pointer = pointerOf(dataDirectory);
  const clusters = join(systemDirectory, 'clusters');
  if (existsSync(pointer)) {
    const cluster = pointedAt(pointer);
    // releases up to 0.10.0 left them inaccessible under a strict umask
    if (user && dirname(cluster) === clusters) makeTraversableTo(clusters, user);
    return cluster;
  }
  if (!user || canTraverse(dataDirectory, user)) return ensureDirectory(inside, user);
  if (existsSync(join(inside, 'PG_VERSION'))) {
    throw new EmbeddedPostgresError(
      `the embedded database is in ${inside}, which the account that runs it (uid ${user.uid}) can no longer reach; grant it access to every parent directory`,
    );
  }
  makeTraversableTo(clusters, user);
  const outside = ensureDirectory(join(clusters, randomUUID()), user);
  writeWhole(pointer, `${outside}\n`);
  return outside;
}

function makeTraversableTo(clusters: string, user: ServerUser): void {
  makeTraversable(dirname(clusters), user);
  makeTraversable(clusters, user);
}

function pointedAt(pointer: string): string {
  const cluster = readFileSync(pointer, 'utf8').trim();
  if (!isReadable(cluster)) {
    throw new EmbeddedPostgresError(
      `the embedded database is missing from ${cluster || 'the location'} named in ${pointer}, or this account has no access to it; put it back, or remove that file to start from scratch`,
    );
  }
  return cluster;
}

function isReadable(directory: string): boolean {
  try {
    accessSync(directory, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** The directory of the data directory's cluster. */
export function clusterOf(dataDirectory: string): string {
  const pointer = pointerOf(dataDirectory);
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : insideOf(dataDirectory);
}

/** Whether the data directory already has a cluster. */
export function hasCluster(dataDirectory: string): boolean {
  return existsSync(join(clusterOf(dataDirectory), 'PG_VERSION'));
}

/** Deletes a data directory and its cluster, wherever that is: for tests and benchmarks. */
export function discardDataDirectory(dataDirectory: string): void {
  rmSync(clusterOf(dataDirectory), { recursive: true, force: true });
  rmSync(dataDirectory, { recursive: true, force: true });
}

const insideOf = (dataDirectory: string): string => join(dataDirectory, 'postgres');
const pointerOf = (dataDirectory: string): string => join(dataDirectory, 'postgres-location');

function ensureDirectory(path: string, user: ServerUser | undefined): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (user) chownSync(path, user.uid, user.gid);
  return path;
}

/**
 * @throws {EmbeddedPostgresError} if the cluster was created by another major version of PostgreSQL, the directory contains
 * something else, or its path is unusable
 */
export function checkCluster(cluster: string, binaries: Pick<PostgresBinaries, 'version'>): void {
  requireUsablePath(cluster, 'set another DATA_DIR');
  const file = join(cluster, 'PG_VERSION');
  if (!existsSync(file)) {
    if (readdirSync(cluster).length === 0) return; // a cluster will be created here
    throw new EmbeddedPostgresError(
      `${cluster} contains files but is not a complete database: PG_VERSION is missing; restore the missing files, or set another DATA_DIR`,
    );
  }
  const found = readFileSync(file, 'utf8').trim();
  const bundled = binaries.version.split('.')[0] ?? '';
  if (found !== bundled) {
    throw new EmbeddedPostgresError(
      `the embedded database in ${cluster} was created by PostgreSQL ${found}, but this release includes ${bundled}; dump it with the previous release and restore it, or set another DATA_DIR`,
    );
  }
}

/** Creates the cluster if there is none, with `password` for the user postgres. */
export async function initializeCluster(
  binaries: PostgresBinaries,
  user: ServerUser | undefined,
  cluster: string,
  password: string,
): Promise<void> {
  if (existsSync(join(cluster, 'PG_VERSION'))) return;
  // created next to its final place, then renamed: an interrupted start leaves no partial cluster behind
  const fresh = `${cluster}.new`;
  rmSync(fresh, { recursive: true, force: true });
  ensureDirectory(fresh, user);
  const passwordFile = `${cluster}.password`; // where the server's user can read it
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
  } catch (error) {
    throw new EmbeddedPostgresError(`the embedded database could not be created in ${cluster}: ${messageOf(error)}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(fresh, cluster); // atomically replaces the empty directory
}
