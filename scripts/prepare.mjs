// The prerequisites of every command in the project: installs the packages and builds the sources. Runs on the system's own Node (20 or
// newer), before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Node 24 from the npm package `node`: the system's own may be too old for the service. */
export const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
/** Node's compile cache for 3,000 modules: compiling them again takes a sixth of the time of an admin command. */
export const compiled = join(root, 'node_modules', '.cache', 'compiled');
/**
 * What the processes of Jest are started with: modules outlive a young generation of the usual 16 MiB, and are copied repeatedly, and
 * compiling those of packages takes each process most of a second.
 */
export const ENVIRONMENT_OF_JEST = {
  NODE_OPTIONS: '--max-semi-space-size=64',
  NODE_COMPILE_CACHE: compiled,
};
/** Maximum duration of an installation or a build, in milliseconds. */
const MAX_WORK_MS = 900_000;
/** Maximum duration of the removal of a file, in milliseconds. */
const MAX_REMOVAL_MS = 60_000;
/** Error codes for locations that this account may not write to. */
const DENIED = new Set(['EACCES', 'EPERM', 'EROFS']);
const SOURCES = ['src', 'config', 'migrations', 'bench', 'training'];

function run(what, command, args) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (result.status === 0) return;
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}\n${what} failed\n`);
  process.exit(1);
}

/**
 * Does the work unless it is done, in one process only: if several start at once, one installs and builds while the others wait. Two at
 * once would delete files that the other has just written or started to read.
 * @param lock file that exists, containing the process id, while a process is at work
 */
function once(lock, isDone, work) {
  if (isDone()) return;
  try {
    alone(lock, isDone, work);
  } catch (error) {
    if (error.syscall === undefined) throw error;
    const wayOut = DENIED.has(error.code) ? `; this account needs to write below ${root}` : '';
    console.error(`cannot install or build: ${error.message}${wayOut}`);
    process.exit(1);
  }
}

function alone(lock, isDone, work) {
  mkdirSync(dirname(lock), { recursive: true });
  for (let announced = false; !take(lock); announced = true) {
    if (!announced) console.error('another start installs or builds; waiting for it …');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  }
  try {
    if (!isDone()) work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isStale(lock)) remove(lock);
    return false;
  }
}

/** One at a time: otherwise a second process could remove the lock of whoever acquired it after the first had removed this one. */
function remove(lock) {
  const turn = `${lock}.left`;
  try {
    mkdirSync(turn);
  } catch {
    const since = statSync(turn, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - since > MAX_REMOVAL_MS) rmSync(turn, { recursive: true, force: true }); // left by a process killed while removing
    return; // held by another process
  }
  try {
    if (isStale(lock)) rmSync(lock, { force: true });
  } finally {
    rmdirSync(turn);
  }
}

/** Whether its process was killed during the work. A restarted container reuses the process ids of the previous one. */
function isStale(lock) {
  try {
    const id = Number(readFileSync(lock, 'utf8'));
    if (id === process.pid || Date.now() - statSync(lock).mtimeMs > MAX_WORK_MS) return true;
    process.kill(id, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** Installs the packages of package-lock.json unless they are there; development packages only on request. */
export function ensureInstalled({ development }) {
  const stamp = join(root, 'node_modules', '.installed');
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const installed = () => read(stamp);
  const isDone = () => installed() === `${lock} all` || (!development && installed() === `${lock} production`);
  // development packages, once installed by a command here or by `npm install`, are kept: a start must not remove a developer's tools
  const wantsAll = () => development || installed().endsWith(' all') || existsSync(join(root, 'node_modules', 'jest'));
  once(join(root, 'node_modules', '.installing'), isDone, () => {
    const all = wantsAll();
    console.error('installing packages (once; about a minute) …');
    // --no-save: an install must not change the tracked lock file, whatever platform it runs on
    run('npm install', 'npm', [
      'install',
      '--no-save',
      '--no-audit',
      '--no-fund',
      ...(all ? ['--include=dev'] : ['--omit=dev']),
    ]);
    writeFileSync(stamp, `${lock} ${all ? 'all' : 'production'}`);
  });
}

const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

function* files(directory, ending) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* files(path, ending);
    else if (entry.name.endsWith(ending)) yield path;
  }
}

/** Removes what earlier builds made of deleted sources: code that still imports one would work here, but on no fresh clone. */
function removeOrphans(folder) {
  for (const path of files(join(root, 'dist', folder), '.js')) {
    const source = join(root, relative(join(root, 'dist'), path.replace(/js$/, 'ts')));
    if (existsSync(source)) continue;
    rmSync(path);
    rmSync(`${path}.map`, { force: true });
  }
}

/** Compiles the sources to dist/ unless they are unchanged since the last build. */
export function ensureBuilt() {
  const folders = SOURCES.filter((folder) => existsSync(join(root, folder)));
  const state = createHash('sha256').update(readFileSync(join(root, '.swcrc')));
  for (const folder of folders) {
    for (const path of files(join(root, folder), '.ts')) {
      const { mtimeMs, size } = statSync(path);
      state.update(`${path} ${mtimeMs} ${size}\n`);
    }
  }
  const digest = state.digest('hex');
  const stamp = join(root, 'dist', '.built');
  once(
    join(root, 'dist', '.building'),
    () => read(stamp) === digest,
    () => {
      run('the build', node, [
        join(root, 'node_modules', '@swc', 'cli', 'bin', 'swc.js'),
        ...folders,
        '-d',
        'dist',
        '--config-file',
        '.swcrc',
        '-q',
      ]);
      for (const folder of folders) removeOrphans(folder);
      writeFileSync(stamp, digest);
    },
  );
}
