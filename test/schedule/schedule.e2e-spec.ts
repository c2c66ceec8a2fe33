import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Clock } from '../../src/platform/clock.js';
import { RunStarter } from '../../src/runs/start/run-starter.js';
import { advanceSchedule, nextFiring } from '../../src/runs/schedule/schedule.queries.js';
import { Scheduler } from '../../src/runs/schedule/scheduler.js';
import { Api, demandCsv } from '../support/api.js';
import { AppClient } from '../support/app-client.js';
import { createMember, createTenant, createUser, createSession } from '../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';
import { eventually } from '../support/eventually.js';
import { holdRows } from '../support/held-rows.js';
import { untilCachesExpire } from '../support/time/until-caches-expire.js';
import { startTestService, type TestService } from '../support/test-service.js';

type Tenant = Awaited<ReturnType<typeof createTenant>>;
type Reply = { status: number; body: Record<string, unknown> };
type Run = { id: string; trigger: string; config: { horizon: number } };

describe('the monthly run of a workspace', () => {
  let database: TestDatabase;
  let service: TestService;
  let tenant: Tenant;
  let token: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    service = await startTestService({ database, environment: { LOG_LEVEL: 'silent' } });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });
  beforeEach(async () => {
    tenant = await createTenant(service);
    token = (await createMember(service.database, tenant.organizationId, 'member')).token;
  });

  async function send(
    method: string,
    body?: unknown,
    bearer = token,
    workspaceId = tenant.workspaceId,
  ): Promise<Reply> {
    const reply = await fetch(`${service.url}/workspaces/${workspaceId}/schedule`, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
  }
  const makeDue = (): Promise<number> =>
    service.database.execute(
      `UPDATE run_schedules SET next_run_at = now() - interval '40 days' WHERE workspace_id = $1`,
      [tenant.workspaceId],
    );
  /** Fires what is due, and waits for the round that the service may have begun by itself. */
  const fire = async (): Promise<void> => {
    await service.app.get(Scheduler).fireDue();
    await service.database.query('SELECT FROM run_schedules FOR UPDATE');
  };
  const runs = async (): Promise<Run[]> => (await new Api(service.url, tenant.workspaceKey).get<Run[]>('/runs')).body;

  it('can be set, read and removed', async () => {
    expect(await send('GET')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const put = await send('PUT', { day: 2, hour: 6, time_zone: 'europe/berlin', config_overrides: { horizon: 3 } });
    expect(put).toMatchObject({
      status: 200,
      body: {
        workspace_id: tenant.workspaceId,
        day: 2,
        hour: 6,
        time_zone: 'Europe/Berlin',
        config_overrides: { horizon: 3 },
        last_fired_at: null,
        last_run_id: null,
        last_error: null,
      },
    });
    expect(await send('GET')).toEqual(put);
    expect(await send('PUT', { day: 3, hour: 0 })).toMatchObject({
      status: 200,
      body: { day: 3, hour: 0, time_zone: 'UTC', config_overrides: {} },
    });
    expect((await send('DELETE')).status).toBe(204);
    expect((await send('DELETE')).status).toBe(404);
    expect((await send('GET')).status).toBe(404);
  });

  it.each([
    ['Europe/Berlin', 2, 6],
    ['America/New_York', 31, 23],
    ['Pacific/Kiritimati', 1, 0],
    ['Asia/Kathmandu', 29, 12],
    ['UTC', 30, 5],
  ])('is next due when the clock of %s shows day %s, hour %s', async (zone, day, hour) => {
    const asked = Date.now();
    const { body } = await send('PUT', { day, hour, time_zone: zone });
    const next = new Date(String(body['next_run_at']));
    expect(next.getTime()).toBeGreaterThan(asked);
    expect(next.getTime()).toBeLessThan(Date.now() + 32 * 86_400_000);
    const parts = Object.fromEntries(
      new Intl.DateTimeFormat('en', {
        timeZone: zone,
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        hourCycle: 'h23',
      })
        .formatToParts(next)
        .map((part) => [part.type, Number(part.value)]),
    );
    const lastDay = new Date(Date.UTC(parts['year']!, parts['month'], 0)).getUTCDate();
    expect([parts['day'], parts['hour'], parts['minute']]).toEqual([Math.min(day, lastDay), hour, 0]);
  });

  it.each([
    ['a day that February does not have', 'UTC', 31, 6, '2027-01-31T06:00:00Z', '2027-02-28T06:00:00Z'],
    ['the leap day for it', 'UTC', 30, 6, '2028-01-30T06:00:00Z', '2028-02-29T06:00:00Z'],
    ['the day itself again after a shorter month', 'UTC', 31, 6, '2028-02-29T06:00:00Z', '2028-03-31T06:00:00Z'],
    ['New Year', 'UTC', 1, 0, '2027-12-01T00:00:00Z', '2028-01-01T00:00:00Z'],
    [
      'a month that begins there before it does in UTC',
      'Pacific/Kiritimati',
      1,
      0,
      '2028-02-28T10:00:00Z',
      '2028-02-29T10:00:00Z',
    ],
    [
      'a month that ends there after it does in UTC',
      'Pacific/Pago_Pago',
      31,
      23,
      '2028-03-01T09:59:59Z',
      '2028-03-01T10:00:00Z',
    ],
    [
      'an hour that clocks skip, an hour later',
      'America/New_York',
      12,
      2,
      '2028-02-12T07:00:00Z',
      '2028-03-12T07:00:00Z',
    ],
    ['a midnight that clocks skip', 'America/Havana', 14, 0, '2027-02-14T05:00:00Z', '2027-03-14T05:00:00Z'],
    [
      'an hour that clocks repeat, the second time',
      'America/New_York',
      7,
      1,
      '2027-11-07T05:00:00Z',
      '2027-11-07T06:00:00Z',
    ],
    ['that hour once', 'America/New_York', 7, 1, '2027-11-07T06:00:00Z', '2027-12-07T06:00:00Z'],
  ])('is due at %s', async (_, zone, day, hour, after, next) => {
    const [row] = await service.database.query<{ next: Date }>(
      `SELECT ${nextFiring('$1::int', '$2::int', '$3::text', '$4::timestamptz')} AS next`,
      [day, hour, zone, after],
    );
    expect(row!.next).toEqual(new Date(next));
  });

  it('does not fire again for the same month when the clock is set back while it fires', async () => {
    const { body } = await send('PUT', { day: 31, hour: 4 });
    // what is due lies ahead of the clock now
    const firing = { ...tenant, plan: 'growth', closed: null, timeZone: 'UTC', configOverrides: {} } as const;
    await service.database.transaction((tx) => advanceSchedule(tx, firing));
    const due = new Date(String(body['next_run_at']));
    const lastOfNext = new Date(Date.UTC(due.getUTCFullYear(), due.getUTCMonth() + 2, 0, 4));
    expect((await send('GET')).body['next_run_at']).toBe(lastOfNext.toISOString());
  });

  it('fires once across processes, and moves on to the next month', async () => {
    await new Api(service.url, tenant.workspaceKey).upload(tenant.workspaceId, demandCsv(2, 24));
    await send('PUT', { day: 15, hour: 4, config_overrides: { horizon: 4 } });
    await makeDue();
    const others = await Promise.all([
      startTestService({ role: 'worker', database }),
      startTestService({ role: 'worker', database }),
    ]);
    try {
      const schedulers = [service, ...others].map((one) => one.app.get(Scheduler));
      await Promise.all(Array.from({ length: 12 }, (_, index) => schedulers[index % 3]!.fireDue()));
    } finally {
      await Promise.all(others.map((other) => other.close()));
    }
    await fire();
    const [run, ...more] = await runs();
    expect(more).toEqual([]);
    expect(run).toMatchObject({ trigger: 'schedule', config: { horizon: 4 }, billed: 'quota' });
    const { body } = await send('GET');
    expect(body).toMatchObject({ last_run_id: run!.id, last_error: null });
    expect(new Date(String(body['next_run_at'])).getTime()).toBeGreaterThan(Date.now());
    expect(await new Api(service.url, tenant.workspaceKey).ended(run!.id)).toMatchObject({ status: 'completed' });
    expect((await new Api(service.url, tenant.workspaceKey).get('/usage')).body).toMatchObject({ used: 1 });
  });

  describe('whose last run still holds', () => {
    const GAP = 'unique_id,ds,y\nN,2020-01,1\nN,2020-03,1\n';
    let api: Api;
    let last: string;
    beforeEach(async () => {
      api = new Api(service.url, tenant.workspaceKey);
      await api.upload(tenant.workspaceId, demandCsv(2, 24));
      await api.upload(tenant.workspaceId, GAP);
      await send('PUT', { day: 15, hour: 4, config_overrides: { horizon: 4 } });
      await makeDue();
      await fire();
      last = await eventually('it fires', async () => (await runs())[0]?.id);
      expect(await api.ended(last)).toMatchObject({ status: 'completed' });
    });
    /** Fires again. @param then what happens before the outcome is read @returns the number of runs since the first */
    const again = async (then?: () => Promise<unknown>): Promise<number> => {
      await makeDue();
      await fire();
      await then?.();
      return eventually('it fires', async () => {
        const { next_run_at: next } = (await send('GET')).body;
        return Date.parse(String(next)) > Date.now() ? (await runs()).length - 1 : undefined;
      });
    };
    const admin = async (): Promise<AppClient> =>
      new AppClient(service.url, (await createMember(service.database, tenant.organizationId, 'admin')).token);
    const series = (path = ''): string => `/workspaces/${tenant.workspaceId}/series/P0000${path}`;
    /** Does it while the service's clock is behind the database's. */
    const behind = async (happens: () => Promise<unknown>): Promise<void> => {
      const clock = jest.spyOn(service.app.get(Clock), 'now').mockReturnValue(new Date(Date.now() - 300_000));
      await happens();
      clock.mockRestore();
    };

    it('starts and charges none, and says so, however often it fires', async () => {
      expect(await again()).toBe(0);
      expect((await api.upload(tenant.workspaceId, GAP)).status).toBe(200); // the same once more
      expect((await (await admin()).patch(series(), { important: false, category: null })).status).toBe(200); // as it is
      expect(await again()).toBe(0);
      const { body } = await send('GET');
      expect(body).toMatchObject({ last_run_id: last, last_error: { code: 'no_new_demand' } });
      expect((body['last_error'] as { message: string }).message).toMatch(
        /^The demand has not changed since the scheduled run of \d+ \w+ \d{4}, whose/,
      );
      expect((await api.get('/usage')).body).toMatchObject({ used: 1 });
    });

    it.each<[string, () => Promise<unknown>]>([
      ['demand is uploaded', () => api.upload(tenant.workspaceId, 'unique_id,ds,y\nP0000,2021-01,1\n')],
      [
        'a missing month is filled',
        () =>
          api.send('POST', `/actuals?workspace_id=${tenant.workspaceId}&fill=zero`, GAP, {
            'content-type': 'text/csv',
          }),
      ],
      ['demand is deleted', async () => (await admin()).delete(series('/actuals?from=2020-01&to=2030-01'))],
      ['a series is deleted', async () => (await admin()).delete(series())],
      ['a series is edited', async () => (await admin()).patch(series(), { important: true })],
      [
        'a series is edited by a process whose clock is behind',
        () => behind(async () => (await admin()).patch(series(), { important: true })),
      ],
      [
        'an upload that such a process stores describes a series',
        () => behind(() => api.upload(tenant.workspaceId, 'unique_id,ds,y,category\nN,2020-01,1,Bolts\n')),
      ],
      ['its configuration changes', () => send('PUT', { day: 15, hour: 4, config_overrides: { horizon: 5 } })],
      ['a month is over', () => service.database.execute('UPDATE runs SET last_month = last_month - 1')],
      ['a month left out counts now', () => service.database.execute('UPDATE runs SET incomplete_month = last_month')],
      [
        'that run failed',
        () => service.database.execute(`UPDATE runs SET status = 'failed', error_code = 'internal_error'`),
      ],
    ])('starts another once %s', async (_, happens) => {
      await happens();
      expect(await again()).toBe(1);
      expect((await send('GET')).body).toMatchObject({ last_error: null });
    });

    it.each([
      [
        'was refused',
        'organization_suspended',
        `UPDATE organizations SET suspended_at = now() WHERE id = $1`,
        `UPDATE organizations SET suspended_at = NULL WHERE id = $1`,
      ],
      [
        'failed',
        'unknown_time_zone',
        `UPDATE run_schedules SET time_zone = 'Mars/Olympus' WHERE organization_id = $1`,
        `UPDATE run_schedules SET time_zone = 'UTC' WHERE organization_id = $1`,
      ],
    ])('starts none after a firing that %s, which left no run', async (_, code, happens, ends) => {
      await service.database.execute(happens, [tenant.organizationId]);
      await again(() => service.database.execute(ends, [tenant.organizationId]));
      expect((await send('GET')).body).toMatchObject({ last_run_id: last, last_error: { code } });
      expect(await again()).toBe(0);
      expect((await send('GET')).body).toMatchObject({ last_run_id: last, last_error: { code: 'no_new_demand' } });
    });

    it('starts another while an upload is about to commit, which may bring new demand', async () => {
      const upload = 'SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE';
      await using _held = await holdRows(service.database, upload, [tenant.workspaceId]);
      expect(await again()).toBe(1);
    });
  });

  describe('of another workspace that cannot fire', () => {
    let other: Tenant;
    let failing: boolean;
    beforeEach(async () => {
      failing = true;
      other = await createTenant(service);
      for (const { workspaceId, workspaceKey } of [tenant, other])
        await new Api(service.url, workspaceKey).upload(workspaceId, demandCsv(2, 24));
      await send('PUT', { day: 15, hour: 4 });
      await makeDue();
      const starter = service.app.get(RunStarter);
      const start = starter.startIn.bind(starter);
      jest.spyOn(starter, 'startIn').mockImplementation(async (tx, run) => {
        if (failing && run.workspaceId === other.workspaceId) await tx.query('SELECT 1 / 0');
        return start(tx, run);
      });
    });
    afterEach(() => {
      jest.restoreAllMocks();
    });

    /** Fires with a schedule that is due before the other one. */
    const fail = async (timeZone = 'UTC'): Promise<void> => {
      await service.database.execute(
        `INSERT INTO run_schedules
           (organization_id, workspace_id, day, hour, time_zone, config_overrides, next_run_at, updated_at, updated_by)
         VALUES ($1, $2, 1, 1, $3, '{}', now() - interval '60 days', now(), 'a test')`,
        [other.organizationId, other.workspaceId, timeZone],
      );
      await fire();
    };
    const read = async (): Promise<Record<string, unknown>> => {
      const reader = (await createMember(service.database, other.organizationId, 'viewer')).token;
      return (await send('GET', undefined, reader, other.workspaceId)).body;
    };
    /** Whole minutes until it is tried again. */
    const pause = async (): Promise<number> =>
      Math.ceil((Date.parse(String((await read())['next_run_at'])) - Date.now()) / 60_000);

    it.each([
      ['internal_error', 'UTC'],
      ['unknown_time_zone', 'Mars/Olympus'],
    ])('is recorded as %s and delays nobody', async (code, timeZone) => {
      await fail(timeZone);
      expect(await runs()).toHaveLength(1);
      expect((await new Api(service.url, other.workspaceKey).get<Run[]>('/runs')).body).toEqual([]);
      expect(await read()).toMatchObject({ last_run_id: null, last_error: { code } });
      expect((await read())['last_fired_at']).not.toBeNull();
    });

    it('is retried after a minute, then with doubling delays of up to an hour, and afresh once saved', async () => {
      await fail();
      const pauses = [await pause()];
      const again = async (): Promise<void> => {
        await service.database.execute('UPDATE run_schedules SET next_run_at = now() WHERE workspace_id = $1', [
          other.workspaceId,
        ]);
        await fire();
        pauses.push(await pause());
      };
      for (let failure = 2; failure <= 9; failure += 1) await again();
      expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
      const member = (await createMember(service.database, other.organizationId, 'member')).token;
      await send('PUT', { day: 15, hour: 4 }, member, other.workspaceId);
      await again();
      expect(pauses.at(-1)).toBe(1);
      await again();
      failing = false;
      await again(); // starts a run
      failing = true;
      await again();
      expect([pauses.at(-3), pauses.at(-1)]).toEqual([2, 1]);
    });
  });

  it('starts no charged run once the organization awaits deletion', async () => {
    await new Api(service.url, tenant.workspaceKey).upload(tenant.workspaceId, demandCsv(2, 30));
    await send('PUT', { day: 15, hour: 4 });
    const ends = (at: string | null) =>
      service.database.execute('UPDATE organizations SET delete_after = $2 WHERE id = $1', [tenant.organizationId, at]);
    await ends('2199-01-01');
    await makeDue();
    await fire();
    expect((await send('GET')).body).toMatchObject({ last_error: { code: 'deletion_requested' } });
    await ends(null);
    await untilCachesExpire();
    expect(await runs()).toEqual([]);
  });

  it.each([
    ['2025-06', { cutoff: '2025-06-01' }],
    ['2025-06-01', { cutoff: '2025-06-01' }],
    [null, { cutoff: null }],
  ])('shows the cutoff %s as runs show it', async (cutoff, config_overrides) => {
    const saved = await send('PUT', { day: 1, hour: 1, config_overrides: { cutoff } });
    const read = await send('GET');
    expect([saved, read].map(({ body }) => body['config_overrides'])).toEqual([config_overrides, config_overrides]);
  });

  it('survives the deletion of series it names: it can be saved again and forecasts the others', async () => {
    const client = new Api(service.url, tenant.workspaceKey);
    await client.upload(tenant.workspaceId, demandCsv(2, 30));
    const overrides = { horizon: 1, series: { unique_ids: ['P0000', 'P0001'] } };
    expect((await send('PUT', { day: 15, hour: 4, config_overrides: overrides })).status).toBe(200);
    await service.database.execute(`DELETE FROM series WHERE workspace_id = $1 AND unique_id = 'P0000'`, [
      tenant.workspaceId,
    ]);
    expect(await send('PUT', { day: 15, hour: 5, config_overrides: overrides })).toMatchObject({
      status: 200,
      body: { hour: 5, config_overrides: overrides },
    });
    await makeDue();
    await fire();
    const [run] = await runs();
    expect(await client.ended(run!.id)).toMatchObject({
      status: 'completed',
      metrics: { series_forecast: 1, skipped: { by_reason: { unknown_series: 1 } } },
    });
  });

  it('reports why a firing started no run, and continues', async () => {
    await send('PUT', { day: 15, hour: 4 });
    await makeDue();
    await fire();
    expect((await send('GET')).body).toMatchObject({ last_run_id: null, last_error: { code: 'no_usable_series' } });
    await service.database.execute('UPDATE organizations SET suspended_at = now() WHERE id = $1', [
      tenant.organizationId,
    ]);
    await makeDue();
    await fire();
    await service.database.execute('UPDATE organizations SET suspended_at = NULL WHERE id = $1', [
      tenant.organizationId,
    ]);
    expect((await send('GET')).body).toMatchObject({ last_error: { code: 'organization_suspended' } });
    expect(await runs()).toEqual([]);
  });

  it.each([
    [{ hour: 1 }, 'day'],
    [{ day: 0, hour: 1 }, 'day'],
    [{ day: 32, hour: 1 }, 'day'],
    [{ day: 1.5, hour: 1 }, 'day'],
    [{ day: '1', hour: 1 }, 'day'],
    [{ day: 1 }, 'hour'],
    [{ day: 1, hour: 24 }, 'hour'],
    [{ day: 1, hour: -1 }, 'hour'],
    [{ day: 1, hour: 1, time_zone: 'Mars/Olympus' }, 'time_zone'],
    [{ day: 1, hour: 1, time_zone: 'CET' }, 'time_zone'],
    [{ day: 1, hour: 1, time_zone: '' }, 'time_zone'],
    [{ day: 1, hour: 1, config_overrides: { cutoff: '2199-06' } }, 'config_overrides.cutoff'],
    [{ day: 1, hour: 1, time_zone: null }, 'time_zone'],
    [{ day: 1, hour: 1, minute: 5 }, 'minute'],
    [{ day: 1, hour: 1, config_overrides: { horizon: 99 } }, 'config_overrides.horizon'],
    [{ day: 1, hour: 1, config_overrides: [] }, 'config_overrides'],
    [
      { day: 1, hour: 1, config_overrides: { series: { unique_ids: ['nowhere'] } } },
      'config_overrides.series.unique_ids',
    ],
    [{ day: 1, hour: 1, config_overrides: { series: { category: 'nowhere' } } }, 'config_overrides.series.category'],
  ])('refuses %j naming %s', async (body, param) => {
    const reply = await send('PUT', body);
    expect([reply.status, (reply.body['errors'] as { param: string }[] | undefined)?.[0]?.param]).toEqual([400, param]);
  });

  it('can be read by viewers, set by members, and is hidden from strangers', async () => {
    const viewer = (await createMember(service.database, tenant.organizationId, 'viewer')).token;
    await send('PUT', { day: 1, hour: 1 });
    expect((await send('GET', undefined, viewer)).status).toBe(200);
    expect(await send('PUT', { day: 1, hour: 1 }, viewer)).toMatchObject({
      status: 403,
      body: { code: 'role_required' },
    });
    expect(await send('DELETE', undefined, viewer)).toMatchObject({ status: 403 });
    const stranger = await createSession(service.database, (await createUser(service.database)).id);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { day: 1, hour: 1 } : undefined;
      expect(await send(method, body, stranger)).toMatchObject({
        status: 404,
        body: { detail: 'The workspace does not exist.' },
      });
    }
    expect((await send('GET', undefined, 'nonsense')).status).toBe(401);
  });
});
