// Kills workers and the database at random while runs are computed; some minutes. Run it before a release.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, node, root } from './prepare.mjs';

ensureInstalled({ development: true });
ensureBuilt();
const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const env = { ...process.env, JEST_FAULTS: 'on', NODE_OPTIONS: '--experimental-vm-modules --no-warnings' };
const { status } = spawnSync(node, [jest, '--runInBand', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env,
});
process.exit(status ?? 1);
