import { execFileSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../faults.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { requireUsablePath } from './usable-path.js';

/** Where an installation that runs as root puts files that the database's own user must be able to access. */
export const SYSTEM_DIRECTORY = '/var/lib/demand-forecasting';

/** The user that runs the server: PostgreSQL refuses to run as root. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

export interface PostgresBinaries {
  readonly pgCtl: string;
  readonly initdb: string;
  readonly version: string;
}

/**
 * The unprivileged account to run the server as if this process is root; undefined if it is not. An existing cluster keeps the
 * account that created it, even if an account named postgres has been added since.
 * @throws {EmbeddedPostgresError} if root owns the cluster, as after restoring it from a copy
 */
export function serverUser(cluster: string): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const made = statSync(join(cluster, 'PG_VERSION'), { throwIfNoEntry: false });
  if (made?.uid === 0) {
    throw new EmbeddedPostgresError(
      `the embedded database in ${cluster} belongs to root, but PostgreSQL does not run as root; return it to the account that owned it: chown -R postgres ${cluster} (or nobody, if there is no account postgres)`,
    );
  }
  return made ? { uid: made.uid, gid: made.gid } : accountForServer();
}

function accountForServer(): ServerUser {
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const account = accounts.find(([name]) => name === 'postgres') ?? accounts.find(([name]) => name === 'nobody');
  if (!account) {
    throw new EmbeddedPostgresError('to run as root, the embedded database needs an account named postgres or nobody');
  }
  return { uid: Number(account[2]), gid: Number(account[3]) };
}

/** Whether the account can traverse every directory down to `path`. For root, which switches to the account to find out. */
export function canTraverse(path: string, user: ServerUser): boolean {
  const [groups, gid, uid] = [process.getgroups!(), process.getegid!(), process.geteuid!()];
  try {
    process.setgroups!([]);
    process.setegid!(user.gid);
    process.seteuid!(user.uid);
    // not join(), which drops the dot: stat on `x` takes search permission for its parent, on `x/.` for x itself
    return statSync(`${path}/.`, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (codeOf(error) === 'EACCES') return false;
    throw error; // unknown, and guessing "no" would put the cluster somewhere else
  } finally {
    process.seteuid!(uid);
    process.setegid!(gid);
    process.setgroups!(groups);
  }
}

/**
 * The bundled server binaries, copied below {@link SYSTEM_DIRECTORY} if the server's user cannot access them where they are
 * installed (a project below a home directory that only root may enter).
 */
export function locateBinaries(user: ServerUser | undefined): PostgresBinaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const packageName = `@embedded-postgres/${platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  let entry: string;
  try {
    entry = require.resolve(packageName);
  } catch {
    throw new EmbeddedPostgresError(
      `there is no embedded PostgreSQL for ${platform}-${process.arch}; set DATABASE_URL to your own PostgreSQL`,
    );
  }
  const root = dirname(dirname(entry));
  const version = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
  const native = join(root, 'native');
  const place =
    user && !canTraverse(join(native, 'bin'), user)
      ? copyBinaries(native, join(SYSTEM_DIRECTORY, `postgresql-${version}`), user)
      : native;
  const suffix = platform === 'windows' ? '.exe' : '';
  const binaries = {
    pgCtl: join(place, 'bin', `pg_ctl${suffix}`),
    initdb: join(place, 'bin', `initdb${suffix}`),
    version,
  };
  requireUsablePath(binaries.pgCtl, 'move the service to another directory, or set DATABASE_URL');
  accessSync(binaries.pgCtl, constants.X_OK);
  return binaries;
}

/**
 * Copies the binaries to `target`, shared by all installations. Makes an existing copy accessible if it is not: releases up to
 * 0.10.0 created it without access for the user under a strict umask.
 */
export function copyBinaries(native: string, target: string, user: ServerUser): string {
  makeTraversable(dirname(target), user);
  if (existsSync(target) && statSync(target).isDirectory()) {
    if (!canTraverse(join(target, 'bin'), user)) makeReadable(target);
    return target;
  }
  const partial = join(dirname(target), `.${basename(target)}.${process.pid}`);
  cpSync(native, partial, { recursive: true, verbatimSymlinks: true });
  makeReadable(partial);
  try {
    renameSync(partial, target); // atomic: other processes see all of it or nothing
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

/** Creates a directory that the user can traverse, or makes an existing one traversable, however strict the umask of this process. */
export function makeTraversable(directory: string, user: ServerUser): void {
  mkdirSync(directory, { recursive: true });
  if (!canTraverse(directory, user)) chmodSync(directory, 0o755);
}

/** Lets every account read and execute a directory's contents: under a strict umask, npm installs them for its own account only. */
function makeReadable(directory: string): void {
  execFileSync('chmod', ['-R', 'a+rX', directory]);
}
