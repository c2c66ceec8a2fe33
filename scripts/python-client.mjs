// Installs the client in clients/python into an environment of its own, and checks and tests it there.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/** Whether there is a `python3` that the client supports and that can create environments: Debian's cannot without python3-venv. */
export function canInstallPythonClient() {
  const check = 'import ensurepip, sys; sys.exit(sys.version_info < (3, 10))';
  return spawnSync('python3', ['-c', check]).status === 0;
}

/**
 * @param service the environment variables of the tests: BASE and KEY (of one workspace, without demand)
 * @returns whether all checks and tests passed
 */
export function testPythonClient(service) {
  const directory = mkdtempSync(join(tmpdir(), 'forecasting-python-client-'));
  const python = join(directory, 'bin', 'python');
  const steps = [
    ['python3', '-m', 'venv', directory],
    [python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '.[pandas,dev]'],
    [python, '-m', 'ruff', 'check'],
    [python, '-m', 'ruff', 'format', '--check'],
    [python, '-m', 'mypy'],
    [python, '-m', 'unittest', 'discover', '--start-directory', 'tests', '--top-level-directory', '.'],
  ];
  const options = {
    cwd: join(root, 'clients', 'python'),
    stdio: 'inherit',
    env: { ...process.env, ...service, PYTHONDONTWRITEBYTECODE: '1' },
  };
  try {
    return steps.every(([command, ...args]) => spawnSync(command, args, options).status === 0);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
