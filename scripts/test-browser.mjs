// Looks at the pages for people in a real Chromium, which must be on the machine; CHROMIUM names it where it is not found.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, node, root } from './prepare.mjs';

ensureInstalled({ development: true });
ensureBuilt();
const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const env = { ...process.env, JEST_BROWSER: 'on', NODE_OPTIONS: '--experimental-vm-modules --no-warnings' };
const { status } = spawnSync(node, [jest, '--runInBand', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env,
});
process.exit(status ?? 1);
