import { execSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PLANS } from '../../config/plans.js';
import { loadSettings } from '../../config/settings.js';
import { loadSecrets } from '../../src/platform/crypto/secrets.js';
import { clusterOf, discardDataDirectory } from '../../src/platform/embedded-postgres/cluster.js';
import { openDatabase } from '../../src/start/open-database.js';
import { operatorFault } from '../../src/start/operator-fault.js';
import { adminWithin } from '../support/admin.js';
import { createTestDatabase } from '../support/databases.js';
import { freePort } from '../support/processes/free-port.js';
import { eventually } from '../support/eventually.js';
import { listeningUrl, type ServiceProcess, startServiceProcess } from '../support/processes/service-process.js';

const READY = 'Stop with Ctrl-C';

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('starting in an empty directory', () => {
  let directory: string;
  let dataDirectory: string;
  const started: ServiceProcess[] = [];

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'forecasting-start-'));
    dataDirectory = join(directory, 'data');
  });
  afterAll(async () => {
    for (const service of started) if (alive(service.pid)) await service.end('SIGINT');
    discardDataDirectory(dataDirectory);
    rmSync(directory, { recursive: true, force: true });
  });

  async function start(): Promise<ServiceProcess> {
    const service = startServiceProcess({ PORT: '0', DATA_DIR: dataDirectory, WORKER_THREADS: '2' });
    started.push(service);
    await eventually('the service prints its greeting', () =>
      Promise.resolve(service.output().includes(READY) || undefined),
    );
    return service;
  }
  /** Process id of the embedded server, from the cluster wherever it had to be placed. */
  const postmaster = (): number =>
    Number(readFileSync(join(clusterOf(dataDirectory), 'postmaster.pid'), 'utf8').split('\n')[0]);

  it('loads the demo, forecasts it, and prints calls that work as pasted', async () => {
    const service = await start();
    const [url, output] = [await listeningUrl(service), service.output()];
    expect(output).toContain('forecasting the demo demand: 300 of 300 series');
    const calls = output.split('\n').filter((line) => line.trim().startsWith('curl '));
    expect(calls).toHaveLength(3);
    for (const call of calls) {
      const reply: unknown = JSON.parse(execSync(call).toString());
      expect(reply).not.toHaveProperty('code');
    }
    const { apiKey } = JSON.parse(readFileSync(join(dataDirectory, 'secrets', 'demo.json'), 'utf8')) as {
      apiKey: string;
    };
    const read = async <Item>(path: string): Promise<Item[]> =>
      (await (await fetch(`${url}/api/v1${path}`, { headers: { 'x-api-key': apiKey } })).json()) as Item[];
    const runs = (await read<{ id: string; created_at: string }>('/runs')).slice(-2); // a call has started another one
    expect(runs).toMatchObject([
      { status: 'completed', progress: { series_done: 300 }, config: { cutoff: null } },
      { status: 'completed', config: { cutoff: expect.any(String) } },
    ]);
    const [run] = runs;
    const begun = new Date(run!.created_at); // the day, or the month, may have ended since
    expect(await read('/alerts')).not.toEqual([]);
    expect(await read('/series?trend_changed_since=2020-01-01')).not.toEqual([]);
    const rows = await read<{ ds: string }>(`/runs/${run!.id}/forecasts?limit=1`);
    expect(rows[0]?.ds.slice(0, 7)).toBe(begun.toISOString().slice(0, 7));
    const sensed = await read<{ as_of: string | null }>(`/runs/${run!.id}/demand-sensing?limit=500`);
    const hasDays = begun.getUTCDate() > 1 && new Date().getUTCDate() > 1;
    expect(sensed.filter(({ as_of: day }) => day !== null)).toHaveLength(hasDays ? 30 : 0);
    expect(statSync(join(dataDirectory, 'secrets', 'api-key-pepper')).mode & 0o777).toBe(0o600);
    expect(await service.end('SIGINT')).toBe(0);
  });

  it('loads the demo at the next start when the first was interrupted', async () => {
    const own = mkdtempSync(join(tmpdir(), 'forecasting-cut-'));
    const begin = (): ServiceProcess => {
      const service = startServiceProcess({ PORT: '0', DATA_DIR: own, WORKER_THREADS: '2' });
      started.push(service);
      return service;
    };
    const first = begin();
    const access = join(own, 'secrets', 'demo.json');
    await eventually('the demo organization', () => Promise.resolve(existsSync(access) || undefined));
    await first.end('SIGKILL'); // before or in the middle of the upload, which is all or nothing
    const second = begin();
    const url = await listeningUrl(second);
    const { apiKey } = JSON.parse(readFileSync(access, 'utf8')) as { apiKey: string };
    // what follows is the same as at a first start
    const planned = await eventually('its first run is planned', async () => {
      const reply = await fetch(`${url}/api/v1/runs`, { headers: { 'x-api-key': apiKey } });
      const runs = (await reply.json()) as { progress: { series_total: number } }[];
      return runs.some(({ progress }) => progress.series_total > 0) ? runs : undefined;
    });
    expect(planned).toMatchObject([{ progress: { series_total: 300 }, config: { cutoff: expect.any(String) } }]);
    expect(await second.end('SIGINT')).toBe(0);
    discardDataDirectory(own);
  });

  it('is ready again at the second start, prints the same key, and recovers from a crash', async () => {
    const second = await start();
    expect(second.output()).not.toContain('forecasting the demo');
    expect(second.output()).toMatch(/demo API key {7}fk_/);
    const server = postmaster();
    await second.end('SIGKILL');
    expect(alive(server)).toBe(true); // left behind by the crash …

    const third = await start();
    expect((await fetch(`${await listeningUrl(third)}/health/ready`)).status).toBe(200); // … adopted by the next start …
    expect(await third.end('SIGTERM')).toBe(0);
    await eventually('the database has stopped', () => Promise.resolve(alive(server) ? undefined : true)); // … and stopped with it
  });

  it('survives a crash of the database', async () => {
    const service = await start();
    const server = postmaster();
    process.kill(server, 'SIGKILL');
    expect(await service.end('SIGINT')).toBe(0);
  });

  it('is ready again after it, and prints no key of a deleted demo, but how to begin', async () => {
    const access = join(dataDirectory, 'secrets', 'demo.json');
    writeFileSync(access, readFileSync(access, 'utf8').replace(/fk_\w+/, `fk_${'x'.repeat(46)}`));
    const service = startServiceProcess({ PORT: '0', DATA_DIR: dataDirectory });
    started.push(service);
    const greets = () => Promise.resolve(service.output().includes('npm run admin -- bootstrap') || undefined);
    await eventually('the service prints its greeting', greets);
    expect((await fetch(`${await listeningUrl(service)}/health/ready`)).status).toBe(200);
    expect(service.output()).not.toContain('fk_');
    expect(await service.end('SIGINT')).toBe(0);
  });

  it('prints neither a demo key when the demo is off, nor how to begin when an organization exists', async () => {
    const settings = { DATA_DIR: dataDirectory, DEMO: 'off' };
    const bootstrap = [
      'bootstrap',
      '--organization',
      'Acme',
      '--workspace',
      'Main',
      '--plan',
      'growth',
      '--email',
      'ada@example.com',
    ];
    expect(await adminWithin(settings, ...bootstrap)).toMatchObject({ code: 0 });
    const service = startServiceProcess({ ...settings, PORT: '0' });
    started.push(service);
    await eventually('the service prints its greeting', () =>
      Promise.resolve(service.output().includes('/changelog') || undefined),
    );
    expect(service.output()).not.toMatch(/fk_|bootstrap/);
    expect(await service.end('SIGINT')).toBe(0);
  });
});

/** A device without any room, which Linux has. */
const FULL_DEVICE = '/dev/full';

(existsSync(FULL_DEVICE) ? describe : describe.skip)('a log on a disk that is full', () => {
  it('stops neither the start nor the service', async () => {
    const database = await createTestDatabase();
    const directory = mkdtempSync(join(tmpdir(), 'forecasting-log-'));
    const full = openSync(FULL_DEVICE, 'w');
    const port = String(await freePort());
    const settings = { DATA_DIR: directory, DATABASE_URL: database.url, DEMO: 'off', PORT: port };
    const service = startServiceProcess(settings, [], full);
    try {
      await eventually('it is ready, or has ended', async () =>
        service.process.exitCode === null
          ? (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok || undefined
          : 'ended',
      );
      expect(service.process.exitCode).toBeNull();
      const requests = Array.from({ length: 20 }, () => fetch(`http://127.0.0.1:${port}/api/v1/usage`));
      const statuses = await Promise.all(requests.map(async (request) => (await request).status));
      expect(new Set(statuses)).toEqual(new Set([401]));
      expect(await service.end('SIGTERM')).toBe(0);
    } finally {
      await service.end('SIGKILL');
      closeSync(full);
      rmSync(directory, { recursive: true, force: true });
      await database.drop();
    }
  });
});

describe('a start that cannot succeed', () => {
  async function run(url: string, sql: string): Promise<pg.QueryResult> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  }

  /** The one line on standard error of a process that ends with 1. */
  async function refusal(environment: Record<string, string>): Promise<string> {
    const service = startServiceProcess({ PORT: '0', DEMO: 'off', ...environment });
    expect(await once(service.process, 'close')).toEqual([1, null]); // of its output too, which may come after its end
    const lines = service.output().trim().split('\n');
    expect(lines.every((line) => line.startsWith('cannot start: '))).toBe(true);
    return lines.join('\n');
  }
  /** The same of what a start does up to its database, within this process: a separate one spends a second on loading. */
  async function refusalWithin(environment: Record<string, string>): Promise<string> {
    const opening = async () => {
      const settings = loadSettings(environment);
      return openDatabase(settings, loadSecrets(settings));
    };
    const refused = await opening().then(
      () => undefined,
      (error: unknown) => operatorFault(error),
    );
    expect(refused?.split('\n')).toHaveLength(1);
    return refused!;
  }
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'forecasting-refused-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('reports every invalid setting at once, without the value of a secret', async () => {
    const message = await refusal({
      PORT: '99999',
      DATABASE_POOL: 'many',
      WORKER_THREADS: '1.5',
      LOG_LEVEL: 'loud',
      ENCRYPTION_KEY: 'too-short-secret',
      TRUSTED_PROXIES: '10.0.0.0/33',
    });
    for (const name of ['PORT', 'LOG_LEVEL', 'ENCRYPTION_KEY', 'TRUSTED_PROXIES'])
      expect(message).toContain(`cannot start: ${name}: `);
    expect(message).not.toContain('too-short-secret');
    for (const text of [
      'PORT: must be a whole number from 0 to 65535 (is "99999")',
      'DATABASE_POOL: must be a whole number from 2 to 200 (is "many")',
      'WORKER_THREADS: must be a whole number from 1 to 64 (is "1.5")',
    ])
      expect(message).toContain(text);
  });

  it('reports that the port is taken', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as { port: number };
    for (const setting of ['PORT', 'METRICS_PORT']) {
      expect(await refusal({ [setting]: String(port), DATA_DIR: join(directory, 'unused') })).toBe(
        `cannot start: port ${port} on 127.0.0.1 is already in use; stop the process that uses it, or set ${setting}`,
      );
    }
    expect(existsSync(join(directory, 'unused', 'postgres'))).toBe(false);
    holder.close();
  });

  it('reports that Redis cannot be used', async () => {
    const redis = createServer((socket) =>
      socket.on('data', (sent) => {
        for (const _command of String(sent).matchAll(/\*\d+\r\n/g)) socket.write('-NOAUTH no\r\n');
      }),
    );
    await new Promise<void>((resolve) => redis.listen(0, '127.0.0.1', resolve));
    const { port } = redis.address() as { port: number };
    const environment = { REDIS_URL: `redis://127.0.0.1:${port}`, DATA_DIR: join(directory, 'no-redis') };
    expect(await refusal(environment)).toContain(
      `Redis at 127.0.0.1:${port} cannot be used: NOAUTH no; start it, correct`,
    );
    redis.close();
  });

  it('reports that the directory cannot be used', async () => {
    const file = join(directory, 'a-file');
    writeFileSync(file, '');
    expect(await refusalWithin({ DATA_DIR: join(file, 'data') })).toMatch(
      /DATA_DIR .* cannot be used \(ENOTDIR: .*\); set it to another directory/,
    );
    expect(await refusalWithin({ DATA_DIR: '/proc/forecasting/data' })).toMatch(
      /DATA_DIR .* cannot be used \(E[A-Z]+: /,
    );
  });

  it('names a missing secret', async () => {
    const kept = join(directory, 'half-kept');
    mkdirSync(join(kept, 'secrets'), { recursive: true });
    writeFileSync(join(kept, 'secrets', 'api-key-pepper'), '');
    expect(await refusalWithin({ DATA_DIR: kept })).toMatch(
      /api-key-pepper is empty; restore its contents, or remove the file/,
    );
  });

  it('refuses a database that is foreign, newer, or missing', async () => {
    const foreign = await createTestDatabase('empty');
    const newer = await createTestDatabase();
    await run(foreign.url, 'CREATE TABLE invoices (id int); CREATE TABLE secret_checks (name text)');
    await run(foreign.url, `INSERT INTO secret_checks VALUES ('API_KEY_PEPPER')`);
    await run(newer.url, `INSERT INTO schema_migrations (name) VALUES ('9999-from-the-future')`);
    const at = (url: string): Record<string, string> => ({ DATABASE_URL: url, DATA_DIR: join(directory, 'data') });
    expect(await refusal(at(foreign.url))).toContain('belongs to another application (it has the table "invoices"');
    expect(await refusalWithin(at(newer.url))).toContain('migrated by a newer release (9999-from-the-future)');
    const replace = await adminWithin(at(foreign.url), 'secrets', 'replace', 'API_KEY_PEPPER');
    expect(replace).toMatchObject({ code: 1, err: expect.stringContaining('belongs to another application') });
    expect((await run(foreign.url, 'SELECT FROM secret_checks')).rowCount).toBe(1);
    expect(await refusalWithin(at(foreign.url.replace(/\/test_\w+/, '/nowhere')))).toContain('cannot be reached');
    await foreign.drop();
    await newer.drop();
  });

  it('refuses secrets other than those the database was filled with, and adopts a database that has none', async () => {
    const database = await createTestDatabase();
    const environment = {
      DATABASE_URL: database.url,
      DATA_DIR: join(directory, 'secrets-check'),
      API_KEY_PEPPER: 'p'.repeat(32),
      ENCRYPTION_KEY: 'a'.repeat(64),
    };
    const listed = await adminWithin(environment, 'org', 'list');
    expect([listed.code, listed.err]).toEqual([0, '']);
    const other = { API_KEY_PEPPER: 'q'.repeat(32), ENCRYPTION_KEY: 'b'.repeat(64) };
    expect(await refusalWithin({ ...environment, ENCRYPTION_KEY: other.ENCRYPTION_KEY })).toMatch(
      /^ENCRYPTION_KEY: not the/,
    );
    const both = await refusalWithin({ ...environment, ...other });
    expect(both).toMatch(/^API_KEY_PEPPER and ENCRYPTION_KEY: not those .*$/);
    for (const secret of Object.values(other)) expect(both).not.toContain(secret);
    expect(await adminWithin({ ...environment, API_KEY_PEPPER: other.API_KEY_PEPPER }, 'org', 'list')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^error: API_KEY_PEPPER: not the one .*\n$/),
    });
    expect((await adminWithin(environment, 'org', 'list')).code).toBe(0);

    const replaced = { ...environment, API_KEY_PEPPER: other.API_KEY_PEPPER };
    expect((await adminWithin(replaced, 'secrets', 'replace', 'SMTP_URL')).code).toBe(2);
    expect((await adminWithin(replaced, 'secrets', 'replace', 'API_KEY_PEPPER')).code).toBe(0);
    expect((await adminWithin(replaced, 'org', 'list')).code).toBe(0);
    expect((await adminWithin(environment, 'org', 'list')).code).toBe(1);
    await database.drop();
  });

  it('accepts new secrets, one by one or all, when the old are lost, and logs it', async () => {
    const database = await createTestDatabase();
    const environment = (digit: string): Record<string, string> => ({
      DATABASE_URL: database.url,
      DATA_DIR: join(directory, 'secrets-lost'),
      API_KEY_PEPPER: digit.repeat(32),
      ENCRYPTION_KEY: digit.repeat(64),
    });
    expect((await adminWithin(environment('a'), 'org', 'list')).code).toBe(0);
    const replaced = async (): Promise<string[]> => {
      const { rows } = await run(
        database.url,
        `SELECT target_id FROM audit_events WHERE action = 'secret.replaced' ORDER BY sequence`,
      );
      return rows.map((row: { target_id: string }) => row.target_id);
    };
    expect((await adminWithin(environment('b'), 'secrets', 'replace', 'API_KEY_PEPPER')).code).toBe(0);
    expect(await replaced()).toEqual(['API_KEY_PEPPER']);
    expect((await adminWithin(environment('b'), 'org', 'list')).err).toMatch(
      /ENCRYPTION_KEY: not the one .*replace ENCRYPTION_KEY\n$/,
    );
    const both = await adminWithin(
      environment('c'),
      'secrets',
      'replace',
      'ENCRYPTION_KEY',
      'API_KEY_PEPPER',
      '--json',
    );
    expect([both.code, both.err]).toEqual([0, '']);
    expect(await replaced()).toEqual(['API_KEY_PEPPER', 'ENCRYPTION_KEY', 'API_KEY_PEPPER']);
    expect((await adminWithin(environment('c'), 'org', 'list')).code).toBe(0);
    const same = await adminWithin(environment('c'), 'secrets', 'replace', 'ENCRYPTION_KEY', '--json');
    expect(JSON.parse(same.out)).toEqual([{ name: 'ENCRYPTION_KEY', replaced: false }]);
    expect(await replaced()).toHaveLength(3);
    await database.drop();
  });

  it('reports keys made unreadable by a lost pepper, and frees their names and places', async () => {
    const database = await createTestDatabase('empty');
    const environment = (pepper: string): Record<string, string> => ({
      DATABASE_URL: database.url,
      DATA_DIR: join(directory, 'pepper-lost'),
      API_KEY_PEPPER: pepper.repeat(32),
      ENCRYPTION_KEY: 'a'.repeat(64),
    });
    const json = async (pepper: string, ...args: string[]): Promise<unknown> => {
      const { code, out, err } = await adminWithin(environment(pepper), ...args, '--json');
      expect([code, err]).toEqual([0, '']);
      return JSON.parse(out);
    };
    const unreadable = async (pepper: string): Promise<string[]> => {
      const keys = (await json(pepper, 'key', 'list', '--organization', 'Acme')) as {
        id: string;
        unreadable: boolean;
      }[];
      return keys.filter((key) => key.unreadable).map(({ id }) => id);
    };
    const create = (pepper: string, name: string): Promise<unknown> =>
      json(pepper, 'key', 'create', '--organization', 'Acme', '--name', name);
    const names = Array.from({ length: PLANS.growth.api_keys }, (_, n) => `key ${n}`);
    await json('a', 'org', 'create', '--name', 'Acme', '--plan', 'growth');
    const lost: string[] = [];
    for (const name of names) lost.unshift(((await create('a', name)) as { id: string }).id);
    expect(await unreadable('a')).toEqual([]);

    await json('b', 'secrets', 'replace', 'API_KEY_PEPPER');
    expect(await unreadable('b')).toEqual(lost);
    const rotate = ['key', 'rotate', '--organization', 'Acme', '--id', lost[0]!, '--grace-period', '0'];
    expect(await adminWithin(environment('b'), ...rotate)).toMatchObject({
      code: 2,
      err: expect.stringContaining('Only an active key'),
    });
    const made: string[] = [];
    for (const name of names) {
      const key = (await create('b', name)) as { id: string; created: boolean };
      expect(key.created).toBe(true);
      made.unshift(key.id);
    }

    await json('a', 'secrets', 'replace', 'API_KEY_PEPPER'); // it was found again
    expect(await unreadable('a')).toEqual(made);
    await database.drop();
  });
});
