import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withClient } from '../../src/platform/database/connections/with-client.js';
import { clusterOf, discardDataDirectory } from '../../src/platform/embedded-postgres/cluster.js';
import { adminWithin } from '../support/admin.js';
import { eventually } from '../support/eventually.js';
import { listeningUrl, type ServiceProcess, startServiceProcess } from '../support/processes/service-process.js';

describe('a crash of the embedded database during operation', () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'forecasting-crash-'));
  const environment = { DATA_DIR: dataDirectory };
  let service: ServiceProcess;

  const isReady = async (): Promise<true | undefined> =>
    (await fetch(`${await listeningUrl(service)}/health/ready`)).ok || undefined;
  async function start(): Promise<void> {
    service = startServiceProcess({ ...environment, PORT: '0', DEMO: 'off', WORKER_THREADS: '1' });
    await eventually('the service is ready', isReady);
  }
  const pidFile = (): string[] => readFileSync(join(clusterOf(dataDirectory), 'postmaster.pid'), 'utf8').split('\n');
  const postmaster = (): number => Number(pidFile()[0]);
  const returns = (): number => service.output().split('"msg":"the embedded database is back"').length;
  /** Kills a process of the database and waits until the service has noticed, and its database is back. */
  async function crash(pid: number): Promise<void> {
    const before = returns();
    process.kill(pid, 'SIGKILL');
    await eventually('the database is back', async () => (returns() > before ? isReady() : undefined));
  }

  beforeAll(start);
  afterAll(async () => {
    await service.end('SIGTERM');
    discardDataDirectory(dataDirectory);
  });

  it('leaves the database running when a command ends after one of its processes died', async () => {
    const server = postmaster();
    const password = readFileSync(join(dataDirectory, 'secrets', 'database-password'), 'utf8');
    const pid = await withClient(
      `postgres://postgres:${password}@127.0.0.1:${pidFile()[3]}/postgres`,
      async (client) => {
        const sql = `SELECT pid FROM pg_stat_activity WHERE usename LIKE '%_service' LIMIT 1`;
        return (await client.query<{ pid: number }>(sql)).rows[0]!.pid;
      },
    );
    await crash(pid);
    expect(await adminWithin(environment, 'flag', 'list')).toMatchObject({ code: 0, err: '' });
    expect(postmaster()).toBe(server);
    expect(await isReady()).toBe(true);
  });

  it('is repaired by the service, which restarts the database at the same address', async () => {
    const [server, port] = [postmaster(), pidFile()[3]];
    await crash(server);
    expect(postmaster()).not.toBe(server);
    expect(pidFile()[3]).toBe(port);
  });

  it('frees the port for the next start, and reports a password that it was not created with', async () => {
    const port = pidFile()[3];
    expect(await service.end('SIGTERM')).toBe(0);
    const file = join(dataDirectory, 'secrets', 'database-password');
    const password = readFileSync(file, 'utf8');
    writeFileSync(file, 'another');
    expect(await adminWithin(environment, 'org', 'list')).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^error: the embedded database .* does not accept connections: .*; restore the file .*database-password/,
      ),
    });
    writeFileSync(file, password);
    await start();
    expect(pidFile()[3]).toBe(port);
  });
});
