import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PROJECT_ROOT } from '../../config/paths.js';
import { Database } from '../../src/platform/database/database.js';
import { demandCsv } from '../support/api.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';
import { freePort } from '../support/processes/free-port.js';
import { Scrape } from '../support/scrape.js';
import { eventually } from '../support/eventually.js';
import { listeningUrl, type ServiceProcess, startServiceProcess } from '../support/processes/service-process.js';
import { tenantWithDemand } from '../support/tenant-with-demand.js';

const PEPPER = 'p'.repeat(64);

describe('processes with metrics', () => {
  let database: TestDatabase;
  let owner: pg.Pool;
  let directory: string;
  const started: ServiceProcess[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
    owner = new pg.Pool({ connectionString: database.url });
    owner.on('error', () => undefined); // it may still be closing when the database is dropped
    directory = mkdtempSync(join(tmpdir(), 'forecasting-metrics-'));
  });
  afterAll(async () => {
    for (const service of started) if (service.process.exitCode === null) await service.end('SIGTERM');
    await owner.end();
    await database.drop();
    rmSync(directory, { recursive: true, force: true });
  });

  async function start(role: string, environment: Record<string, string>): Promise<ServiceProcess & { url: string }> {
    const process = startServiceProcess(
      {
        DATABASE_URL: database.url,
        DATA_DIR: join(directory, role),
        PORT: '0',
        DEMO: 'off',
        WORKER_THREADS: '1',
        API_KEY_PEPPER: PEPPER,
        ENCRYPTION_KEY: '0'.repeat(64),
        ...environment,
      },
      [`--role=${role}`],
    );
    started.push(process);
    return { ...process, url: await listeningUrl(process) };
  }

  it('show by role what each process does, the same database figures, and together everything documented', async () => {
    const ports = { api: await freePort(), worker: await freePort() };
    const api = await start('api', { METRICS_PORT: String(ports.api) });
    const worker = await start('worker', { METRICS_PORT: String(ports.worker) });
    const scrape = (role: 'api' | 'worker'): Promise<Scrape> => Scrape.of(`http://127.0.0.1:${ports[role]}/metrics`);
    const secrets = { apiKeyPepper: PEPPER, encryptionKey: Buffer.alloc(32), databasePassword: '' };
    const database = new Database(owner, { kind: 'system', reason: 'tests' });
    const { api: client } = await tenantWithDemand({ url: api.url, database, secrets }, demandCsv(2, 30));
    await client.run({});

    const posted = { method: 'POST', route: '/api/v1/runs', status: '2xx' };
    /** Counts of the process once they stand, with nothing left to do: a reply may come before what it is counted by. */
    const settled = (role: 'api' | 'worker', name: string, labels: Record<string, string>, value: number) =>
      eventually(`${role}: ${name} is ${value}`, async () => {
        const scraped = await scrape(role);
        const isIdle = scraped.value('forecasting_backlog_items', { backlog: 'runs' }) === 0;
        return isIdle && scraped.value(name, labels) === value ? scraped : undefined;
      });
    const ofApi = await settled('api', 'forecasting_http_request_duration_seconds_count', posted, 1);
    const ofWorker = await settled('worker', 'forecasting_series_computed_total', { outcome: 'forecast' }, 2);
    for (const [role, scraped] of [
      ['api', ofApi],
      ['worker', ofWorker],
    ] as const) {
      expect(scraped.value('forecasting_build_info', { role })).toBe(1);
      expect(scraped.value('forecasting_ready')).toBe(1);
      expect(scraped.value('process_resident_memory_bytes')).toBeGreaterThan(0);
      expect(scraped.value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
      expect(scraped.value('forecasting_database_connections')).toBeGreaterThan(0);
    }
    expect(ofApi.value('forecasting_series_computed_total', { outcome: 'forecast' })).toBe(0);
    expect(ofWorker.value('forecasting_http_request_duration_seconds_count')).toBeUndefined();

    const families = [ofApi, ofWorker].flatMap(({ text }) => text.match(/(?<=^# TYPE )forecasting_\w+/gm) ?? []);
    const guide = readFileSync(join(PROJECT_ROOT, 'docs', 'operating-monitoring.md'), 'utf8');
    const documented = guide.match(/(?<=`)forecasting_\w+(?=`)/g) ?? [];
    expect([...new Set(documented)].sort()).toEqual([...new Set(families)].sort());

    // a scraper keeps its connection open, which must not hold up the stop
    const agent = new Agent({ keepAlive: true });
    await new Promise((resolve) =>
      get(`http://127.0.0.1:${ports.worker}/metrics`, { agent }, (reply) => reply.resume().on('end', resolve)),
    );
    expect(await worker.end('SIGTERM')).toBe(0);
    agent.destroy();
    await expect(scrape('worker')).rejects.toThrow('fetch failed');
  });
});
