// The fuzzing of `npm test` with many more requests: FUZZ_REQUESTS (100,000) of a new seed, or of FUZZ_SEED.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, node, root } from './prepare.mjs';

ensureInstalled({ development: true });
ensureBuilt();
const seed = process.env.FUZZ_SEED ?? String(Date.now() % 2 ** 31);
console.log(`FUZZ_SEED=${seed}`);
const env = {
  ...process.env,
  FUZZ_REQUESTS: process.env.FUZZ_REQUESTS ?? '100000',
  FUZZ_SEED: seed,
  NODE_OPTIONS: '--experimental-vm-modules --no-warnings',
};
const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const args = [jest, 'test/contract/fuzz', '--selectProjects', 'e2e', '--runInBand', ...process.argv.slice(2)];
process.exit(spawnSync(node, args, { cwd: root, stdio: 'inherit', env }).status ?? 1);
