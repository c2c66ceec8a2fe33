import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { satisfies } from 'semver';
import { PROJECT_ROOT } from '../../config/paths.js';

describe('packages installed at start', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'forecasting-install-'));
    for (const folder of ['scripts', 'bin', 'node_modules']) mkdirSync(join(directory, folder));
    copyFileSync(join(PROJECT_ROOT, 'scripts', 'prepare.mjs'), join(directory, 'scripts', 'prepare.mjs'));
    writeFileSync(join(directory, 'package-lock.json'), '{}');
    const npm = join(directory, 'bin', 'npm');
    writeFileSync(npm, `#!/bin/sh\necho "$@" >> "${directory}/asked"\n`);
    chmodSync(npm, 0o755);
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** What npm was asked for, a line a call. */
  const prepare = (options: object): string => {
    const script = `import('./scripts/prepare.mjs').then((it) => it.ensureInstalled(${JSON.stringify(options)}))`;
    const env = { PATH: `${join(directory, 'bin')}:${process.env['PATH']}` };
    expect(spawnSync(process.execPath, ['-e', script], { cwd: directory, env, timeout: 30_000 }).status).toBe(0);
    return readFileSync(join(directory, 'asked'), 'utf8');
  };

  it('are the production ones only when there are none, once', () => {
    expect(prepare({ development: false })).toMatch(/^install .*--omit=dev\n$/);
    expect(prepare({ development: false })).toMatch(/^install .*--omit=dev\n$/);
    expect(prepare({ development: true })).toMatch(/^install .*--omit=dev\ninstall .*--include=dev\n$/);
  });

  it('keep development packages that are already installed', () => {
    mkdirSync(join(directory, 'node_modules', 'jest'));
    expect(prepare({ development: false })).toMatch(/^install .*--include=dev\n$/);
  });

  it('are locked with version and hash for every platform, so that `npm ci` accepts them', () => {
    interface Locked {
      readonly version?: string;
      readonly integrity?: string;
      readonly optionalDependencies?: Record<string, string>;
    }
    const text = readFileSync(join(PROJECT_ROOT, 'package-lock.json'), 'utf8');
    const { packages } = JSON.parse(text) as { packages: Record<string, Locked> };
    const hashed = Object.entries(packages).filter(([, it]) => it.integrity !== undefined);
    const versions = Map.groupBy(hashed, ([path]) => path.replace(/^.*node_modules\//, ''));
    const optional = Object.values(packages).flatMap((it) => Object.entries(it.optionalDependencies ?? {}));
    expect(optional.map(([name]) => name)).toContain('@swc/core-darwin-arm64');
    const isLocked = ([name, range]: [string, string]): boolean =>
      versions.get(name)?.some(([, { version = '' }]) => satisfies(version, range)) === true;
    expect(optional.filter((wanted) => !isLocked(wanted))).toEqual([]);
  });

  it('are installed by one of several concurrent starts, and after one was killed during it', async () => {
    writeFileSync(join(directory, 'bin', 'npm'), `#!/bin/sh\nsleep 1\necho "$@" >> "${directory}/asked"\n`);
    const { pid: gone } = spawnSync('true');
    writeFileSync(join(directory, 'node_modules', '.installing'), String(gone));
    const script = `import('./scripts/prepare.mjs').then((it) => it.ensureInstalled({ development: false }))`;
    const env = { PATH: `${join(directory, 'bin')}:${process.env['PATH']}` };
    const starts = Array.from({ length: 3 }, () => spawn(process.execPath, ['-e', script], { cwd: directory, env }));
    expect(await Promise.all(starts.map((start) => once(start, 'close')))).toEqual(Array(3).fill([0, null]));
    expect(readFileSync(join(directory, 'asked'), 'utf8')).toMatch(/^install .*\n$/);
  });

  it('are installed after a start was killed while taking over from another killed one', () => {
    const lock = join(directory, 'node_modules', '.installing');
    const long = new Date(Date.now() - 120_000);
    writeFileSync(lock, String(spawnSync('true').pid));
    mkdirSync(`${lock}.left`);
    utimesSync(`${lock}.left`, long, long);
    expect(prepare({ development: false })).toMatch(/^install .*\n$/);
    expect(readdirSync(join(directory, 'node_modules'))).toEqual(['.installed']);
  });

  it('are installed when a container killed during installation restarts with the same id', () => {
    const script = `require('fs').writeFileSync('node_modules/.installing', String(process.pid)); import('./scripts/prepare.mjs').then((it) => it.ensureInstalled({ development: false }))`;
    const env = { PATH: `${join(directory, 'bin')}:${process.env['PATH']}` };
    expect(spawnSync(process.execPath, ['-e', script], { cwd: directory, env }).status).toBe(0);
    expect(readFileSync(join(directory, 'asked'), 'utf8')).toMatch(/^install .*\n$/);
  });

  /** The error output when creating a directory fails with this code. */
  const toldOf = (code: string) => {
    const script = `const fs = require('fs');
      fs.mkdirSync = () => { throw Object.assign(new Error('${code}: of a test'), { code: '${code}', syscall: 'mkdir' }); };
      require('module').syncBuiltinESMExports();
      import('./scripts/prepare.mjs').then((it) => it.ensureInstalled({ development: false }))`;
    const { status, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: directory, encoding: 'utf8' });
    expect(status).toBe(1);
    return stderr;
  };

  it.each(['EACCES', 'EPERM', 'EROFS'])(
    'need a place to be installed, reported in one line, when %s prevents writing',
    (code) => {
      expect(toldOf(code)).toMatch(
        new RegExp(`^cannot install or build: ${code}: of a test; this account needs to write below .*\\n$`),
      );
    },
  );

  it.each(['ENOSPC', 'EMFILE'])('are missing for a reason that is reported alone when it is %s', (code) => {
    expect(toldOf(code)).toBe(`cannot install or build: ${code}: of a test\n`);
  });

  it('are missing, reported in one line, when something else is in their place', () => {
    rmSync(join(directory, 'node_modules'), { recursive: true });
    writeFileSync(join(directory, 'node_modules'), 'in the way');
    const script = `import('./scripts/prepare.mjs').then((it) => it.ensureInstalled({ development: false }))`;
    const { status, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: directory, encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^cannot install or build: EEXIST: .*\n$/)]);
  });
});
