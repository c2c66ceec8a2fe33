// Everything a change must pass. Each step runs even when a former one failed, so that one run tells everything.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, node, root } from './prepare.mjs';

ensureInstalled({ development: true });
ensureBuilt();

const bin = (packageName, path) => join(root, 'node_modules', packageName, path);
const reports = join(root, '.data', 'reports');
const report = join(reports, 'jest.json');
mkdirSync(reports, { recursive: true });
rmSync(report, { force: true });

const steps = [
  ['types', [bin('typescript', 'bin/tsc'), '--noEmit', '-p', '.']],
  ['lint', [bin('eslint', 'bin/eslint.js'), '.', '--max-warnings', '0']],
  ['format', [bin('prettier', 'bin/prettier.cjs'), '--check', '--log-level', 'warn', '.']],
  [
    'imports',
    [
      bin('dependency-cruiser', 'bin/dependency-cruiser.mjs'),
      'src',
      'config',
      'migrations',
      'bench',
      '--config',
      '.dependency-cruiser.cjs',
    ],
  ],
  ['unused code', [bin('knip', 'bin/knip.js')]],
  ['tests', [bin('jest', 'bin/jest.js'), '--json', `--outputFile=${report}`, ...process.argv.slice(2)]],
];

const failed = [];
for (const [name, command] of steps) {
  const started = performance.now();
  const env = { ...process.env, NODE_OPTIONS: name === 'tests' ? '--experimental-vm-modules --no-warnings' : '' };
  const { status } = spawnSync(node, command, { cwd: root, stdio: 'inherit', env });
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  if (status !== 0) failed.push(name);
}

if (existsSync(report)) {
  const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  console.log(`${numPassedTests} passed, ${numFailedTests + (numFailedTests === 0 ? numFailedTestSuites : 0)} failed`);
}
if (failed.length > 0) {
  console.log(`failed: ${failed.join(', ')}`);
  process.exit(1);
}
