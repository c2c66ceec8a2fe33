import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, ENVIRONMENT_OF_JEST, node, root } from './prepare.mjs';

/**
 * Runs Jest in one process with the project's Node and this command's own arguments, and exits with its status.
 * @param env in addition to this process's environment
 */
export function runJest(args, env) {
  ensureInstalled({ development: true });
  ensureBuilt();
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const { status } = spawnSync(node, [jest, ...args, '--runInBand', ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...ENVIRONMENT_OF_JEST, ...env },
  });
  process.exit(status ?? 1);
}
