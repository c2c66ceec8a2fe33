import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { COMMAND_LINE } from '../../src/cli/actor.js';
import { OrganizationMails } from '../../src/access/index.js';
import { changePlan } from '../../src/access/organizations/plans/change-plan.js';
import type { Queryable } from '../../src/platform/database/database.js';
import { newId } from '../../src/platform/ids.js';
import { Lifecycle } from '../../src/platform/lifecycle.js';
import { Rounds } from '../../src/platform/work/rounds.js';
import { RunFailer } from '../../src/runs/end/run-failer.js';
import type { RunEvents } from '../../src/runs/monitoring/run-events.js';
import { RunBilling } from '../../src/usage/index.js';
import { MeterOutbox } from '../../src/usage/metering/meter-outbox.js';
import { DELIVERY_DEADLINE_MS, type MeterEvent } from '../../src/usage/metering/usage-reporter.js';
import {
  countPendingEvents,
  noteFailure,
  returnEvent,
  setStripeCustomer,
  type Settlement,
  settleUnreported,
  takeDueEvents,
} from '../../src/usage/metering/meter-events.queries.js';
import { Api, demandCsv } from '../support/api.js';
import { AppClient } from '../support/app-client.js';
import { createMember, createOrganization, createTenant, createWorkspace } from '../support/builders.js';
import { speedUpRounds } from '../support/time/fast-rounds.js';
import { eventually } from '../support/eventually.js';
import { holdRows } from '../support/held-rows.js';
import { startTestService, type TestService } from '../support/test-service.js';

interface Received {
  readonly path: string;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

/** A metering service that misbehaves: `answer` decides by the number of the call. */
class FakeMeter {
  readonly received: Received[] = [];
  private server: Server | undefined;

  async start(
    answer: (
      call: number,
      body: string,
    ) => { status: number; body?: string; afterMs?: number; location?: string } | 'hang up',
    port = 0,
  ): Promise<string> {
    this.server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        this.received.push({ path: request.url ?? '', headers: request.headers, body });
        const reply = answer(this.received.length, body);
        if (reply === 'hang up') return void request.socket.destroy();
        const headers = {
          'content-type': 'application/json',
          ...(reply.location === undefined ? {} : { location: reply.location }),
        };
        setTimeout(() => response.writeHead(reply.status, headers).end(reply.body ?? '{}'), reply.afterMs ?? 0);
      });
    });
    await new Promise<void>((resolve) => this.server!.listen(port, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<unknown> {
    this.server?.closeAllConnections();
    return new Promise((resolve) => (this.server ? this.server.close(resolve) : resolve(undefined)));
  }
}

describe('metering of overage runs', () => {
  speedUpRounds(MeterOutbox);
  const meter = new FakeMeter();
  let service: TestService;
  afterEach(async () => {
    await service.close();
    await meter.stop();
    meter.received.length = 0;
  });

  /** An organization whose quota is used up. */
  async function exhausted(): Promise<string> {
    const { id } = await createOrganization(service.database);
    await useUp(id);
    return id;
  }
  async function useUp(id: string): Promise<void> {
    await service.database.execute(
      `INSERT INTO usage_counters (organization_id, month, used) VALUES ($1, date_trunc('month', now() AT TIME ZONE 'UTC'), 200)`,
      [id],
    );
  }
  const charge = (organizationId: string, runId = newId()) =>
    service.database.transaction((tx) =>
      service.app.get(RunBilling).charge(tx, { organizationId, plan: 'growth', runId, now: new Date() }),
    );
  const makeDue = () =>
    service.database.execute(`UPDATE meter_events SET next_attempt_at = now() WHERE status = 'pending'`);
  const pending = async () =>
    (await service.database.query(`SELECT id FROM meter_events WHERE status = 'pending'`)).length;
  /** The audit events of runs that count against something else than at their start, in order. */
  const billingChanges = () =>
    service.database.query(
      `SELECT target_id, details ->> 'from' AS "from", details ->> 'to' AS "to" FROM audit_events
       WHERE action = 'run.billing_changed' ORDER BY sequence`,
    );
  /** No event is due, nor has the service taken one: that would count as an attempt. */
  const expectNoneTaken = async (): Promise<void> => {
    expect(await takeDueEvents(service.database, 10)).toEqual([]);
    expect(await service.database.query('SELECT DISTINCT attempts FROM meter_events')).toEqual([{ attempts: 0 }]);
    expect(meter.received).toEqual([]);
  };
  const allDelivered = () =>
    eventually('all events are delivered', async () => {
      await makeDue();
      return (await pending()) === 0 ? true : undefined;
    });

  it('delivers every event to Stripe once despite failures, dropped connections and missing replies', async () => {
    const counted = new Set<string>();
    const url = await meter.start((call, body) => {
      const identifier = new URLSearchParams(body).get('identifier')!;
      if (call % 5 === 1) return { status: 500 };
      if (call % 5 === 2) return 'hang up';
      if (counted.has(identifier))
        return { status: 400, body: `{"error":{"message":"An event already exists with identifier ${identifier}"}}` };
      counted.add(identifier);
      return call % 5 === 3 ? 'hang up' : { status: 200 }; // counted, but the answer is lost
    });
    service = await startTestService({ environment: { STRIPE_SECRET_KEY: 'sk_test_canary', STRIPE_API_URL: url } });
    await setStripeCustomer(service.database, await exhausted(), 'cus_of_another');
    const organizationId = await exhausted();
    await setStripeCustomer(service.database, organizationId, 'cus_1');
    const runs = Array.from({ length: 12 }, () => newId());
    for (const runId of runs) expect(await charge(organizationId, runId)).toBe('overage');
    await allDelivered();
    expect([...counted].sort()).toEqual(runs.map((runId) => `run_overage:${runId}`).sort());
    const sent = new URLSearchParams(meter.received[0]!.body);
    expect(meter.received[0]!.path).toBe('/v1/billing/meter_events');
    expect(meter.received[0]!.headers['authorization']).toBe('Bearer sk_test_canary');
    expect(meter.received[0]!.headers['idempotency-key']).toBeUndefined(); // Stripe would repeat its 500
    expect(Object.fromEntries(sent)).toMatchObject({
      event_name: 'forecast_run_overage',
      'payload[stripe_customer_id]': 'cus_1',
      'payload[value]': '1',
    });
  });

  it('counts overage exactly under concurrency and delivers each run once from two processes despite late replies', async () => {
    const counted = new Map<string, number>();
    const url = await meter.start((call, body) => {
      const { id } = JSON.parse(body) as { id: string };
      counted.set(id, (counted.get(id) ?? 0) + 1);
      // counted at once, but answered only when the service has given up waiting: it must ask again
      return { status: 204, afterMs: call <= 3 ? DELIVERY_DEADLINE_MS + 500 : call % 3 === 0 ? 1_500 : 0 };
    });
    const environment = { OPENMETER_URL: url };
    service = await startTestService({ environment });
    const second = await startTestService({
      environment,
      database: { url: service.databaseUrl, drop: () => Promise.resolve() },
    });
    try {
      const organizationId = await exhausted();
      const runs = Array.from({ length: 30 }, () => newId());
      const billed = await Promise.all(runs.map((runId) => charge(organizationId, runId)));
      expect(new Set(billed)).toEqual(new Set(['overage']));
      const [counter] = await service.database.query(
        'SELECT used, overage FROM usage_counters WHERE organization_id = $1',
        [organizationId],
      );
      expect(counter).toEqual({ used: 200, overage: 30 });
      // what an answer does not reach in time becomes due again by itself
      await eventually('all are delivered', async () => ((await pending()) === 0 ? true : undefined));
      expect([...counted.keys()].sort()).toEqual(runs.map((runId) => `run_overage:${runId}`).sort());
      // repeated are those alone whose answer came too late, under the same identifier
      expect([...counted.values()].filter((times) => times > 1)).toHaveLength(3);
    } finally {
      await second.close();
    }
  });

  it('sends CloudEvents to OpenMeter', async () => {
    const url = await meter.start(() => ({ status: 204 }));
    service = await startTestService({ environment: { OPENMETER_URL: url, OPENMETER_API_KEY: 'om_test' } });
    const organizationId = await exhausted();
    const runId = newId();
    expect(await charge(organizationId, runId)).toBe('overage');
    await allDelivered();
    expect(meter.received).toHaveLength(1);
    expect(meter.received[0]!.headers['content-type']).toBe('application/cloudevents+json');
    expect(JSON.parse(meter.received[0]!.body)).toMatchObject({
      specversion: '1.0',
      id: `run_overage:${runId}`,
      type: 'forecast_run_overage',
      subject: organizationId,
      data: { value: 1 },
    });
  });

  it('sends Stripe the events of a customer one at a time, and those of several customers at once', async () => {
    const answeredAfterMs = 600;
    const busyUntil = new Map<string, number>();
    let overlaps = 0;
    const url = await meter.start((_call, body) => {
      const customer = new URLSearchParams(body).get('payload[stripe_customer_id]')!;
      const now = performance.now();
      if ((busyUntil.get(customer) ?? 0) > now) return { status: 429 }; // what Stripe allows for one customer and meter
      if ([...busyUntil.values()].some((until) => until > now)) overlaps += 1;
      busyUntil.set(customer, now + answeredAfterMs - 50);
      return { status: 200, afterMs: answeredAfterMs };
    });
    service = await startTestService({ environment: { STRIPE_SECRET_KEY: 'sk_test', STRIPE_API_URL: url } });
    const customers = ['cus_1', 'cus_1', 'cus_2'];
    const organizations = await Promise.all(customers.map(() => exhausted()));
    for (const [at, id] of organizations.entries()) {
      await setStripeCustomer(service.database, id, customers[at]!);
      for (let run = 0; run < 6; run += 1) await charge(id);
    }
    await eventually('all are delivered', async () => ((await pending()) === 0 ? true : undefined));
    expect(meter.received).toHaveLength(18); // none is refused and sent again
    expect(overlaps).toBeGreaterThan(0);
    // those whose turn does not come in a round are left to the next one, untried
    expect(await service.database.query('SELECT DISTINCT attempts FROM meter_events')).toEqual([{ attempts: 1 }]);
  });

  it('leaves the events of a customer to the process that is sending others of theirs', async () => {
    const url = await meter.start(() => ({ status: 200 }));
    service = await startTestService({ environment: { STRIPE_SECRET_KEY: 'sk_test_canary', STRIPE_API_URL: url } });
    await using other = await holdRows(
      service.database,
      `SELECT pg_advisory_xact_lock(hashtextextended('metering cus_1', 0))`,
    );
    for (const customer of ['cus_1', 'cus_2', 'cus_1']) {
      const organizationId = await exhausted();
      await setStripeCustomer(service.database, organizationId, customer);
      expect(await charge(organizationId)).toBe('overage');
    }
    const customers = () =>
      meter.received.map(({ body }) => new URLSearchParams(body).get('payload[stripe_customer_id]'));
    await eventually('the other customer’s is delivered', async () => {
      await makeDue();
      return (await pending()) === 2 || undefined;
    });
    expect(customers()).toEqual(['cus_2']);
    await other.release();
    await allDelivered();
    expect(customers()).toEqual(['cus_2', 'cus_1', 'cus_1']);
  });

  it('leaves events of a customer whose turn has not come, when it stops, as if it had not taken them', async () => {
    const url = await meter.start(() => ({ status: 200, afterMs: 500 }));
    service = await startTestService({ environment: { STRIPE_SECRET_KEY: 'sk_test', STRIPE_API_URL: url } });
    const organizationId = await exhausted();
    await setStripeCustomer(service.database, organizationId, 'cus_1');
    const runs = Array.from({ length: 5 }, () => newId());
    await service.database.transaction(async (tx) => {
      const overage = { organizationId, plan: 'growth', now: new Date() } as const;
      for (const runId of runs) await service.app.get(RunBilling).charge(tx, { ...overage, runId });
    });
    await eventually('one is sent', () => Promise.resolve(meter.received.length > 0 || undefined));
    service.app.get(Lifecycle).markDraining();
    await service.app.get(Rounds).onModuleDestroy();
    const events = 'SELECT status, attempts, unsure_since FROM meter_events ORDER BY attempts DESC';
    expect(await service.database.query(events)).toEqual([
      { status: 'delivered', attempts: 1, unsure_since: expect.any(Date) },
      ...runs.slice(1).map(() => ({ status: 'pending', attempts: 0, unsure_since: null })),
    ]);
  });

  it.each([
    ['is returned', (db: Queryable, event: MeterEvent) => returnEvent(db, event)],
    ['ends', (db: Queryable, event: MeterEvent) => noteFailure(db, event, 'connect ECONNREFUSED', true)],
  ])('keeps what is known of an attempt if an earlier one %s only then', async (_how, late) => {
    service = await startTestService({ role: 'api' });
    const { database } = service;
    const organizationId = await exhausted();
    await database.execute(
      `INSERT INTO meter_events (id, organization_id, identifier, occurred_at, next_attempt_at)
       VALUES ($1, $2, $3, now(), now())`,
      [newId(), organizationId, `run_overage:${newId()}`],
    );
    const [earlier] = await takeDueEvents(database, 1);
    await makeDue();
    await takeDueEvents(database, 1);
    const events = 'SELECT attempts, unsure_since, next_attempt_at, last_error FROM meter_events';
    const taken = await database.query(events);
    await late(database, earlier!);
    expect(await database.query(events)).toEqual(taken);
  });

  it('tries an event again after a wait that doubles from 15 seconds to an hour', async () => {
    service = await startTestService({ role: 'api' });
    const { database } = service;
    await database.execute(
      `INSERT INTO meter_events (id, organization_id, identifier, occurred_at, next_attempt_at)
       VALUES ($1, $2, $3, now(), now())`,
      [newId(), await exhausted(), `run_overage:${newId()}`],
    );
    const waits: number[] = [];
    for (const attempts of [0, 1, 7, 8, 1_000]) {
      await database.execute('UPDATE meter_events SET attempts = $1, next_attempt_at = now()', [attempts]);
      expect(await takeDueEvents(database, 1)).toHaveLength(1);
      const [row] = await database.query<{ wait: number }>(
        'SELECT extract(epoch FROM next_attempt_at - clock_timestamp())::float8 AS wait FROM meter_events',
      );
      waits.push(Math.round(row!.wait / 15));
    }
    expect(waits).toEqual([1, 2, 128, 240, 240]);
  });

  it.each([
    [400, 'cannot have arrived', { unsure: false }],
    [408, 'may have arrived', { unsure: true }],
    [429, 'cannot have arrived', { unsure: false }],
    [503, 'may have arrived', { unsure: true }],
  ])('knows that an event that was answered with %i %s', async (status, _what, known) => {
    const url = await meter.start(() => ({ status }));
    service = await startTestService({ environment: { OPENMETER_URL: url, LOG_LEVEL: 'silent' } });
    await charge(await exhausted());
    const noted = () =>
      service.database.query(
        'SELECT unsure_since IS NOT NULL AS unsure FROM meter_events WHERE last_error IS NOT NULL',
      );
    const events = await eventually('it is answered', async () => {
      const found = await noted();
      return found.length > 0 ? found : undefined;
    });
    expect(events).toEqual([known]);
  });

  it('does not follow a redirect: a GET of the new address would be answered with 200 and report nothing', async () => {
    const url = await meter.start((call) =>
      call === 1 ? { status: 301, location: '/api/v1/events' } : { status: 200, body: '[]' },
    );
    service = await startTestService({ environment: { OPENMETER_URL: url, LOG_LEVEL: 'silent' } });
    await charge(await exhausted());
    await eventually('it is answered', async () => {
      const [event] = await service.database.query('SELECT status, last_error FROM meter_events');
      return event?.['last_error'] !== null || event['status'] !== 'pending' || undefined;
    });
    expect(await service.database.query('SELECT status, last_error, unsure_since FROM meter_events')).toEqual([
      { status: 'pending', last_error: 'OpenMeter answered 301: {}', unsure_since: null },
    ]);
    await allDelivered();
    expect(meter.received.map(({ body }) => body)).toEqual([meter.received[0]!.body, meter.received[0]!.body]);
  });

  it('reports a run once it has ended, never before, and never one that was refunded', async () => {
    const url = await meter.start(() => ({ status: 204 }));
    service = await startTestService({ role: 'api', environment: { OPENMETER_URL: url } });
    const tenant = await createTenant(service);
    await useUp(tenant.organizationId);
    const api = new Api(service.url, tenant.workspaceKey);
    await api.upload(tenant.workspaceId, demandCsv(1, 30));
    const start = async () => (await api.post<{ id: string }>('/runs', {})).body.id;
    const [canceled, failed, completed] = [await start(), await start(), await start()];
    await expectNoneTaken();
    const settled = service.database.transaction((tx) => settleUnreported(tx, completed, 'billed'));
    expect(await settled).toBeUndefined();
    expect(await countPendingEvents(service.database)).toEqual([]);

    expect((await api.post(`/runs/${canceled}/cancel`, {})).status).toBe(200);
    const lost = { runId: failed, organizationId: tenant.organizationId };
    const events = { reportRun: () => undefined } as unknown as RunEvents;
    await new RunFailer(service.database, events).fail(lost, 'computation_failed', 'Lost.');
    await service.database.execute(`UPDATE runs SET status = 'completed', finished_at = now() WHERE id = $1`, [
      completed,
    ]);
    await eventually('none is left to deliver', async () => ((await pending()) === 0 ? true : undefined));
    expect(meter.received.map(({ body }) => (JSON.parse(body) as { id: string }).id)).toEqual([
      `run_overage:${completed}`,
    ]);
    expect((await api.get('/usage')).body).toMatchObject({ used: 200, overage: 1 });
    expect(await billingChanges()).toEqual([
      { target_id: canceled, from: 'overage', to: null },
      { target_id: failed, from: 'overage', to: null },
    ]);
  });

  it('does not report a run that fits the quota when it ends because another was refunded', async () => {
    const url = await meter.start(() => ({ status: 204 }));
    service = await startTestService({ role: 'api', environment: { OPENMETER_URL: url } });
    const tenant = await createTenant(service);
    await useUp(tenant.organizationId);
    await service.database.execute('UPDATE usage_counters SET used = 199');
    const { id: other } = await createOrganization(service.database);
    await service.database.execute(
      `INSERT INTO usage_counters (organization_id, month, used, overage)
       SELECT $1, month, 7, 3 FROM usage_counters`,
      [other],
    );
    const api = new Api(service.url, tenant.workspaceKey);
    await api.upload(tenant.workspaceId, demandCsv(1, 30));
    const start = async () => (await api.post<{ id: string; billed: string }>('/runs', {})).body;
    const [within, ...beyond] = [await start(), await start(), await start()];
    expect([within.billed, ...beyond.map(({ billed }) => billed)]).toEqual(['quota', 'overage', 'overage']);

    expect((await api.post(`/runs/${within.id}/cancel`, {})).status).toBe(200);
    await service.database.execute(
      `UPDATE runs SET status = 'completed', finished_at = now() WHERE finished_at IS NULL`,
    );
    await eventually('none is left to deliver', async () => ((await pending()) === 0 ? true : undefined));
    expect(meter.received).toHaveLength(1);
    expect((await api.get('/usage')).body).toMatchObject({ used: 200, overage: 1 });
    const ofOther = 'SELECT used, overage FROM usage_counters WHERE organization_id = $1';
    expect(await service.database.query(ofOther, [other])).toEqual([{ used: 7, overage: 3 }]);
    const billed = await Promise.all(
      beyond.map(async ({ id }) => (await api.get<{ billed: string }>(`/runs/${id}`)).body.billed),
    );
    expect(billed.sort()).toEqual(['overage', 'quota']);
    const [reported] = meter.received.map(({ body }) => (JSON.parse(body) as { id: string }).id.slice(-36));
    expect((await api.get(`/runs/${reported}`)).body).toMatchObject({ billed: 'overage' });
    const moved = beyond.find(({ id }) => id !== reported)!;
    expect(await billingChanges()).toEqual([
      { target_id: within.id, from: 'quota', to: null },
      { target_id: moved.id, from: 'overage', to: 'quota' },
    ]);
  });

  it('reports a run by the quota of its own month, whatever plan the next month begins with', async () => {
    const url = await meter.start(() => ({ status: 204 }));
    service = await startTestService({ role: 'api', environment: { OPENMETER_URL: url } });
    const { organizationId } = await createTenant(service);
    const october = new Date('2026-10-31T23:59:59Z');
    await service.database.execute(
      `INSERT INTO usage_counters (organization_id, month, used) VALUES ($1, '2026-10-01', 200)`,
      [organizationId],
    );
    await service.database.transaction(async (tx) => {
      const charge = { organizationId, plan: 'growth' as const, runId: newId(), now: october };
      expect(await service.app.get(RunBilling).charge(tx, charge)).toBe('overage');
      const change = {
        organizationId,
        to: 'scale',
        actor: COMMAND_LINE,
        now: new Date('2026-11-01T00:00:00Z'),
      } as const;
      await changePlan(tx, service.app.get(OrganizationMails), change);
    });
    await eventually('none is left to deliver', async () => ((await pending()) === 0 ? true : undefined));
    expect(meter.received).toHaveLength(1);
    expect(await billingChanges()).toEqual([]);
  });

  it('reports only the runs of a deleted workspace that a worker had claimed', async () => {
    const url = await meter.start(() => ({ status: 204 }));
    service = await startTestService({ role: 'api', environment: { OPENMETER_URL: url } });
    const tenant = await createTenant(service);
    await useUp(tenant.organizationId);
    const api = new Api(service.url, tenant.organizationKey);
    await api.upload(tenant.workspaceId, demandCsv(1, 30));
    const start = async (workspaceId = tenant.workspaceId) =>
      (await api.post<{ id: string }>('/runs', { workspace_id: workspaceId })).body.id;
    const [running] = [await start(), await start()];
    const other = await createWorkspace(service.database, tenant.organizationId);
    await api.upload(other.id, demandCsv(1, 30));
    const ofOther = await start(other.id);
    await service.database.execute(`UPDATE runs SET status = 'running', started_at = now() WHERE id = $1`, [running]);

    const { token } = await createMember(service.database, tenant.organizationId, 'owner');
    const owner = new AppClient(service.url, token);
    expect((await owner.delete(`/orgs/${tenant.organizationId}/workspaces/${tenant.workspaceId}`)).status).toBe(204);
    expect((await api.get(`/runs/${ofOther}`)).body).toMatchObject({ status: 'queued' });
    expect((await api.post(`/runs/${ofOther}/cancel`, {})).status).toBe(200);
    expect((await api.get('/usage')).body).toMatchObject({ used: 200, overage: 1 });
    await eventually('none is left to deliver', async () => ((await pending()) === 0 ? true : undefined));
    expect(meter.received.map(({ body }) => (JSON.parse(body) as { id: string }).id)).toEqual([
      `run_overage:${running}`,
    ]);
  });

  it('gives up an event too old for Stripe, and keeps it with the reason', async () => {
    const url = await meter.start(() => ({
      status: 400,
      body: '{"error":{"message":"timestamp too far in the past"}}',
    }));
    const environment = { STRIPE_SECRET_KEY: 'sk_test', STRIPE_API_URL: url, LOG_LEVEL: 'silent' };
    service = await startTestService({ environment });
    const organizationId = await exhausted();
    await setStripeCustomer(service.database, organizationId, 'cus_1');
    const perhapsArrived = [33, 37];
    for (const days of [34, 36, ...perhapsArrived]) {
      await service.database.execute(
        `INSERT INTO meter_events (id, organization_id, identifier, occurred_at, next_attempt_at, last_error, unsure_since)
         VALUES ($1, $2, $3, now() - make_interval(days => $4), now(), 'it was away', CASE WHEN $5 THEN now() END)`,
        [newId(), organizationId, `run_overage:${newId()}`, days, perhapsArrived.includes(days)],
      );
    }
    const states = () =>
      service.database.query(
        'SELECT status, attempts, left(last_error, 60) AS last_error FROM meter_events ORDER BY occurred_at',
      );
    await eventually('all are tried', async () => (await states()).every((row) => row['attempts'] === 1) || undefined);
    await eventually('two are refused', () => Promise.resolve(meter.received.length === 2 || undefined));
    await eventually(
      'both are recorded',
      async () => (await states()).at(-1)!['last_error'] !== 'it was away' || undefined,
    );
    // room in the quota comes too late for what may have arrived
    await service.database.execute(
      `INSERT INTO usage_counters (organization_id, month, overage)
       SELECT DISTINCT $1::uuid, date_trunc('month', occurred_at AT TIME ZONE 'UTC')::date, 4 FROM meter_events`,
      [organizationId],
    );
    await service.database.execute('UPDATE meter_events SET next_attempt_at = now()');
    await eventually('one is refused again', () => Promise.resolve(meter.received.length === 3 || undefined));
    expect(await states()).toEqual([
      { status: 'unsure', attempts: 1, last_error: 'older than the 35 days that the metering service accepts; be' },
      { status: 'expired', attempts: 1, last_error: 'older than the 35 days that the metering service accepts; be' },
      { status: 'canceled', attempts: 2, last_error: expect.stringContaining('Stripe answered 400') },
      { status: 'pending', attempts: 2, last_error: expect.stringContaining('Stripe answered 400') },
    ]);
  });

  it('does not resend an event that may have arrived before Stripe’s deduplication window', async () => {
    const lost: Record<string, ReturnType<Parameters<FakeMeter['start']>[0]>> = {
      hung: 'hang up', // it may have arrived
      both: 'hang up', // it may have arrived, and is refused when it is sent again
      refused: { status: 429 },
      late: { status: 503 }, // it may have arrived
      away: { status: 503 }, // nobody is there when it is sent
    };
    const runs = Object.fromEntries(Object.keys(lost).map((name) => [name, newId()]));
    const nameOf = (body: string) => Object.keys(runs).find((name) => body.includes(runs[name]!))!;
    let works = false;
    const url = await meter.start((_call, body) => (works ? { status: 200 } : lost[nameOf(body)]!));
    const environment = { STRIPE_SECRET_KEY: 'sk_test', STRIPE_API_URL: url, LOG_LEVEL: 'silent' };
    service = await startTestService({ environment });
    const organizationId = await exhausted();
    await setStripeCustomer(service.database, organizationId, 'cus_1');
    for (const name of ['hung', 'both', 'refused', 'late']) await charge(organizationId, runs[name]);
    const states = async () => {
      const rows = await service.database.query<{ identifier: string; status: string; noted: string | null }>(
        'SELECT identifier, status, last_error AS noted FROM meter_events',
      );
      return Object.fromEntries(rows.map(({ identifier, ...state }) => [nameOf(identifier), state]));
    };
    const passes = (hours: number, name: string) =>
      service.database.execute(
        `UPDATE meter_events SET unsure_since = unsure_since - make_interval(hours => $1),
           occurred_at = occurred_at - make_interval(hours => $1), next_attempt_at = now()
         WHERE right(identifier, 36) = $2`,
        [hours, runs[name]],
      );
    await eventually('each was tried', async () =>
      Object.values(await states()).every(({ noted }) => noted) ? true : undefined,
    );
    lost['both'] = { status: 429 };
    await passes(0, 'both');
    await eventually('it is refused', async () =>
      (await states())['both']?.noted?.includes('429') ? true : undefined,
    );
    await meter.stop();
    await charge(organizationId, runs['away']);
    await eventually('no server is reached', async () => ((await states())['away']?.noted ? true : undefined));
    expect((await states())['away']!.noted).toMatch(/^connect ECONNREFUSED 127\.0\.0\.1:\d+$/);
    await meter.start((_call, body) => (works ? { status: 200 } : lost[nameOf(body)]!), Number(new URL(url).port));

    works = true;
    const before = meter.received.length;
    await passes(24, 'hung');
    await passes(24, 'both');
    await passes(24, 'refused');
    await passes(22, 'late');
    await passes(24, 'away');
    await eventually('all are settled', async () => ((await pending()) === 0 ? true : undefined));
    expect(await states()).toMatchObject({
      hung: { status: 'unsure' },
      both: { status: 'unsure' },
      refused: { status: 'delivered' },
      late: { status: 'delivered' },
      away: { status: 'delivered' },
    });
    const sent = meter.received.slice(before).map(({ body }) => nameOf(body));
    expect(sent.sort()).toEqual(['away', 'late', 'refused']);

    const settle = (as: Settlement) => service.database.transaction((tx) => settleUnreported(tx, runs['hung']!, as));
    expect(await settle('lost')).toEqual({ organization_id: organizationId, status: 'unsure' });
    await eventually('it is sent again', async () => ((await pending()) === 0 ? true : undefined));
    expect(nameOf(meter.received.at(-1)!.body)).toBe('hung');
    expect(await settle('billed')).toBeUndefined(); // it is
  });

  it('knows that an event did not arrive if no secure connection was made', async () => {
    const url = await meter.start(() => ({ status: 200 })); // over http, so that the handshake fails
    const environment = { OPENMETER_URL: url.replace('http:', 'https:'), LOG_LEVEL: 'silent' };
    service = await startTestService({ environment });
    await charge(await exhausted());
    const [event] = await eventually('it was tried', async () => {
      const events = await service.database.query('SELECT status, last_error, unsure_since FROM meter_events');
      return events[0]?.['last_error'] === null ? undefined : events;
    });
    expect(event).toEqual({
      status: 'pending',
      last_error: expect.stringContaining('wrong version number'),
      unsure_since: null,
    });
    expect(meter.received).toEqual([]);
  });

  it('reports no overage for an organization unknown to Stripe or without a metering service', async () => {
    const url = await meter.start(() => ({ status: 200 }));
    service = await startTestService({ environment: { STRIPE_SECRET_KEY: 'sk_test', STRIPE_API_URL: url } });
    await expect(charge(await exhausted())).rejects.toThrow('quota_exceeded');
    await service.close();
    service = await startTestService();
    await expect(charge(await exhausted())).rejects.toThrow('quota_exceeded');
  });
});
