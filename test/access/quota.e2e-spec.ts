import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Problem } from '../../src/platform/http/problem.js';
import { newId } from '../../src/platform/ids.js';
import { RunBilling } from '../../src/usage/index.js';
import { takeDueEvents } from '../../src/usage/metering/meter-events.queries.js';
import { OpenMeterReporter } from '../../src/usage/metering/openmeter-reporter.js';
import { QuotaNotices } from '../../src/usage/quota-notices.js';
import { type RunCharge, refundRuns } from '../../src/usage/quota.js';
import { countWithinQuota } from '../../src/usage/usage.queries.js';
import { createOrganization } from '../support/builders.js';
import { startTestService, type TestService } from '../support/test-service.js';

const NOVEMBER = new Date('2026-11-30T23:59:59.999Z');
const DECEMBER = new Date('2026-12-01T00:00:00.000Z');

describe('the run quota', () => {
  let service: TestService;
  /** Of an installation without a metering service. */
  let billing: RunBilling;
  /** Of one whose metering service takes the runs of any organization. */
  let meteredBilling: RunBilling;
  beforeAll(async () => {
    service = await startTestService();
    billing = service.app.get(RunBilling);
    const meter = new OpenMeterReporter({ url: 'http://127.0.0.1', apiKey: undefined, eventType: 'run_overage' });
    meteredBilling = new RunBilling(meter, service.app.get(QuotaNotices));
  });
  afterAll(() => service.close());

  const chargeTo = (by: RunBilling, run: Pick<RunCharge, 'organizationId' | 'now'> & Partial<RunCharge>) =>
    service.database.transaction((tx) => by.charge(tx, { plan: 'growth', runId: newId(), ...run }));
  const charge = (organizationId: string, now: Date) => chargeTo(billing, { organizationId, now });
  const chargeMetered = (organizationId: string, runId = newId()) =>
    chargeTo(meteredBilling, { organizationId, now: NOVEMBER, runId });
  const setUsed = (organizationId: string, used: number) =>
    service.database.execute(
      `INSERT INTO usage_counters (organization_id, month, used) VALUES ($1, '2026-11-01', $2)`,
      [organizationId, used],
    );
  const usage = (organizationId: string, now: Date) =>
    billing.usage(service.database, { organizationId, plan: 'growth', now });

  it('accepts exactly the remaining runs of 200 concurrent starts', async () => {
    const { id } = await createOrganization(service.database);
    await setUsed(id, 193);
    const results = await Promise.allSettled(Array.from({ length: 200 }, () => charge(id, NOVEMBER)));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(7);
    const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Problem] : []));
    expect(new Set(refusals.map((problem) => `${problem.status} ${problem.code}`))).toEqual(
      new Set(['402 quota_exceeded']),
    );
    expect(refusals[0]?.detail).toBe(
      'All 200 monthly runs of the plan growth are used. They are renewed on 1 December 2026 (UTC).',
    );
    expect(refusals[0]?.options.members).toEqual({ quota: 200, used: 200, resets_at: '2026-12-01T00:00:00.000Z' });
    expect(await usage(id, NOVEMBER)).toMatchObject({ quota: 200, used: 200, overage: 0 });
  });

  it('accepts exactly as many overage runs of 50 concurrent starts as the organization allows', async () => {
    const { id } = await createOrganization(service.database);
    await setUsed(id, 200);
    const allow = (limit: number | null) =>
      service.database.execute('UPDATE organizations SET overage_limit = $2 WHERE id = $1', [id, limit]);
    await allow(3);
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => chargeMetered(id)));
    expect(results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))).toEqual(
      Array.from({ length: 3 }, () => 'overage'),
    );
    const refusal = results.find((result) => result.status === 'rejected')!.reason as Problem;
    expect(refusal).toMatchObject({ status: 402, code: 'quota_exceeded' });
    expect(refusal.detail).toContain('The 3 billed runs that the organization allows beyond the quota');

    await allow(4);
    expect(await chargeMetered(id)).toBe('overage');
    await allow(0);
    await expect(chargeMetered(id)).rejects.toThrow('does not allow billed runs beyond the quota');
    await allow(2);
    await expect(chargeMetered(id)).rejects.toThrow('quota_exceeded');
    await allow(null);
    expect(await chargeMetered(id)).toBe('overage');
    expect(await usage(id, NOVEMBER)).toMatchObject({ used: 200, overage: 5 });
  });

  it('accepts no overage run when the organization allows none', async () => {
    const { id } = await createOrganization(service.database);
    await setUsed(id, 200);
    await service.database.execute('UPDATE organizations SET overage_limit = 0 WHERE id = $1', [id]);
    await expect(chargeMetered(id)).rejects.toThrow('quota_exceeded');
    expect(await usage(id, NOVEMBER)).toMatchObject({ used: 200, overage: 0, overage_limit: 0 });
    const events = service.database.query('SELECT FROM meter_events WHERE organization_id = $1', [id]);
    expect(await events).toEqual([]);
  });

  it('counts by calendar month in UTC', async () => {
    const { id } = await createOrganization(service.database);
    await setUsed(id, 200);
    await expect(charge(id, NOVEMBER)).rejects.toThrow('quota_exceeded');
    expect(await charge(id, DECEMBER)).toBe('quota');
    expect(await usage(id, DECEMBER)).toMatchObject({
      month: '2026-12-01',
      used: 1,
      resets_at: '2027-01-01T00:00:00.000Z',
    });
  });

  it('accepts nothing when the plan includes no runs', async () => {
    const { id } = await createOrganization(service.database);
    const counted = service.database.transaction((tx) => countWithinQuota(tx, id, '2026-11-01', 0));
    expect(await counted).toBe(false);
    expect((await usage(id, NOVEMBER)).used).toBe(0);
  });

  it('counts nothing for an organization deleted since its caller was admitted', async () => {
    expect(await usage(newId(), NOVEMBER)).toMatchObject({ quota: 200, used: 0, overage: 0, overage_limit: null });
  });

  it('counts nothing when the transaction is rolled back', async () => {
    const { id } = await createOrganization(service.database);
    const failing = service.database.transaction(async (tx) => {
      await billing.charge(tx, { organizationId: id, plan: 'growth', runId: newId(), now: NOVEMBER });
      throw new Error('the run could not be stored');
    });
    await expect(failing).rejects.toThrow('could not be stored');
    expect((await usage(id, NOVEMBER)).used).toBe(0);
  });

  it('refunds a run only to the month and organization charged, and no more than was charged', async () => {
    const { id } = await createOrganization(service.database);
    const { id: other } = await createOrganization(service.database);
    const used = async (of = id) => [(await usage(of, NOVEMBER)).used, (await usage(of, DECEMBER)).used];
    for (const month of [NOVEMBER, DECEMBER]) await charge(other, month);
    const refund = (chargedAt: Date) =>
      service.database.transaction((tx) =>
        refundRuns(tx, [{ organizationId: id, runId: newId(), billed: 'quota', chargedAt, endedAt: new Date() }]),
      );
    for (const month of [NOVEMBER, NOVEMBER, NOVEMBER, DECEMBER, DECEMBER]) await charge(id, month);
    await refund(NOVEMBER);
    expect(await used()).toEqual([2, 2]);
    await refund(DECEMBER);
    expect(await used()).toEqual([2, 1]);
    for (const month of [DECEMBER, DECEMBER]) await refund(month);
    expect(await used()).toEqual([2, 0]);
    expect(await used(other)).toEqual([1, 1]);
  });

  it('creates one meter event per overage run, and withdraws an undelivered one when its run is refunded', async () => {
    const { id } = await createOrganization(service.database);
    const { id: other } = await createOrganization(service.database);
    for (const organizationId of [id, other]) await setUsed(organizationId, 200);
    await chargeMetered(other);
    await service.database.execute(
      `INSERT INTO usage_counters (organization_id, month, used, overage) VALUES ($1, '2026-12-01', 200, 7)`,
      [id],
    );
    const runId = newId();
    expect(await chargeMetered(id, runId)).toBe('overage');
    expect(await chargeMetered(id)).toBe('overage');
    const events = () =>
      service.database.query<{ identifier: string; status: string }>(
        'SELECT identifier, status FROM meter_events WHERE organization_id = $1 ORDER BY id',
        [id],
      );
    expect((await events())[0]).toEqual({ identifier: `run_overage:${runId}`, status: 'pending' });
    expect(await usage(id, NOVEMBER)).toMatchObject({ used: 200, overage: 2 });
    const refund = (organizationId: string) =>
      service.database.transaction((tx) =>
        refundRuns(tx, [{ organizationId, runId, billed: 'overage', chargedAt: NOVEMBER, endedAt: DECEMBER }]),
      );
    await refund(other); // which has not started it
    expect((await events()).map((event) => event.status)).toEqual(['pending', 'pending']);
    await refund(id);
    expect((await events()).map((event) => event.status)).toEqual(['canceled', 'pending']);
    expect([(await usage(id, NOVEMBER)).overage, (await usage(other, NOVEMBER)).overage]).toEqual([1, 1]);
    expect((await usage(id, DECEMBER)).overage).toBe(7);
  });

  it('keeps overage counted once its meter event is delivered', async () => {
    const { id } = await createOrganization(service.database);
    await setUsed(id, 200);
    const runId = newId();
    await chargeMetered(id, runId);
    await service.database.execute(
      `UPDATE meter_events SET status = 'delivered', delivered_at = now() WHERE organization_id = $1`,
      [id],
    );
    await service.database.transaction((tx) =>
      refundRuns(tx, [{ organizationId: id, runId, billed: 'overage', chargedAt: NOVEMBER, endedAt: DECEMBER }]),
    );
    const [event] = await service.database.query<{ status: string }>(
      'SELECT status FROM meter_events WHERE organization_id = $1',
      [id],
    );
    expect(event?.status).toBe('delivered');
    expect((await usage(id, NOVEMBER)).overage).toBe(1);
    const changes = `SELECT id FROM audit_events WHERE organization_id = $1 AND action = 'run.billing_changed'`;
    expect(await service.database.query(changes, [id])).toEqual([]);
  });

  it('hands each meter event to one of many concurrent callers', async () => {
    await service.database.execute('DELETE FROM meter_events');
    const { id } = await createOrganization(service.database);
    await setUsed(id, 200);
    const runs = Array.from({ length: 20 }, () => newId());
    for (const runId of runs) await chargeMetered(id, runId);
    const taken = await Promise.all(runs.map(() => takeDueEvents(service.database, 1)));
    expect(taken.map((events) => events.map(({ runId }) => runId)).sort()).toEqual(runs.map((runId) => [runId]).sort());
    expect(await takeDueEvents(service.database, 1)).toEqual([]);
  });

  it('has no overage on plans without it, with or without metering', async () => {
    const { id } = await createOrganization(service.database, { plan: 'starter' });
    await setUsed(id, 50);
    const start = chargeTo(meteredBilling, { organizationId: id, plan: 'starter', now: NOVEMBER });
    await expect(start).rejects.toThrow('quota_exceeded');
  });
});
