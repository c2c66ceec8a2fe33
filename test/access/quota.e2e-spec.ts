import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Problem } from '../../src/platform/http/problem.js';
import { newId } from '../../src/platform/ids.js';
import { chargeRun, readUsage, refundRuns } from '../../src/usage/quota.js';
import { takeDueEvents } from '../../src/usage/metering/meter-events.queries.js';
import { countWithinQuota } from '../../src/usage/usage.queries.js';
import { createOrganization } from '../support/builders.js';
import { startTestService, type TestService } from '../support/test-service.js';

const NOVEMBER = new Date('2026-11-30T23:59:59.999Z');
const DECEMBER = new Date('2026-12-01T00:00:00.000Z');

describe('the run quota', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  const charge = (organizationId: string, now: Date, metering = false, runId = newId()) =>
    service.database.transaction((tx) =>
      chargeRun(tx, { organizationId, plan: 'growth', runId, now }, () => Promise.resolve(metering)),
    );
  const setUsed = (organizationId: string, used: number) =>
    service.database.execute(
      `INSERT INTO usage_counters (organization_id, month, used) VALUES ($1, '2026-11-01', $2)`,
      [organizationId, used],
    );
  const usage = (organizationId: string, now: Date) =>
    readUsage(service.database, { organizationId, plan: 'growth', now }, () => Promise.resolve(false));

  it('accepts exactly what is left of it from 200 starts at once', async () => {
    const { id } = await createOrganization(service.database);
    await setUsed(id, 193);
    const results = await Promise.allSettled(Array.from({ length: 200 }, () => charge(id, NOVEMBER)));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(7);
    const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Problem] : []));
    expect(new Set(refusals.map((problem) => `${problem.status} ${problem.code}`))).toEqual(
      new Set(['402 quota_exceeded']),
    );
    expect(refusals[0]?.options.members).toEqual({ quota: 200, used: 200, resets_at: '2026-12-01T00:00:00.000Z' });
    expect(await usage(id, NOVEMBER)).toMatchObject({ quota: 200, used: 200, overage: 0 });
  });

  it('accepts exactly as many runs beyond it as the organization allows, from 50 starts at once', async () => {
    const { id } = await createOrganization(service.database);
    await setUsed(id, 200);
    const allow = (limit: number | null) =>
      service.database.execute('UPDATE organizations SET overage_limit = $2 WHERE id = $1', [id, limit]);
    await allow(3);
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => charge(id, NOVEMBER, true)));
    expect(results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))).toEqual(
      Array.from({ length: 3 }, () => 'overage'),
    );
    const refusal = results.find((result) => result.status === 'rejected')!.reason as Problem;
    expect(refusal).toMatchObject({ status: 402, code: 'quota_exceeded' });
    expect(refusal.detail).toContain('So are the 3 beyond them');

    await allow(4);
    expect(await charge(id, NOVEMBER, true)).toBe('overage');
    await allow(0);
    await expect(charge(id, NOVEMBER, true)).rejects.toThrow('allows none beyond them');
    await allow(2);
    await expect(charge(id, NOVEMBER, true)).rejects.toThrow('quota_exceeded');
    await allow(null);
    expect(await charge(id, NOVEMBER, true)).toBe('overage');
    expect(await usage(id, NOVEMBER)).toMatchObject({ used: 200, overage: 5 });
  });

  it('accepts no first run beyond it where the organization allows none', async () => {
    const { id } = await createOrganization(service.database);
    await setUsed(id, 200);
    await service.database.execute('UPDATE organizations SET overage_limit = 0 WHERE id = $1', [id]);
    await expect(charge(id, NOVEMBER, true)).rejects.toThrow('quota_exceeded');
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

  it('accepts nothing where a plan has no runs', async () => {
    const { id } = await createOrganization(service.database);
    const counted = service.database.transaction((tx) => countWithinQuota(tx, id, '2026-11-01', 0));
    expect(await counted).toBe(false);
    expect((await usage(id, NOVEMBER)).used).toBe(0);
  });

  it('takes nothing when the transaction is rolled back', async () => {
    const { id } = await createOrganization(service.database);
    const failing = service.database.transaction(async (tx) => {
      await chargeRun(tx, { organizationId: id, plan: 'growth', runId: newId(), now: NOVEMBER }, () =>
        Promise.resolve(false),
      );
      throw new Error('the run could not be stored');
    });
    await expect(failing).rejects.toThrow('could not be stored');
    expect((await usage(id, NOVEMBER)).used).toBe(0);
  });

  it('gives a run back to the month and the organization that were charged alone, and no more than was charged', async () => {
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

  it('counts overage with one meter event a run, and takes an undelivered one back from its organization', async () => {
    const { id } = await createOrganization(service.database);
    const { id: other } = await createOrganization(service.database);
    for (const organizationId of [id, other]) await setUsed(organizationId, 200);
    await charge(other, NOVEMBER, true);
    const runId = newId();
    expect(await charge(id, NOVEMBER, true, runId)).toBe('overage');
    expect(await charge(id, NOVEMBER, true)).toBe('overage');
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
  });

  it('keeps overage counted whose meter event has been delivered', async () => {
    const { id } = await createOrganization(service.database);
    await setUsed(id, 200);
    const runId = newId();
    await charge(id, NOVEMBER, true, runId);
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
    const told = `SELECT id FROM audit_events WHERE organization_id = $1 AND action = 'run.billing_changed'`;
    expect(await service.database.query(told, [id])).toEqual([]);
  });

  it('hands each meter event to one of many that ask at once', async () => {
    await service.database.execute('DELETE FROM meter_events');
    const { id } = await createOrganization(service.database);
    await setUsed(id, 200);
    const runs = Array.from({ length: 20 }, () => newId());
    for (const runId of runs) await charge(id, NOVEMBER, true, runId);
    const taken = await Promise.all(runs.map(() => takeDueEvents(service.database, 1)));
    expect(taken.map((events) => events.map(({ runId }) => runId)).sort()).toEqual(runs.map((runId) => [runId]).sort());
    expect(await takeDueEvents(service.database, 1)).toEqual([]);
  });

  it('knows no overage on plans without it, metering or not', async () => {
    const { id } = await createOrganization(service.database, { plan: 'starter' });
    await setUsed(id, 50);
    const start = service.database.transaction((tx) =>
      chargeRun(tx, { organizationId: id, plan: 'starter', runId: newId(), now: NOVEMBER }, () =>
        Promise.resolve(true),
      ),
    );
    await expect(start).rejects.toThrow('quota_exceeded');
  });
});
