// The mutation test of `npm test` with every statement that names a tenant, not some: each forgets it in turn. Some minutes.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, node, root } from './prepare.mjs';

ensureInstalled({ development: true });
ensureBuilt();
const env = {
  ...process.env,
  MUTANTS: process.env.MUTANTS ?? '100000',
  NODE_OPTIONS: '--experimental-vm-modules --no-warnings',
};
const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const args = [jest, 'test/tenancy/mutation', '--selectProjects', 'e2e', '--runInBand', ...process.argv.slice(2)];
process.exit(spawnSync(node, args, { cwd: root, stdio: 'inherit', env }).status ?? 1);
