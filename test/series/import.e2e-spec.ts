import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ImportRunner } from '../../src/series/imports/import-runner.js';
import { giveUpImports, takeWaitingImport, type WaitingImport } from '../../src/series/imports/import-work.queries.js';
import { PLANS } from '../../config/plans.js';
import { Database } from '../../src/platform/database/database.js';
import { asTenant } from '../../src/platform/database/scope.js';
import { newId } from '../../src/platform/ids.js';
import { Lifecycle } from '../../src/platform/lifecycle.js';
import { Rounds } from '../../src/platform/work/rounds.js';
import { AppClient } from '../support/app-client.js';
import { createMember, createTenant } from '../support/builders.js';
import { startCuttableService } from '../support/cuttable.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';
import { fillDisk } from '../support/full-disk.js';
import { type HeldRows, holdRows } from '../support/held-rows.js';
import { eventually } from '../support/eventually.js';
import { stopIntervals } from '../support/time/stopped-intervals.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { storedDemand, upload, type UploadReply, valuesOf } from './uploads.js';

const CSV = 'unique_id,ds,y\nA,2026-01,1\nA,2026-02,2\n';
const ASYNC = { prefer: 'respond-async' };

describe('more uploads than may wait', () => {
  it('are refused to the organization that has them, until some have ended', async () => {
    const service = await startTestService({ environment: { MAX_UPLOAD_MB: '1' } });
    try {
      await stopIntervals(service); // nothing is processed until the runner is told to
      const [tenant, other] = [await createTenant(service), await createTenant(service)];
      const send = (key: string) =>
        upload(`${service.url}/api/v1/actuals`, CSV, { 'x-api-key': key, 'content-type': 'text/csv', ...ASYNC });
      const runner = service.app.get(ImportRunner);
      const look = jest.spyOn(runner, 'look').mockResolvedValue();
      for (let waiting = 0; waiting < 4; waiting += 1) expect((await send(tenant.workspaceKey)).status).toBe(202);
      const refused = await send(tenant.workspaceKey);
      expect([refused.status, refused.body['code'], refused.headers.get('retry-after')]).toEqual([
        ...[429, 'too_many_requests', '60'],
      ]);
      expect((await service.database.query('SELECT FROM imports')).length).toBe(4);
      expect((await send(other.workspaceKey)).status).toBe(202);
      look.mockRestore();
      await runner.look();
      expect((await send(tenant.workspaceKey)).status).toBe(202);
    } finally {
      await service.close();
    }
  });
});

describe('uploads that arrive at once where not all may wait', () => {
  let service: TestService;
  afterEach(() => service.close());

  /** Begins uploads with so many bytes of their bodies. @param maxMb a quarter of what may wait */
  const begin = async (count: number, bytes: number, maxMb: number) => {
    service = await startTestService({ environment: { MAX_UPLOAD_MB: String(maxMb) } });
    await stopIntervals(service);
    jest.spyOn(service.app.get(ImportRunner), 'look').mockResolvedValue();
    const { workspaceKey } = await createTenant(service);
    const headers = { 'x-api-key': workspaceKey, 'content-type': 'text/csv', ...ASYNC };
    const sending = Array.from({ length: count }, () => {
      const one = request(`${service.url}/api/v1/actuals`, { method: 'POST', headers, agent: false });
      one.write('x'.repeat(bytes));
      return one;
    });
    const replies = sending.map((one) => once(one, 'response') as Promise<[IncomingMessage]>);
    const statuses = async () =>
      (await Promise.all(replies)).map(([reply]) => reply.resume().statusCode).sort((a, b) => a! - b!);
    return { sending, statuses };
  };
  const stored = (what: 'imports' | 'import_chunks', count: number) =>
    eventually(`${count} ${what} are stored`, async () => {
      const rows = await service.database.query(`SELECT FROM ${what}`);
      return rows.length === count || undefined;
    });

  it('are accepted as far as there is room, if all end at the same moment', async () => {
    const { sending, statuses } = await begin(6, 1_000, 1);
    await stored('imports', 6);
    // each finds its place free, since none of the others is stored yet
    await using held = await holdRows(service.database, 'SELECT FROM imports FOR UPDATE');
    for (const one of sending) one.end();
    await held.untilAwaitedBy(6);
    await held.release();
    expect(await statuses()).toEqual([...Array<number>(4).fill(202), 429, 429]);
    await stored('import_chunks', 4);
  });

  it('are accepted as far as there is room, if all have grown to half of it', async () => {
    const { sending, statuses } = await begin(7, 1_100_000, 2);
    await stored('import_chunks', 7);
    for (const one of sending.toReversed()) one.end('x'.repeat(500_000));
    expect(await statuses()).toEqual([...Array<number>(4).fill(202), 429, 429, 429]);
    await stored('import_chunks', 8);
  });

  it('wait for the deletion of their workspace without making others wait', async () => {
    const { sending, statuses } = await begin(1, 1_048_576, 1); // a whole chunk, so that only the end is left
    await stored('import_chunks', 1);
    await using held = await holdRows(service.database, 'DELETE FROM workspaces');
    sending[0]!.end();
    await held.untilAwaitedBy(1);
    expect(await service.database.query('SELECT FROM organizations FOR NO KEY UPDATE SKIP LOCKED')).toHaveLength(1);
    await held.release();
    expect(await statuses()).toEqual([404]);
  });
});

describe('imports', () => {
  let service: TestService;
  let tenant: Awaited<ReturnType<typeof createTenant>>;
  const send = (body: string, headers: Record<string, string> = {}, query = ''): Promise<UploadReply> =>
    upload(`${service.url}/api/v1/actuals${query}`, body, {
      'x-api-key': tenant.workspaceKey,
      'content-type': 'text/csv',
      ...headers,
    });
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const reply = await fetch(service.url + path, { headers: { 'x-api-key': tenant.workspaceKey, ...headers } });
    return { status: reply.status, headers: reply.headers, body: (await reply.json()) as Record<string, unknown> };
  };

  beforeAll(async () => {
    service = await startTestService({ environment: { ASYNC_UPLOAD_MB: '1' } });
    tenant = await createTenant(service);
  });
  afterAll(() => service.close());

  /** Polls the import in a Location header until it has ended. */
  function ended(location: string): Promise<Record<string, unknown>> {
    return eventually(`the import at ${location} ends`, async () => {
      const { body } = await get(location);
      return body['finished_at'] === null ? undefined : body;
    });
  }

  /** What is kept for processing imports. */
  const leftovers = (): Promise<unknown[]> =>
    service.database.query('SELECT import_id FROM import_chunks UNION ALL SELECT import_id FROM import_progress');

  it('return 202 and a location, end with the report, and keep neither body nor progress', async () => {
    const reply = await send(CSV, ASYNC);
    expect([reply.status, reply.body['state'], reply.headers.get('retry-after')]).toEqual([202, 'processing', '60']);
    const location = reply.headers.get('location') ?? '';
    expect(location).toBe(`/api/v1/imports/${String(reply.body['id'])}`);
    expect(await ended(location)).toMatchObject({
      state: 'completed',
      status: 'completed',
      error: null,
      report: { rows: 2 },
    });
    expect(await valuesOf(service.database, tenant.workspaceId, 'A')).toEqual(['2026-01-01=1', '2026-02-01=2']);
    expect(await leftovers()).toEqual([]);
  });

  it('create no more series than the plan allows, and store nothing beyond', async () => {
    const own = await createTenant(service, { plan: 'free' });
    const { token } = await createMember(service.database, own.organizationId, 'member');
    const address = `/workspaces/${own.workspaceId}/imports`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' };
    const named = (from: number, to: number): string =>
      `unique_id,ds,y\n${Array.from({ length: to - from }, (_, at) => `S${from + at},2026-01,1`).join('\n')}\n`;
    const store = async (csv: string, others = {}) => {
      const { status, body } = await upload(service.url + address, csv, { ...headers, ...others });
      return { status, body };
    };
    expect(await store(named(0, PLANS.free.workspace_series))).toMatchObject({ status: 200 });
    expect(await store(named(999, 1_002))).toMatchObject({
      status: 409,
      body: {
        code: 'plan_limit_reached',
        detail:
          'The free plan allows 1,000 series per workspace; this workspace has 1,000, and the upload would add 2.',
        limit: 1_000,
        used: 1_000,
      },
    });
    const { body: begun } = await store(named(1_000, 1_001), ASYNC);
    const ended = await eventually('the import ends', async () => {
      const { body } = await get(`${address}/${String(begun['id'])}`, headers);
      return body['finished_at'] === null ? undefined : body;
    });
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'plan_limit_reached' } });
    expect(await store(named(0, 2))).toMatchObject({ status: 200, body: { series_created: 0 } });
    const columns = Array.from({ length: 50 }, (_, at) => `c${at}`);
    await store(`unique_id,ds,y,${columns.join(',')}\nS0,2026-01,1,${columns.join(',')}\n`);
    const faulty = await store('unique_id,ds,y,surplus\nS0,2026-01,1,a\nS1000,2026-01,1,a\n');
    expect(faulty).toMatchObject({ status: 400, body: { errors: [{ param: 'surplus' }] } });
    const [count] = await service.database.query('SELECT count(*)::int AS series FROM series WHERE workspace_id = $1', [
      own.workspaceId,
    ]);
    expect(count).toEqual({ series: 1_000 });
  });

  it('report how many rows were read while nothing is stored yet', async () => {
    const own = await createTenant(service);
    const key = { 'x-api-key': own.workspaceKey };
    const ended = await service.database.transaction(async (tx) => {
      await tx.query('SELECT id FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [own.workspaceId]); // the demand is not stored before
      const reply = await send(CSV, { ...ASYNC, ...key });
      expect(reply.body).toMatchObject({ state: 'processing', rows_read: 0 });
      const location = reply.headers.get('location') ?? '';
      await eventually('the rows are reported', async () => {
        const { body } = await get(location, key);
        expect(body).toMatchObject({ state: 'processing', report: null });
        return body['rows_read'] === 2 || undefined;
      });
      expect(await valuesOf(service.database, own.workspaceId, 'A')).toEqual([]);
      return () =>
        eventually('it ends', async () => ((await get(location, key)).body['report'] as object) ?? undefined);
    });
    expect(await ended()).toMatchObject({ rows: 2 });
  });

  it('are used for a body above the threshold, however it is split', async () => {
    const series = Array.from(
      { length: 30_000 },
      (_, index) => `Large series number ${index} of the upload,2026-01,${index}`,
    );
    const reply = await send(`unique_id,ds,y\n${series.join('\n')}\n`);
    expect(reply.status).toBe(202);
    const report = { rows: 30_000, series_created: 30_000 };
    expect(await ended(reply.headers.get('location') ?? '')).toMatchObject({ state: 'completed', report });
  });

  it('fail on bad lines, report their numbers and store nothing', async () => {
    const before = (await storedDemand(service.database)) as { demand: unknown; series: unknown };
    const reply = await send(`${CSV}B,2026-01,x\n`, ASYNC);
    expect(await ended(reply.headers.get('location') ?? '')).toMatchObject({
      state: 'failed',
      error: {
        code: 'invalid_data',
        errors: [{ param: 'y', message: expect.stringMatching(/^line 4: "x" is not a finite/) }],
      },
      report: { rejected_count: 1 },
    });
    const after = (await storedDemand(service.database)) as typeof before;
    expect([after.demand, after.series]).toEqual([before.demand, before.series]);
    expect(await leftovers()).toEqual([]);
  });

  it('keep the members of a stored JSON body: fill and workspace', async () => {
    const json = { ...ASYNC, 'content-type': 'application/json' };
    const rows = [
      { unique_id: 'J', ds: '2026-01', y: 1 },
      { unique_id: 'J', ds: '2026-03', y: 1 },
    ];
    const good = await send(JSON.stringify({ rows, fill: 'zero' }), json);
    expect(await ended(good.headers.get('location') ?? '')).toMatchObject({
      fill: 'zero',
      report: { months_filled: 1 },
    });
    const many = Array.from({ length: 1_000 }, (_, index) => ({ unique_id: `J${index}`, ds: '2026-01', y: 1 }));
    const foreign = await send(JSON.stringify({ rows: many, workspace_id: newId() }), json);
    expect(await ended(foreign.headers.get('location') ?? '')).toMatchObject({
      state: 'failed',
      error: { code: 'invalid_request', errors: [{ param: 'workspace_id' }] },
    });
  });

  it.each([
    ['before its rows, from the first reply on', { fill: 'zero' }, {}, 'zero', 'zero'],
    ['after its rows, once they are read', {}, { fill: 'zero' }, null, 'zero'],
  ])('report the fill that a JSON body names %s', async (_, before, after, first, last) => {
    const rows = Array.from({ length: 1_000 }, (_row, index) => ({ unique_id: `F${index}`, ds: '2026-01', y: 1 }));
    const body = JSON.stringify({ ...before, rows, ...after });
    const reply = await send(body, { ...ASYNC, 'content-type': 'application/json' });
    expect([reply.status, reply.body['fill']]).toEqual([202, first]);
    expect(await ended(reply.headers.get('location') ?? '')).toMatchObject({ state: 'completed', fill: last });
  });

  it('fail if a JSON body names another fill after its rows than the query', async () => {
    const rows = Array.from({ length: 1_000 }, (_row, index) => ({ unique_id: `G${index}`, ds: '2026-01', y: 1 }));
    const headers = { ...ASYNC, 'content-type': 'application/json' };
    const reply = await send(JSON.stringify({ rows, fill: 'none' }), headers, '?fill=zero');
    expect(await ended(reply.headers.get('location') ?? '')).toMatchObject({
      state: 'failed',
      error: {
        code: 'invalid_request',
        errors: [{ param: 'fill', message: 'does not match the fill of the request' }],
      },
    });
  });

  it.each([
    ['at once', {}, 200, ASYNC],
    ['later', ASYNC, 202, {}],
  ])(
    'replay a JSON body that names its fill, first processed %s, however it is resent; another fill is another body',
    async (_, how, status, otherwise) => {
      const rows = [{ unique_id: 'K', ds: '2026-01', y: 1 }];
      const headers = { 'content-type': 'application/json', 'idempotency-key': newId() };
      const body = JSON.stringify({ rows, fill: 'zero' });
      const first = await send(body, { ...headers, ...how });
      const again = await send(body, { ...headers, ...otherwise });
      expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([status, status, 'true']);
      expect(again.body).toEqual(first.body);
      for (const other of [JSON.stringify({ rows, fill: 'none' }), JSON.stringify({ rows })]) {
        const refused = await send(other, { ...headers, ...otherwise });
        expect([refused.status, refused.body['code']]).toEqual([422, 'idempotency_key_reused']);
      }
    },
  );

  it('use the workspace that a JSON body names before its rows, whatever the key', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => ({ unique_id: `W${index}`, ds: '2026-01', y: index }));
    const sent = (workspaceId: string, key: string) =>
      send(JSON.stringify({ workspace_id: workspaceId, rows: many }), {
        ...ASYNC,
        'content-type': 'application/json',
        'x-api-key': key,
      });
    const { workspaceId, organizationKey, workspaceKey } = tenant;
    const other = await createTenant(service);
    const reply = await sent(workspaceId, organizationKey);
    expect([reply.status, reply.body['workspace_id']]).toEqual([202, workspaceId]);
    expect(await ended(reply.headers.get('location') ?? '')).toMatchObject({ report: { rows: 1_000 } });
    expect(await valuesOf(service.database, workspaceId, 'W999')).toEqual(['2026-01-01=999']);
    expect((await sent(other.workspaceId, organizationKey)).status).toBe(404);
    expect((await sent(other.workspaceId, workspaceKey)).status).toBe(403);
    expect(await leftovers()).toEqual([]);
  });

  it('accept a workspace id in upper case in a stored JSON body', async () => {
    const body = { workspace_id: tenant.workspaceId.toUpperCase(), rows: [{ unique_id: 'C', ds: '2026-01', y: 1 }] };
    const reply = await send(JSON.stringify(body), { ...ASYNC, 'content-type': 'application/json' });
    expect(await ended(reply.headers.get('location') ?? '')).toMatchObject({ state: 'completed', error: null });
  });

  it('store a JSON body that names its workspace after its rows while the sender waits', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => ({ unique_id: `V${index}`, ds: '2026-01', y: index }));
    const reply = await send(JSON.stringify({ rows: many, workspace_id: tenant.workspaceId }), {
      ...ASYNC,
      'content-type': 'application/json',
      'x-api-key': tenant.organizationKey,
    });
    expect([reply.status, reply.body['rows']]).toEqual([200, 1_000]);
  });

  it('keep the decimal mark of a stored CSV body', async () => {
    const csv = 'unique_id;ds;y\nD;2026-01;1.234\n';
    const reply = await send(csv, ASYNC, '?decimal=comma');
    expect(reply.body).toMatchObject({ decimal: 'comma', fill: null });
    expect(await ended(reply.headers.get('location') ?? '')).toMatchObject({ state: 'completed', decimal: 'comma' });
    expect(await valuesOf(service.database, tenant.workspaceId, 'D')).toEqual(['2026-01-01=1234']);
    const doubtful = await send(csv, ASYNC);
    expect(await ended(doubtful.headers.get('location') ?? '')).toMatchObject({
      decimal: null,
      error: { errors: [{ param: 'y', message: expect.stringContaining('send decimal=comma for 1234') }] },
    });
  });

  it.each([
    ['a body', CSV, 'completed', 2],
    ['an empty body', '', 'failed', 0],
  ])(
    'keep %s that is fully stored when the reply to its commit is lost, for the retried request',
    async (_, body, state, rows) => {
      const database = service.app.get(Database);
      const transaction = database.transaction.bind(database);
      const lost = jest.spyOn(database, 'transaction').mockImplementation(async (work) => {
        const result = await transaction(work);
        if ((result as { status?: unknown } | undefined)?.status !== 202) return result;
        lost.mockRestore();
        throw new Error('Connection terminated unexpectedly');
      });
      const once = { ...ASYNC, 'idempotency-key': newId() };
      expect((await send(body, once)).status).toBe(503);
      const again = await send(body, once);
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
      expect(await ended(again.headers.get('location') ?? '')).toMatchObject({ state, report: { rows } });
    },
  );

  describe.each(['before its last piece has come', 'with its last piece'])('when noticed %s', (when) => {
    /** Sends several pieces, and the last ones when `meanwhile` has been done. @returns status and code of the reply */
    async function interrupted(
      own: typeof tenant,
      meanwhile: () => Promise<unknown>,
    ): Promise<readonly [status: number, code: unknown]> {
      const rows = 'A,2026-01,1\n'.repeat(200_000);
      async function* body(): AsyncGenerator<string> {
        yield `unique_id,ds,y\n${rows}`;
        await eventually('part of it is received', async () => {
          const received = 'SELECT FROM import_chunks WHERE organization_id = $1';
          return (await service.database.execute(received, [own.organizationId])) > 0 || undefined;
        });
        await meanwhile();
        yield when.startsWith('before') ? rows : 'A,2026-02,2\n';
      }
      const reply = await fetch(`${service.url}/api/v1/actuals?workspace_id=${own.workspaceId}`, {
        method: 'POST',
        headers: { 'x-api-key': own.organizationKey, 'content-type': 'text/csv', ...ASYNC },
        body: Readable.from(body()),
        duplex: 'half',
      });
      return [reply.status, ((await reply.json()) as Record<string, unknown>)['code']];
    }

    it('refuse a body that takes more than an hour, and keep nothing of it', async () => {
      const own = await createTenant(service);
      const refused = await interrupted(own, async () => {
        await service.database.execute(
          `UPDATE imports SET created_at = now() - interval '61 minutes' WHERE organization_id = $1`,
          [own.organizationId],
        );
        await eventually('it is given up, which waits while a chunk is stored', async () => {
          await giveUpImports(service.database);
          const receiving = `SELECT FROM imports WHERE organization_id = $1 AND state = 'receiving'`;
          return (await service.database.execute(receiving, [own.organizationId])) === 0 || undefined;
        });
      });
      expect(refused).toEqual([408, 'request_timeout']);
      const left = await service.database.query('SELECT id FROM imports WHERE organization_id = $1', [
        own.organizationId,
      ]);
      expect(left).toEqual([]);
    });

    it('return 404 when the workspace is deleted while the body arrives', async () => {
      const own = await createTenant(service);
      const { token } = await createMember(service.database, own.organizationId, 'owner');
      const path = `/orgs/${own.organizationId}/workspaces/${own.workspaceId}`;
      const refused = await interrupted(own, async () =>
        expect((await new AppClient(service.url, token).delete(path)).status).toBe(204),
      );
      expect(refused).toEqual([404, 'not_found']);
    });
  });

  it('answer foreign, unknown and malformed ids alike', async () => {
    const other = await createTenant(service);
    const { body } = await send(CSV);
    for (const id of [String(body.import_id), newId(), 'x']) {
      const reply = await get(`/api/v1/imports/${id}`, { 'x-api-key': other.organizationKey });
      expect([reply.status, reply.body['code']]).toEqual([404, 'not_found']);
    }
  });

  it('are listed to viewers, newest first, and started by members', async () => {
    const own = await createTenant(service);
    const viewer = await createMember(service.database, own.organizationId, 'viewer');
    const member = await createMember(service.database, own.organizationId, 'member');
    const url = `${service.url}/workspaces/${own.workspaceId}/imports`;
    const as = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'text/csv' });
    expect((await upload(url, CSV, as(viewer.token))).status).toBe(403);
    const first = await upload(url, CSV, as(member.token));
    const second = await upload(url, CSV, as(member.token));
    expect([first.status, second.body['series_updated']]).toEqual([200, 1]);
    const page = await fetch(`${url}?limit=1`, { headers: as(viewer.token) });
    expect(await page.json()).toMatchObject([{ id: second.body.import_id, origin: 'app', state: 'completed' }]);
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    const rest = await fetch(service.url + next, { headers: as(viewer.token) });
    expect(await rest.json()).toMatchObject([{ id: first.body.import_id }]);
    expect(rest.headers.get('link')).toBeNull();
  });

  it('accept a decimal mark from signed-in members', async () => {
    const own = await createTenant(service);
    const { token } = await createMember(service.database, own.organizationId, 'member');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' };
    const url = `${service.url}/workspaces/${own.workspaceId}/imports`;
    const { status, body } = await upload(`${url}?decimal=comma`, 'unique_id;ds;y\nD;2026-01;1.234\n', headers);
    expect(status).toBe(200);
    expect(await get(`/api/v1/imports/${body.import_id}`, { 'x-api-key': own.workspaceKey })).toMatchObject({
      body: { origin: 'app', decimal: 'comma', state: 'completed' },
    });
    expect(await valuesOf(service.database, own.workspaceId, 'D')).toEqual(['2026-01-01=1234']);
  });
});

describe('an import interrupted', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  type Tenant = Awaited<ReturnType<typeof createTenant>>;

  /** As a process leaves it that has stored the body, in two pieces. */
  async function stored(service: TestService, attempts: number, { of, csv = CSV }: { of?: Tenant; csv?: string } = {}) {
    const tenant = of ?? (await createTenant(service));
    const id = newId();
    await service.database.execute(
      `INSERT INTO imports (id, organization_id, workspace_id, state, origin, format, attempts, created_at)
       VALUES ($1, $2, $3, 'receiving', 'api', 'csv', $4, now())`,
      [id, tenant.organizationId, tenant.workspaceId, attempts],
    );
    const chunk = `INSERT INTO import_chunks (import_id, position, organization_id, bytes) VALUES ($1, $2, $3, $4)`;
    await service.database.execute(chunk, [id, 0, tenant.organizationId, Buffer.from(csv.slice(0, 20))]);
    await service.database.execute(chunk, [id, 1, tenant.organizationId, Buffer.from(csv.slice(20))]);
    return { id, tenant };
  }

  /** Keeps the process that takes the import from beginning it. */
  async function holdTaking(service: TestService, id: string, { organizationId }: Tenant): Promise<HeldRows> {
    await service.database.execute('INSERT INTO import_progress VALUES ($1, $2, 0)', [id, organizationId]);
    return holdRows(service.database, 'SELECT import_id FROM import_progress WHERE import_id = $1 FOR UPDATE', [id]);
  }

  it('by a shutdown does not use up an attempt, however often that happens', async () => {
    const service = await startTestService({ database });
    const { id, tenant } = await stored(service, 0);
    const read = async () =>
      (
        await service.database.query<{ attempts: number }>('SELECT state, attempts FROM imports WHERE id = $1', [id])
      )[0];
    try {
      const runner = service.app.get(ImportRunner);
      await using taking = await holdTaking(service, id, tenant);
      await service.database.execute(`UPDATE imports SET state = 'processing' WHERE id = $1`, [id]);
      runner.wake();
      await taking.untilAwaitedBy(1);
      await using reading = await holdRows(service.database, 'LOCK TABLE import_chunks IN ACCESS EXCLUSIVE MODE');
      await taking.release();
      await eventually('it has begun', async () => (await read())?.attempts === 1 || undefined);
      service.app.get(Lifecycle).markDraining();
      const stopped = service.app.get(Rounds).onModuleDestroy();
      await reading.release();
      await stopped;
      expect(await read()).toEqual({ state: 'processing', attempts: 0 });
      await service.database.execute('DELETE FROM imports WHERE id = $1', [id]);
    } finally {
      await service.close();
    }
  });

  it('by a full disk does not use up an attempt, and is stored once there is room', async () => {
    const full = await startTestService({ database });
    const { id } = await stored(full, 4); // one more would be its last
    const state = async () => (await full.database.query('SELECT state, attempts FROM imports WHERE id = $1', [id]))[0];
    try {
      const disk = await fillDisk(full.database, 'demand');
      await full.database.execute(`UPDATE imports SET state = 'processing' WHERE id = $1`, [id]);
      full.app.get(ImportRunner).wake();
      await eventually('there is no room for it', async () => (await disk.refusals()) > 0 || undefined);
      await stopIntervals(full); // waits for the attempt
      expect(await state()).toEqual({ state: 'processing', attempts: 4 });
      await disk.makeRoom();
      const next = await startTestService({ database });
      try {
        await eventually('it ends', async () => ((await state())?.['state'] === 'completed' ? true : undefined));
      } finally {
        await next.close();
      }
      await full.database.execute('DELETE FROM imports WHERE id = $1', [id]);
    } finally {
      await full.close();
    }
  });

  it('by a full disk lets others go first, which may fit', async () => {
    const full = await startTestService({ database });
    await stopIntervals(full);
    const [large, small] = [await stored(full, 0), await stored(full, 0)];
    const both = [large.id, small.id];
    const states = async () =>
      (
        await full.database.query<{ state: string }>('SELECT state FROM imports WHERE id = ANY ($1) ORDER BY id', [
          both,
        ])
      ).map(({ state }) => state);
    const accept = (id: string) =>
      full.database.execute(`UPDATE imports SET state = 'processing', created_at = clock_timestamp() WHERE id = $1`, [
        id,
      ]);
    const runner = full.app.get(ImportRunner);
    const lookAgain = () => {
      Object.assign(runner, { pausedUntil: 0 }); // as time would
      return runner.look();
    };
    const disk = await fillDisk(full.database, 'demand', `NEW.workspace_id = '${large.tenant.workspaceId}'`);
    try {
      await accept(large.id);
      await lookAgain();
      expect([await disk.refusals(), await states()]).toEqual([1, ['processing', 'receiving']]);
      await accept(small.id); // after the large one was tried
      await lookAgain();
      expect(await states()).toEqual(['processing', 'completed']);
      await disk.makeRoom();
      await lookAgain();
      expect(await states()).toEqual(['completed', 'completed']);
      await full.database.execute('DELETE FROM imports WHERE id = ANY ($1)', [both]);
    } finally {
      await full.close();
    }
  });

  it('by a disk without room for it is given up a day after it was accepted, not at the first try', async () => {
    const full = await startTestService({ database });
    const [late, fresh] = [await stored(full, 0), await stored(full, 0)];
    const both = [late.id, fresh.id];
    const imports = () =>
      full.database.query<{ state: string; code: string | null }>(
        `SELECT state, error->>'code' AS code FROM imports WHERE id = ANY ($1) ORDER BY id`,
        [both],
      );
    const disk = await fillDisk(full.database, 'demand');
    try {
      await full.database.execute(
        `UPDATE imports SET state = 'processing', created_at = now() - CASE WHEN id = $2 THEN interval '25 hours' ELSE '23 hours' END
         WHERE id = ANY ($1)`,
        [both, late.id],
      );
      const runner = full.app.get(ImportRunner);
      await eventually('both were tried often', async () => {
        Object.assign(runner, { pausedUntil: 0 }); // as time would
        runner.wake();
        return (await disk.refusals()) >= 30 || undefined;
      });
      await stopIntervals(full); // waits for the attempt
      expect(await imports()).toEqual([
        { state: 'failed', code: 'no_room' },
        { state: 'processing', code: null },
      ]);
      const kept = 'SELECT DISTINCT import_id FROM import_chunks WHERE import_id = ANY ($1)';
      expect(await full.database.query(kept, [both])).toEqual([{ import_id: fresh.id }]);
      await full.database.execute('DELETE FROM imports WHERE id = ANY ($1)', [both]);
    } finally {
      await disk.makeRoom();
      await full.close();
    }
  });

  it('by a disk without room for it is given up even when several processes try it in turn', async () => {
    const full = await startTestService({ database });
    const { id } = await stored(full, 0);
    const runner = full.app.get(ImportRunner);
    const look = async (): Promise<void> => {
      Object.assign(runner, { pausedUntil: 0 }); // as time would
      await runner.look();
    };
    await stopIntervals(full); // it looks only when notified
    const read = async () =>
      (await full.database.query(`SELECT state, error->>'code' AS code FROM imports WHERE id = $1`, [id]))[0];
    const disk = await fillDisk(full.database, 'demand');
    try {
      await full.database.execute(
        `UPDATE imports SET state = 'processing', created_at = now() - interval '25 hours' WHERE id = $1`,
        [id],
      );
      for (let round = 0; round < 30 && (await read())?.['state'] === 'processing'; round += 1) {
        await look();
        await full.database.transaction(async (tx) => {
          await tx.query('SELECT id FROM imports WHERE id = $1 FOR UPDATE', [id]); // as another process has it
          await look();
        });
      }
      expect(await read()).toEqual({ state: 'failed', code: 'no_room' });
      await full.database.execute('DELETE FROM imports WHERE id = $1', [id]);
    } finally {
      await disk.makeRoom();
      await full.close();
    }
  });

  describe('with processes that look only when notified', () => {
    let service: TestService;
    let other: TestService;
    beforeAll(async () => {
      [service, other] = [await startTestService({ database }), await startTestService({ database })];
      for (const one of [service, other]) await stopIntervals(one);
    });
    afterAll(async () => {
      await other.close();
      await service.close();
    });

    describe('by a lost database connection', () => {
      const stateOf = async (service: TestService, id: string) =>
        (
          await service.database.query<{ state: string; attempts: number }>(
            'SELECT state, attempts FROM imports WHERE id = $1',
            [id],
          )
        )[0];

      /** An import with four attempts, on a service that looks only when notified. */
      async function lastTry(service: TestService) {
        const runner = service.app.get(ImportRunner);
        const { id, tenant } = await stored(service, 4);
        await accept(service, id);
        const lock = 'SELECT id FROM workspaces WHERE id = $1 FOR NO KEY UPDATE';
        const hold = () => holdRows(service.database, lock, [tenant.workspaceId]);
        return { id, tenant, look: () => runner.look(), hold };
      }

      const accept = (service: TestService, id: string) =>
        service.database.execute(`UPDATE imports SET state = 'processing' WHERE id = $1`, [id]);

      /** Of these imports, those that have ended, in the order in which they did. */
      const endedOf = async (service: TestService, ids: readonly string[]): Promise<string[]> => {
        const query = 'SELECT id FROM imports WHERE id = ANY ($1) AND finished_at IS NOT NULL ORDER BY finished_at';
        return (await service.database.query<{ id: string }>(query, [ids])).map(({ id }) => id);
      };

      /** Ends the connection of the process that waits for a workspace. */
      const breakOff = (service: TestService) =>
        service.database.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE '%workspaces%'`,
        );

      /** Begins it, while its workspace is held, and ends its connection. */
      async function beginAndBreakOff(service: TestService, look: () => Promise<void>, held: HeldRows): Promise<void> {
        const looked = look();
        await held.untilAwaitedBy(1);
        await breakOff(service);
        await looked;
      }

      it('does not use up an attempt', async () => {
        const { id, look, hold } = await lastTry(service);
        await using held = await hold();
        await beginAndBreakOff(service, look, held);
        expect(await stateOf(service, id)).toEqual({ state: 'processing', attempts: 4 });
        await held.release();
        await look();
        expect(await stateOf(service, id)).toMatchObject({ state: 'completed' });
        await service.database.execute('DELETE FROM imports WHERE id = $1', [id]);
      });

      it('is given up if that never ends, whichever process has it, since the import may crash the database', async () => {
        const runner = other.app.get(ImportRunner);
        const { id, look, hold } = await lastTry(service);
        await using held = await hold();
        let losses = 0;
        for (; losses < 30 && (await stateOf(service, id))?.attempts !== 5; losses += 1) {
          await beginAndBreakOff(service, losses % 2 === 0 ? look : () => runner.look(), held);
        }
        expect(losses).toBe(11);
        await look();
        expect(await stateOf(service, id)).toMatchObject({ state: 'failed' });
        await service.database.execute('DELETE FROM imports WHERE id = $1', [id]);
      });

      it('delays nobody while another process has it, and does not use up attempts after that', async () => {
        const { id, look, hold } = await lastTry(service);
        await using workspace = await hold();
        const looked = look();
        await workspace.untilAwaitedBy(1);
        const lock = 'SELECT id FROM imports WHERE id = $1 FOR NO KEY UPDATE';
        const locking = holdRows(service.database, lock, [id]);
        await workspace.untilAwaitedBy(2);
        await breakOff(service);
        await using other = await locking;
        await looked;
        const { id: next } = await stored(service, 0);
        await service.database.execute(`UPDATE imports SET state = 'processing' WHERE id = $1`, [next]);
        await look();
        expect(await stateOf(service, next)).toMatchObject({ state: 'completed' });
        expect(await stateOf(service, id)).toEqual({ state: 'processing', attempts: 5 });
        await workspace.release();
        await other.release();
        await look();
        expect(await stateOf(service, id)).toEqual({ state: 'completed', attempts: 5 }); // taken back, and counted again
        await service.database.execute('DELETE FROM imports WHERE id = ANY ($1)', [[id, next]]);
      });

      it('comes after those accepted by then, and before later ones', async () => {
        const { id, look, hold } = await lastTry(service);
        const { id: waiting } = await stored(service, 0);
        await accept(service, waiting);
        await using held = await hold();
        await beginAndBreakOff(service, look, held);
        const { id: later } = await stored(service, 0);
        await accept(service, later);
        await held.release();
        await look();
        expect(await endedOf(service, [id, waiting, later])).toEqual([waiting, id, later]);
        await service.database.execute('DELETE FROM imports WHERE id = ANY ($1)', [[id, waiting, later]]);
      });

      it('is stored before a later one of its workspace, which replaces its values', async () => {
        const { id, tenant, look, hold } = await lastTry(service);
        const correction = await stored(service, 0, { of: tenant, csv: 'unique_id,ds,y\nA,2026-02,3\n' });
        await accept(service, correction.id);
        await using held = await hold();
        await beginAndBreakOff(service, look, held);
        await held.release();
        await look();
        expect(await endedOf(service, [id, correction.id])).toEqual([id, correction.id]);
        expect(await valuesOf(service.database, tenant.workspaceId, 'A')).toEqual(['2026-01-01=1', '2026-02-01=3']);
        await service.database.execute('DELETE FROM imports WHERE id = ANY ($1)', [[id, correction.id]]);
      });

      it('does not use up attempts while the database is down', async () => {
        const cuttable = await startCuttableService();
        const { service } = cuttable;
        try {
          await stopIntervals(service);
          const { id, look, hold } = await lastTry(service);
          await using held = await hold();
          const looked = look();
          await held.untilAwaitedBy(1);
          await cuttable.cut();
          await looked;
          await cuttable.mend();
          const ended = await eventually('it ends', async () => {
            await look();
            const { state } = (await stateOf(service, id))!;
            return state === 'processing' ? undefined : state;
          });
          expect(ended).toBe('completed');
        } finally {
          await cuttable.close();
        }
      });
    });

    it('are stored in the order in which their bodies were complete, not in which they began to arrive', async () => {
      const tenant = await createTenant(service);
      const runner = service.app.get(ImportRunner);
      const look = jest.spyOn(runner, 'look').mockResolvedValue();
      const headers = { 'x-api-key': tenant.workspaceKey, 'content-type': 'text/csv', ...ASYNC };
      const slow = request(`${service.url}/api/v1/actuals`, { method: 'POST', headers, agent: false });
      const reply = once(slow, 'response') as Promise<[IncomingMessage]>;
      slow.write('unique_id,ds,y\n');
      await eventually('it has begun to arrive', async () => {
        const begun = await service.database.query('SELECT FROM imports WHERE workspace_id = $1', [tenant.workspaceId]);
        return begun.length === 1 || undefined;
      });
      expect((await upload(`${service.url}/api/v1/actuals`, CSV, headers)).status).toBe(202);
      slow.end('A,2026-01,3\n');
      expect((await reply)[0].resume().statusCode).toBe(202);
      look.mockRestore();
      await runner.look();
      expect(await valuesOf(service.database, tenant.workspaceId, 'A')).toEqual(['2026-01-01=3', '2026-02-01=2']);
    });

    it('by the deletion of its workspace delays no others and does not use up an attempt', async () => {
      const runner = service.app.get(ImportRunner);
      const [doomed, other] = [await stored(service, 4), await stored(service, 0)];
      const both = [doomed.id, other.id];
      const imports = () =>
        service.database.query('SELECT state, attempts FROM imports WHERE id = ANY ($1) ORDER BY id', [both]);
      await service.database.execute(`UPDATE imports SET state = 'processing' WHERE id = ANY ($1)`, [both]);
      const deletion = 'SELECT id FROM workspaces WHERE id = $1 FOR UPDATE';
      await using held = await holdRows(service.database, deletion, [doomed.tenant.workspaceId]);
      for (let round = 0; round < 2; round += 1) await runner.look();
      expect(await imports()).toEqual([
        { state: 'processing', attempts: 4 },
        { state: 'completed', attempts: 1 },
      ]);
      await held.release(); // as where it is given up
      await runner.look();
      expect(await imports()).toMatchObject([{ state: 'completed' }, { state: 'completed' }]);
      await service.database.execute('DELETE FROM imports WHERE id = ANY ($1)', [both]);
    });

    it('by a faster process does not use up an attempt', async () => {
      const runner = service.app.get(ImportRunner);
      const { id } = await stored(service, 3);
      const read = () => service.database.query('SELECT state, attempts FROM imports WHERE id = $1', [id]);
      await service.database.execute(`UPDATE imports SET state = 'processing' WHERE id = $1`, [id]);
      const work = (await takeWaitingImport(service.database, [])) as WaitingImport;
      await using other = await holdRows(service.database, 'SELECT id FROM imports WHERE id = $1 FOR NO KEY UPDATE', [
        id,
      ]);
      expect(await asTenant(work, () => runner['process'](work))).toBe(false);
      await other.release(); // as by a crash
      await runner.look();
      expect(await read()).toEqual([{ state: 'completed', attempts: 4 }]); // taken back, and counted again
      await service.database.execute('DELETE FROM imports WHERE id = $1', [id]);
    });

    it('by a process with an earlier one of its workspace is stored after that', async () => {
      const look = (of: TestService): Promise<void> => of.app.get(ImportRunner).look();
      const first = await stored(service, 0);
      const { tenant } = first;
      const second = await stored(service, 0, { of: tenant, csv: 'unique_id,ds,y\nA,2026-02,3\n' });
      const both = [first.id, second.id];
      await service.database.execute(`UPDATE imports SET state = 'processing' WHERE id = ANY ($1)`, [both]);
      await using held = await holdTaking(service, first.id, tenant);
      const looked = look(service);
      await held.untilAwaitedBy(1);
      await look(other);
      await held.release();
      await looked;
      const ended = 'SELECT id, state FROM imports WHERE id = ANY ($1) ORDER BY finished_at';
      expect(await service.database.query(ended, [both])).toEqual(both.map((id) => ({ id, state: 'completed' })));
      expect(await valuesOf(service.database, tenant.workspaceId, 'A')).toEqual(['2026-01-01=1', '2026-02-01=3']);
      await service.database.execute('DELETE FROM imports WHERE id = ANY ($1)', [both]);
    });
  });

  it('by a crash is resumed by the next process, once', async () => {
    const first = await startTestService({ database });
    const { id, tenant } = await stored(first, 1);
    await first.close();

    const idle = await startTestService({ database });
    await idle.database.execute(`UPDATE imports SET state = 'processing' WHERE id = $1`, [id]);
    await idle.close();
    const second = await startTestService({ database });
    const third = await startTestService({ database });
    try {
      const ended = await eventually('it ends', async () => {
        const query = `SELECT state, report->'rows' AS rows FROM imports WHERE finished_at IS NOT NULL`;
        return (await second.database.query(query))[0];
      });
      expect(ended).toEqual({ state: 'completed', rows: 2 });
      expect(await valuesOf(second.database, tenant.workspaceId, 'A')).toEqual(['2026-01-01=1', '2026-02-01=2']);
    } finally {
      await third.close();
      await second.close();
    }
  });
});
