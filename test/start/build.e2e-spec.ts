import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PROJECT_ROOT } from '../../config/paths.js';

describe('the build', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'forecasting-build-'));
    for (const folder of ['scripts', 'src']) mkdirSync(join(directory, folder));
    for (const path of ['scripts/prepare.mjs', '.swcrc']) copyFileSync(join(PROJECT_ROOT, path), join(directory, path));
    symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(directory, 'node_modules'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** What is in dist/src after a build. */
  const build = (): string[] => {
    const script = `import('./scripts/prepare.mjs').then((it) => it.ensureBuilt())`;
    const { status, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: directory, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    return readdirSync(join(directory, 'dist', 'src')).toSorted();
  };

  it('removes what an earlier one made of sources that were deleted since', () => {
    for (const name of ['kept', 'deleted'])
      writeFileSync(join(directory, 'src', `${name}.ts`), 'export const one: number = 1;\n');
    expect(build()).toEqual(['deleted.js', 'deleted.js.map', 'kept.js', 'kept.js.map']);
    rmSync(join(directory, 'src', 'deleted.ts'));
    expect(build()).toEqual(['kept.js', 'kept.js.map']);
  });
});
