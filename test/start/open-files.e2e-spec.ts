import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { demandCsv } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { type RealService, startRealService } from '../support/processes/real-service.js';
import { tenantWithDemand } from '../support/tenant-with-demand.js';

const PEPPER = 'p'.repeat(64);

describe('a process that may open few files', () => {
  let service: RealService;
  const clients: Socket[] = [];
  beforeAll(async () => {
    service = await startRealService({ API_KEY_PEPPER: PEPPER }, 128);
  });
  afterAll(async () => {
    for (const client of clients) client.destroy();
    await service.close();
  });

  it('says how many clients it has room for, and what limit to set', () => {
    expect(service.output()).toContain(
      '"limit":128,"clients":40,"msg":"this process may open few files: raise the limit (LimitNOFILE, ulimit -n) to 344 or more"',
    );
  });

  it('completes its runs however many clients connect, and refuses those that it has no room for', async () => {
    const { url, database } = service;
    const secrets = { apiKeyPepper: PEPPER, encryptionKey: Buffer.alloc(32), databasePassword: '' };
    const { api, tenant } = await tenantWithDemand({ url, database, secrets }, demandCsv(20, 48));
    let refused = 0;
    const flood = Array.from({ length: 150 }, () => connect(Number(new URL(url).port), '127.0.0.1'));
    for (const client of flood) client.on('error', () => undefined).once('close', () => (refused += 1));
    clients.push(...flood);
    await eventually('clients are refused', () => Promise.resolve(refused > 100 ? true : undefined));
    // by a client that is connected already
    expect((await api.post('/runs', { workspace_id: tenant.workspaceId })).status).toBe(202);
    const status = await eventually('the run ends', async () => {
      const [run] = await database.query<{ status: string }>('SELECT status FROM runs WHERE finished_at IS NOT NULL');
      return run?.status;
    });
    expect(status).toBe('completed');
    expect(service.output()).not.toContain('EMFILE');
    const said = service
      .output()
      .match(/"connections":40,"msg":"a client was refused: the process has no room for more"/g);
    expect(said).toHaveLength(1);
    for (const client of flood) client.destroy();
    await eventually('there is room again', async () => (await api.get('/usage')).status === 200 || undefined);
  });
});
