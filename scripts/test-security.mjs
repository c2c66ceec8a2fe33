// The security suites of `npm test` with 1,000 wrong passwords (WRONG_PASSWORDS): prints how far they are slowed, and
// whether their time tells known from unknown accounts.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, node, root } from './prepare.mjs';

ensureInstalled({ development: true });
ensureBuilt();
const env = {
  ...process.env,
  WRONG_PASSWORDS: process.env.WRONG_PASSWORDS ?? '1000',
  NODE_OPTIONS: '--experimental-vm-modules --no-warnings',
};
const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const args = [jest, 'test/security', '--selectProjects', 'e2e', '--runInBand', ...process.argv.slice(2)];
process.exit(spawnSync(node, args, { cwd: root, stdio: 'inherit', env }).status ?? 1);
