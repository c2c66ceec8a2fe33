// Runs the Python program in docs/recipes/6-python.md as a user would after saving it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const MONTHS = 36;
const HORIZON = 6;
const PRODUCTS = ['SKU-1', 'SKU-2', 'SKU-3'];

/** Whether `python3` is available to run it. */
export function hasPython() {
  return spawnSync('python3', ['--version']).status === 0;
}

/**
 * Runs the program twice on the same demand: it must return the rows of all pages, and of a single run.
 * @param service the program's environment variables: BASE and KEY (of one workspace)
 * @returns what was wrong; undefined if nothing was
 */
export function faultOfPythonRecipe(service) {
  const page = readFileSync(join(root, 'docs', 'recipes', '6-python.md'), 'utf8');
  const [, program] = /^```python\n([\s\S]*?)^```/m.exec(page);
  const directory = mkdtempSync(join(tmpdir(), 'forecasting-python-'));
  const run = (environment = {}) => {
    const env = { ...process.env, ...service, PAGE: '4', POLL_SECONDS: '0.5', ...environment };
    return spawnSync('python3', ['forecast.py', 'demand.csv'], {
      cwd: directory,
      env,
      encoding: 'utf8',
      timeout: 60_000,
    });
  };
  try {
    writeFileSync(join(directory, 'forecast.py'), program);
    writeFileSync(join(directory, 'demand.csv'), demand());
    const first = run();
    const rows = first.stdout.split('\n').filter((line) => /^SKU-\d\t\d{4}-\d\d-01(\t[\d.]+){4}$/.test(line));
    if (first.status !== 0 || rows.length !== PRODUCTS.length * HORIZON)
      return `it printed\n${first.stdout}${first.stderr}`;
    const again = run();
    if (again.stdout !== first.stdout || again.stderr !== first.stderr) return `repeated, it printed\n${again.stderr}`;
    const refused = run({ KEY: 'fk_of_nobody' });
    if (refused.status === 0 || !refused.stderr.includes('api_key_invalid'))
      return `refused, it printed\n${refused.stderr}`;
    return undefined;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function demand() {
  const rows = PRODUCTS.flatMap((product, p) =>
    Array.from({ length: MONTHS }, (_, m) => {
      const month = `${2023 + Math.floor(m / 12)}-${String((m % 12) + 1).padStart(2, '0')}`;
      return `${product},${month},${60 * (p + 1) + ((m * 7919) % 13)}`;
    }),
  );
  return ['unique_id,ds,y', ...rows].join('\n');
}
