import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Database } from '../../src/platform/database/database.js';
import { Slots } from '../../src/platform/work/slots.js';
import { ImmediateUploads } from '../../src/series/imports/immediate-uploads.js';
import { UPLOAD_PACE } from '../../src/series/imports/request-body.js';
import { UploadsService } from '../../src/series/imports/uploads.service.js';
import { FaultLog } from '../../src/series/upload/faults.js';
import { BLOCK_SERIES } from '../../src/series/upload/series-dictionary.js';
import { Api } from '../support/api.js';
import { createTenant } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/test-service.js';

describe('more concurrent uploads than the process has database connections', () => {
  let service: TestService;
  let tenant: Awaited<ReturnType<typeof createTenant>>;
  let neighbour: Api;
  let connections: Database['pool']['options'];
  /** Milliseconds that a request waits for a connection. */
  let patience: number;
  beforeEach(async () => {
    service = await startTestService({ role: 'api', environment: { DATABASE_POOL: '4' } });
    tenant = await createTenant(service);
    neighbour = new Api(service.url, (await createTenant(service)).workspaceKey);
    expect((await neighbour.get('/runs')).status).toBe(200);
    // on a busy machine a connection may come free late; where none does, those who wait for it are refused all the same
    connections = service.app.get(Database).pool.options;
    patience = connections.connectionTimeoutMillis!;
    connections.connectionTimeoutMillis = 120_000;
  });
  afterEach(() => service.close());

  it('are all stored, although each has to look up its workspace', async () => {
    const api = new Api(service.url, tenant.organizationKey);
    const json = { 'content-type': 'application/json' };
    const body = (row: number) =>
      JSON.stringify({ workspace_id: tenant.workspaceId, rows: [{ unique_id: `A${row}`, ds: '2026-01', y: 1 }] });
    const uploads = Array.from({ length: 10 }, (_, row) => api.send('POST', '/actuals', body(row), json));
    expect((await neighbour.get('/runs')).status).toBe(200);
    expect((await Promise.all(uploads)).map(({ status }) => status)).toEqual(uploads.map(() => 200));
  });

  it('leave connections to others while they wait for their senders', async () => {
    const rows = Array.from({ length: BLOCK_SERIES + 1 }, (_, row) => `S${row},2026-01,1\n`).join('');
    const url = `${service.url}/api/v1/actuals`;
    const headers = { 'x-api-key': tenant.workspaceKey, 'content-type': 'text/csv' };
    const runInSlot = jest.spyOn(Slots.prototype, 'run');
    const stalled: ClientRequest[] = [];
    for (let upload = 0; upload < 6; upload += 1) {
      const sending = request(url, { method: 'POST', headers, agent: false });
      sending.on('error', () => undefined); // they are cut off in the end
      sending.write(`unique_id,ds,y\n${rows}`);
      stalled.push(sending);
    }
    const isHeld = `SELECT FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()`;
    await eventually('an upload holds a connection', async () => (await service.database.query(isHeld))[0] && true);
    // each waits for its turn among large uploads, then among those that hold a connection
    await eventually('the others want one as well', () =>
      Promise.resolve(runInSlot.mock.calls.length === 2 * stalled.length ? true : undefined),
    );
    connections.connectionTimeoutMillis = patience;
    expect((await neighbour.get('/runs')).status).toBe(200);
    for (const sending of stalled) sending.destroy();
    runInSlot.mockRestore();
  });

  it('are read six at a time per organization if they may be large, with small ones alongside', async () => {
    const reading = jest.spyOn(ImmediateUploads.prototype, 'store');
    const areRead = (count: number) =>
      eventually(`${count} are read`, () => Promise.resolve(reading.mock.calls.length === count || undefined));
    const headers = { 'x-api-key': tenant.workspaceKey, 'content-type': 'text/csv' };
    const stalled = Array.from({ length: 8 }, () => {
      const sending = request(`${service.url}/api/v1/actuals`, { method: 'POST', headers, agent: false });
      sending.write('unique_id,ds,y\nA,2026-01,1\n'); // without its length
      return sending;
    });
    const replies = stalled.map((sending) => once(sending, 'response') as Promise<[IncomingMessage]>);
    await areRead(6);
    await sleep(300); // in which all would have been begun
    expect(reading).toHaveBeenCalledTimes(6);
    const api = new Api(service.url, tenant.workspaceKey);
    expect((await api.upload(tenant.workspaceId, 'unique_id,ds,y\nB,2026-01,1\n')).status).toBe(200);
    for (const sending of stalled) sending.end();
    const statuses = (await Promise.all(replies)).map(([reply]) => reply.resume().statusCode);
    expect(statuses).toEqual(stalled.map(() => 200));
    reading.mockRestore();
  });

  it('lose their place to the next when too slow, and nothing of them is stored', async () => {
    service.app.get(UploadsService).pace = { ...UPLOAD_PACE, graceMs: 1_000 };
    const headers = { 'x-api-key': tenant.workspaceKey, 'content-type': 'text/csv' };
    const slow = Array.from({ length: 6 }, (_, at) => {
      const sending = request(`${service.url}/api/v1/actuals`, { method: 'POST', headers, agent: false });
      let rows = 0;
      const row = (): unknown => sending.write(`S${at},20${10 + rows++},1\n`);
      sending.write('unique_id,ds,y\n');
      const trickle = setInterval(row, 50);
      sending.on('error', () => undefined).on('close', () => clearInterval(trickle));
      return once(sending, 'response') as Promise<[IncomingMessage]>;
    });
    await sleep(200); // all places of the organization are taken
    const next = request(`${service.url}/api/v1/actuals`, { method: 'POST', headers, agent: false });
    const stored = once(next, 'response') as Promise<[IncomingMessage]>;
    next.end('unique_id,ds,y\nB,2026-01,1\n');
    const refused = await Promise.all(slow.map(async (reply) => json((await reply)[0])));
    expect(refused).toEqual(slow.map(() => expect.objectContaining({ status: 408, code: 'request_timeout' })));
    const [reply] = await stored;
    expect(reply.resume().statusCode).toBe(200);
    expect(await service.database.query('SELECT unique_id FROM series')).toEqual([{ unique_id: 'B' }]);
  });
});

describe('uploads that hold database connections', () => {
  const ROWS = Array.from({ length: BLOCK_SERIES + 1 }, (_, row) => `S${row},2026-01,1\n`).join('');
  let service: TestService;
  let stalled: ClientRequest[];
  beforeEach(() => {
    stalled = [];
  });
  afterEach(() => {
    for (const sending of stalled) sending.destroy();
    return service.close();
  });

  /** Begins an upload that needs a connection, and sends no more of it. */
  const stall = (key: string): void => {
    const headers = { 'x-api-key': key, 'content-type': 'text/csv' };
    const sending = request(`${service.url}/api/v1/actuals`, { method: 'POST', headers, agent: false });
    sending.on('error', () => undefined); // they are cut off in the end
    sending.write(`unique_id,ds,y\n${ROWS}`);
    stalled.push(sending);
  };
  /** Connections held for a while: one may be at work, and shorter transactions come and go. */
  const held = async (): Promise<number> => {
    const rows = await service.database.query(
      `SELECT FROM pg_stat_activity
        WHERE xact_start < clock_timestamp() - interval '500 milliseconds' AND datname = current_database()`,
    );
    return rows.length;
  };

  it.each(['4', '8'])('leave a place to those of other organizations, of %s connections', async (connections) => {
    service = await startTestService({ role: 'api', environment: { DATABASE_POOL: connections } });
    const [tenant, other] = [await createTenant(service), await createTenant(service, { plan: 'enterprise' })];
    for (let upload = 0; upload < 3; upload += 1) stall(tenant.workspaceKey);
    await eventually('one of them holds a connection', async () => (await held()) === 1 || undefined);
    const neighbour = new Api(service.url, other.workspaceKey);
    expect((await neighbour.upload(other.workspaceId, `unique_id,ds,y\n${ROWS}`)).status).toBe(200);
  });

  it('leave one of two connections to requests', async () => {
    service = await startTestService({ role: 'api', environment: { DATABASE_POOL: '2' } });
    const [tenant, other] = [await createTenant(service), await createTenant(service)];
    for (const { workspaceKey } of [tenant, other]) stall(workspaceKey);
    await eventually('one of them holds a connection', async () => (await held()) > 0 || undefined);
    await sleep(1_500); // in which the other would get one, and have held it for a while
    expect(await held()).toBe(1);
    expect((await new Api(service.url, other.workspaceKey).get('/runs')).status).toBe(200);
  });
});

describe('an upload that repeats a block of its rows', () => {
  let service: TestService;
  afterEach(async () => {
    jest.restoreAllMocks();
    await service.close();
  });

  it('reports the first hundred lines and the total, and keeps no more in memory', async () => {
    service = await startTestService({ role: 'api' });
    const api = new Api(service.url, (await createTenant(service, { plan: 'scale' })).workspaceKey);
    const kept = jest.spyOn(FaultLog.prototype, 'add');
    const month = (name: string, series: number) =>
      Array.from({ length: series }, (_, row) => `${name}${row},2026-01,1\n`).join('');
    const between = 10_000; // more than is read at a time, so that another block begins
    const once = `S7,2026-04,1\n${month('S', BLOCK_SERIES)}${month('B', between)}`;
    const reply = await api.send<{ report: Record<string, unknown>; errors: readonly { message: string }[] }>(
      'POST',
      '/actuals',
      `unique_id,ds,y\n${once}${month('S', BLOCK_SERIES)}S7,2026-04-02,1\n`,
      { 'content-type': 'text/csv' },
    );
    expect(reply.status).toBe(400);
    expect(reply.body.report).toMatchObject({ rejected_count: BLOCK_SERIES + 1, duplicates: BLOCK_SERIES });
    expect(reply.body.errors).toHaveLength(100);
    const first = 3 + BLOCK_SERIES + between;
    expect(reply.body.errors[0]?.message).toMatch(new RegExp(`^line ${first}: .*2026-01.*"S0".*line 3`));
    expect(reply.body.errors[99]?.message).toMatch(new RegExp(`^line ${first + 99}: .*"S99".*line 102`));
    expect(kept.mock.calls.length).toBeLessThan(1_000);
  });
});
