// Starts a service with some demand and a completed run, then installs each client in clients/ and runs its tests against it, those in
// Python, and the recipe in Python, if that is available. With arguments, only those: `npm run test:clients -- typescript python`.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuilt, ensureInstalled, node, root } from './prepare.mjs';
import { canInstallPythonClient, testPythonClient } from './python-client.mjs';
import { faultOfPythonRecipe, hasPython } from './python-recipe.mjs';

ensureInstalled({ development: true });
ensureBuilt();

const data = mkdtempSync(join(tmpdir(), 'forecasting-clients-'));
const port = await freePort();
const environment = {
  ...process.env,
  DATA_DIR: data,
  PORT: String(port),
  DEMO: 'off',
  LOG_LEVEL: 'error',
  NODE_OPTIONS: '',
};
const service = spawn(node, [join(root, 'dist', 'src', 'main.js')], {
  env: environment,
  stdio: ['ignore', 'ignore', 'inherit'],
});
const BASE = `http://127.0.0.1:${port}/api/v1`;
const failed = [];
const skipped = [];
try {
  await until('the service is ready', async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok);
  const { api_key: KEY, workspace_id: WORKSPACE } = admin(
    'bootstrap',
    ...['--organization', 'Clients', '--workspace', 'Main', '--plan', 'growth', '--email', 'clients@example.com'],
  );
  await prepareData(KEY, WORKSPACE);
  const chosen = process.argv.slice(2);
  const isChosen = (name) => chosen.length === 0 || chosen.includes(name);
  const clients = readdirSync(join(root, 'clients')).filter((name) =>
    existsSync(join(root, 'clients', name, 'package.json')),
  );
  for (const name of clients.filter(isChosen)) {
    console.log(`== ${name}`);
    const options = {
      cwd: join(root, 'clients', name),
      stdio: 'inherit',
      env: { ...process.env, NODE_OPTIONS: '', BASE, KEY, WORKSPACE, SERIES: 'SKU-1', NODE_BINARY: node },
    };
    const installed = spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund'], options);
    const tested = installed.status === 0 ? spawnSync('npm', ['test'], options) : installed;
    if (tested.status !== 0) failed.push(name);
  }
  if (isChosen('python')) testPython();
} finally {
  if (service.exitCode === null && service.signalCode === null) {
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
  const { discardDataDirectory } = await import('../dist/src/platform/embedded-postgres/cluster.js'); // built by now
  discardDataDirectory(data);
}
console.log([failed.length === 0 ? 'all clients passed' : `failed: ${failed.join(', ')}`, ...skipped].join('; '));
process.exit(failed.length === 0 ? 0 : 1);

function admin(...args) {
  const { stdout, stderr } = spawnSync(node, [join(root, 'dist', 'src', 'cli', 'admin.js'), ...args, '--json'], {
    env: environment,
    encoding: 'utf8',
  });
  if (stdout.trim() === '') throw new Error(`${args[0]} failed: ${stderr}`);
  return JSON.parse(stdout);
}

function testPython() {
  console.log('== python');
  if (!canInstallPythonClient())
    skipped.push('the client for Python was not tested: there is no Python 3.10 or newer with venv here');
  else if (!testPythonClient({ BASE, KEY: keyOfWorkspace('Python client') })) failed.push('python');
  console.log('== docs/recipes/6-python.md');
  if (!hasPython()) {
    skipped.push('the recipe in Python was not run: there is no python3 here');
    return;
  }
  const fault = faultOfPythonRecipe({ BASE, KEY: keyOfWorkspace('Python recipe') });
  console.log(fault ?? 'passed');
  if (fault !== undefined) failed.push('the recipe in Python');
}

/** A key of a new workspace, to keep demand apart from that of the other clients. */
function keyOfWorkspace(workspace) {
  const place = ['--organization', 'Clients'];
  admin('org', 'add-workspace', ...place, '--name', workspace);
  return admin('key', 'create', ...place, '--name', workspace, '--workspace', workspace).api_key;
}

async function prepareData(key, workspace) {
  const lines = ['unique_id,ds,y,product_name'];
  for (let p = 1; p <= 3; p += 1)
    for (let m = 0; m < 36; m += 1)
      lines.push(
        `SKU-${p},${2023 + Math.floor(m / 12)}-${String((m % 12) + 1).padStart(2, '0')},${80 * p + ((m * 7919) % 11)},Product ${p}`,
      );
  await call(key, `/actuals?workspace_id=${workspace}`, lines.join('\n'), 'text/csv');
  const { id } = await call(
    key,
    '/runs',
    JSON.stringify({ workspace_id: workspace, config_overrides: { horizon: 3 } }),
    'application/json',
  );
  await until('the first run completes', async () => (await call(key, `/runs/${id}`)).status === 'completed');
}

async function call(key, path, body, type) {
  const headers = { 'x-api-key': key, ...(type ? { 'content-type': type } : {}) };
  const reply = await fetch(`${BASE}${path}`, { method: body === undefined ? 'GET' : 'POST', headers, body });
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
  return reply.json();
}

async function until(what, ask) {
  for (let n = 0; n < 240; n += 1) {
    if (await ask().catch(() => false)) return;
    await sleep(250);
  }
  throw new Error(`not within a minute: ${what}`);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port: free } = server.address();
      server.close(() => resolve(free));
    });
  });
}
