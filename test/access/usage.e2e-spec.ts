import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PlanName, PLANS } from '../../config/plans.js';
import { newId } from '../../src/platform/ids.js';
import { MailOutbox } from '../../src/platform/mail/mail-outbox.js';
import { RunBilling } from '../../src/usage/index.js';
import { setStripeCustomer } from '../../src/usage/metering/meter-events.queries.js';
import { refundRuns } from '../../src/usage/quota.js';
import type { OrganizationUsageBody } from '../../src/usage/usage.dto.js';
import { Api, demandCsv } from '../support/api.js';
import { AppClient } from '../support/app-client.js';
import { createMember, createTenant, createWorkspace } from '../support/builders.js';
import { speedUpRounds } from '../support/time/fast-rounds.js';
import { MailServer } from '../support/mail/mail-server.js';
import { startMailedService } from '../support/mail/mailed-service.js';
import { moveToPlan } from '../support/move-to-plan.js';
import { startTestService, type TestService } from '../support/test-service.js';

describe('plan usage', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ environment: { STRIPE_SECRET_KEY: 'sk_test' } });
  });
  afterAll(() => service.close());

  async function tenant(plan: PlanName = 'growth') {
    const made = await createTenant(service, { plan });
    const as = async (role: 'viewer' | 'member' | 'admin') =>
      new AppClient(service.url, (await createMember(service.database, made.organizationId, role)).token);
    return { ...made, as, api: new Api(service.url, made.workspaceKey) };
  }
  const setRuns = (organizationId: string, used: number, overage = 0) =>
    service.database.execute(
      `INSERT INTO usage_counters (organization_id, month, used, overage)
       VALUES ($1, date_trunc('month', now() AT TIME ZONE 'UTC'), $2, $3)`,
      [organizationId, used, overage],
    );

  it('shows keys whether runs beyond the quota are billed or refused', async () => {
    const { organizationId, api } = await tenant();
    expect((await api.get('/usage')).body).toMatchObject({ plan: 'growth', quota: 200, overage_enabled: false });
    await setStripeCustomer(service.database, organizationId, 'cus_1');
    expect((await api.get('/usage')).body).toMatchObject({ overage_enabled: true });
  });

  it('shows the limit of billed runs, and refuses runs beyond it', async () => {
    const { organizationId, workspaceId, as, api } = await tenant();
    await setStripeCustomer(service.database, organizationId, 'cus_1');
    await api.upload(workspaceId, demandCsv(1, 30));
    await setRuns(organizationId, 200, 1);
    const admin = await as('admin');
    const limitTo = (overage_limit: number | null) => admin.patch(`/orgs/${organizationId}`, { overage_limit });
    expect((await api.get('/usage')).body).toMatchObject({ overage_enabled: true, overage_limit: null });
    await limitTo(2);
    expect((await api.get('/usage')).body).toMatchObject({ overage: 1, overage_enabled: true, overage_limit: 2 });
    expect((await api.post('/runs', {})).body).toMatchObject({ billed: 'overage' });
    expect((await api.get('/usage')).body).toMatchObject({ overage: 2, overage_enabled: false, overage_limit: 2 });
    expect(await api.post('/runs', {})).toMatchObject({
      status: 402,
      body: {
        code: 'quota_exceeded',
        detail: expect.stringContaining(
          'The 2 billed runs that the organization allows beyond the quota (overage_limit) are used as well.',
        ),
      },
    });
    await limitTo(null);
    expect((await api.post('/runs', {})).body).toMatchObject({ billed: 'overage' });
  });

  it('bills no overage on a plan that has none', async () => {
    const { organizationId, workspaceId, as } = await tenant('starter');
    await setStripeCustomer(service.database, organizationId, 'cus_1');
    const viewer = await as('viewer');
    expect((await viewer.get(`/workspaces/${workspaceId}/usage`)).body).toMatchObject({
      plan: 'starter',
      overage_enabled: false,
    });
  });

  it('shows admins the runs of a past month', async () => {
    const { organizationId, as } = await tenant();
    const admin = await as('admin');
    await setRuns(organizationId, 17);
    await service.database.execute(
      `INSERT INTO usage_counters (organization_id, month, used, overage) VALUES ($1, '2026-02-01', 200, 9)`,
      [organizationId],
    );
    const usage = (month: string) => admin.get(`/orgs/${organizationId}/usage?month=${month}`);
    for (const month of ['2026-02', '2026-02-01'])
      expect((await usage(month)).body).toMatchObject({
        month: '2026-02-01',
        used: 200,
        overage: 9,
        resets_at: '2026-03-01T00:00:00.000Z',
        limits: { monthly_runs: { limit: 200, used: 200 } },
      });
    expect((await usage('2025-12')).body).toMatchObject({ month: '2025-12-01', used: 0, overage: 0 });
    const now = new Date().toISOString().slice(0, 7);
    expect((await usage(now)).body).toEqual((await admin.get(`/orgs/${organizationId}/usage`)).body);
    for (const month of ['2026-2', '9999-12'])
      expect((await usage(month)).body).toMatchObject({ status: 400, errors: [{ param: 'month' }] });
  });

  it('shows the quota in force at the end of a month, however often the plan has changed since', async () => {
    const { organizationId, as } = await tenant('starter');
    const admin = await as('admin');
    const moveTo = (to: PlanName, at: string) => moveToPlan(service, organizationId, to, new Date(at));
    await moveTo('growth', '2026-02-28T23:59:59.999Z');
    await moveTo('scale', '2026-03-01T00:00:00Z');
    await moveTo('growth', '2026-03-15T00:00:00Z');
    await moveTo('enterprise', '2026-05-01T00:00:00Z');
    const limitsIn = async (query: string) => {
      const { plan, quota, limits } = (await admin.get<OrganizationUsageBody>(`/orgs/${organizationId}/usage${query}`))
        .body;
      return [plan, quota, limits.monthly_runs.limit, limits.workspaces.limit];
    };
    expect(await limitsIn('?month=2026-01')).toEqual(['starter', 50, 50, 200]);
    expect(await limitsIn('?month=2026-02')).toEqual(['growth', 200, 200, 200]);
    expect(await limitsIn('?month=2026-03')).toEqual(['growth', 200, 200, 200]);
    expect(await limitsIn('?month=2026-05')).toEqual(['enterprise', 10_000, 10_000, 200]);
    expect(await limitsIn('')).toEqual(['enterprise', 10_000, 10_000, 200]);
  });

  it('shows members the same as keys, on every plan', async () => {
    const { organizationId, workspaceId, as, api } = await tenant();
    await setRuns(organizationId, 17, 3);
    const { status, body } = await (await as('viewer')).get(`/workspaces/${workspaceId}/usage`);
    expect(status).toBe(200);
    expect(body).toEqual((await api.get('/usage')).body);
    expect(body).toMatchObject({ quota: 200, used: 17, overage: 3 });
    const free = await tenant('free');
    expect((await (await free.as('member')).get(`/workspaces/${free.workspaceId}/usage`)).status).toBe(200);
    expect((await free.api.get('/usage')).status).toBe(403);
  });

  it('shows admins the usage of each plan limit across all workspaces', async () => {
    const { organizationId, as } = await tenant();
    const admin = await as('admin');
    const member = await as('member');
    await createWorkspace(service.database, organizationId);
    await setRuns(organizationId, 17);
    await service.database.execute(
      `INSERT INTO invitations (id, organization_id, email, role, token_hash, invited_by, created_at, expires_at)
       VALUES ($1, $2, 'guest@example.com', 'viewer', uuid_send($1::uuid), $1, now(), now() + interval '1 day')`,
      [newId(), organizationId],
    );
    await service.database.execute(
      `UPDATE api_keys SET revoked_at = now() WHERE organization_id = $1 AND workspace_id IS NULL`,
      [organizationId],
    );
    expect((await admin.get(`/orgs/${organizationId}/usage`)).body).toMatchObject({
      plan: 'growth',
      used: 17,
      overage_enabled: false,
      limits: {
        monthly_runs: { limit: 200, used: 17 },
        workspaces: { limit: 5, used: 2 },
        members: { limit: 15, used: 3 },
        api_keys: { limit: 5, used: 1 },
      },
    });
    expect((await member.get(`/orgs/${organizationId}/usage`)).body).toMatchObject({ code: 'role_required' });
  });
});

describe('usage without a metering service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  it('bills nobody, customer or not', async () => {
    const { organizationId, organizationKey } = await createTenant(service);
    await setStripeCustomer(service.database, organizationId, 'cus_1');
    const { body } = await new Api(service.url, organizationKey).get('/usage');
    expect(body).toMatchObject({ overage_enabled: false });
  });
});

describe('quota notices', () => {
  speedUpRounds(MailOutbox);
  const mails = new MailServer();
  let service: TestService;
  beforeAll(async () => {
    service = await startMailedService(mails, { environment: { STRIPE_SECRET_KEY: 'sk_test' } });
  });
  afterAll(() => service.close());

  const useUp = (organizationId: string, but: number) =>
    service.database.execute(
      `INSERT INTO usage_counters (organization_id, month, used)
       VALUES ($1, date_trunc('month', now() AT TIME ZONE 'UTC'), $2)`,
      [organizationId, 200 - but],
    );
  /** Kinds of the mails posted so far; the transaction of a run posts its own. */
  const posted = async () =>
    (await service.database.query<{ kind: string }>(`SELECT kind FROM mail_messages ORDER BY id`)).map(
      ({ kind }) => kind,
    );

  it('tell owners once a month that the quota is used up and that further runs are billed', async () => {
    const { organizationId, workspaceId, workspaceKey } = await createTenant(service, { name: 'Möbel & Söhne' });
    const owner = await createMember(service.database, organizationId, 'owner');
    await createMember(service.database, organizationId, 'admin');
    await setStripeCustomer(service.database, organizationId, 'cus_1');
    await useUp(organizationId, 2);
    const api = new Api(service.url, workspaceKey);
    await api.upload(workspaceId, demandCsv(1, 30));
    const start = async () => (await api.post('/runs', {})).body;

    expect(await start()).toMatchObject({ billed: 'quota' });
    expect(await posted()).toEqual([]);
    expect(await start()).toMatchObject({ billed: 'quota' });
    expect(await posted()).toEqual(['quota_used_up']);
    const usedUp = await mails.mailTo(owner.email, 'has used all 200 runs');
    expect(usedUp.content).toMatch(/^Möbel & Söhne .* \(growth\) .* Further runs before .* are billed\.$/m);

    expect(await start()).toMatchObject({ billed: 'overage' });
    expect(await start()).toMatchObject({ billed: 'overage' });
    expect(await posted()).toEqual(['quota_used_up', 'overage_begun']);
    await mails.mailTo(owner.email, 'This run and further runs before');
    expect(new Set(mails.received.flatMap(({ to }) => to))).toEqual(new Set([owner.email]));
  });

  it('tell owners the limit of billed runs, and when it is reached', async () => {
    const { organizationId } = await createTenant(service);
    const owner = await createMember(service.database, organizationId, 'owner');
    await setStripeCustomer(service.database, organizationId, 'cus_2');
    await useUp(organizationId, 1);
    await service.database.execute('UPDATE organizations SET overage_limit = 2 WHERE id = $1', [organizationId]);
    const before = await posted();
    const charge = () =>
      service.database.transaction((tx) =>
        service.app.get(RunBilling).charge(tx, { organizationId, plan: 'growth', runId: newId(), now: new Date() }),
      );
    for (const _ of [1, 2]) await charge();
    expect(await posted()).toEqual([...before, 'quota_used_up', 'overage_begun']);
    await charge();
    await expect(charge()).rejects.toThrow('quota_exceeded');
    expect(await posted()).toEqual([...before, 'quota_used_up', 'overage_begun', 'overage_used_up']);
    for (const text of ['are billed, up to a maximum of 2 (overage_limit', 'has used all of the 2 billed runs']) {
      await mails.mailTo(owner.email, text);
    }
  });

  it('report a reached limit of billed runs once, and again after the limit changes', async () => {
    const { organizationId } = await createTenant(service);
    await createMember(service.database, organizationId, 'owner');
    await setStripeCustomer(service.database, organizationId, 'cus_3');
    await useUp(organizationId, 0);
    const limitTo = (limit: number) =>
      service.database.execute('UPDATE organizations SET overage_limit = $2 WHERE id = $1', [organizationId, limit]);
    const charge = async () => {
      const runId = newId();
      await service.database.transaction((tx) =>
        service.app.get(RunBilling).charge(tx, { organizationId, plan: 'growth', runId, now: new Date() }),
      );
      return runId;
    };
    const before = await posted();
    await limitTo(1);
    const runId = await charge();
    const [chargedAt, endedAt] = [new Date(), new Date()];
    await service.database.transaction((tx) =>
      refundRuns(tx, [{ organizationId, runId, billed: 'overage', chargedAt, endedAt }]),
    );
    await charge();
    expect(await posted()).toEqual([...before, 'overage_begun', 'overage_used_up']);
    await limitTo(2);
    await charge();
    expect(await posted()).toEqual([...before, 'overage_begun', 'overage_used_up', 'overage_used_up']);
  });

  it('say that the organization’s own limit refuses runs when it allows no billed ones', async () => {
    const { organizationId } = await createTenant(service);
    const owner = await createMember(service.database, organizationId, 'owner');
    await setStripeCustomer(service.database, organizationId, 'cus_4');
    await useUp(organizationId, 1);
    await service.database.execute('UPDATE organizations SET overage_limit = 0 WHERE id = $1', [organizationId]);
    await service.database.transaction((tx) =>
      service.app.get(RunBilling).charge(tx, { organizationId, plan: 'growth', runId: newId(), now: new Date() }),
    );
    await mails.mailTo(
      owner.email,
      'unless you raise the limit of billed runs (overage_limit of the organization, currently 0) or the plan',
    );
  });

  it('are sent again when a larger plan is used up in the same month', async () => {
    const { organizationId } = await createTenant(service);
    await createMember(service.database, organizationId, 'owner');
    await useUp(organizationId, 1);
    const before = await posted();
    const charge = (plan: 'growth' | 'scale') =>
      service.database.transaction((tx) =>
        service.app.get(RunBilling).charge(tx, { organizationId, plan, runId: newId(), now: new Date() }),
      );
    await charge('growth');
    await service.database.execute('UPDATE usage_counters SET used = $2 WHERE organization_id = $1', [
      organizationId,
      PLANS.scale.monthly_runs - 1,
    ]);
    await charge('scale');
    expect(await posted()).toEqual([...before, 'quota_used_up', 'quota_used_up']);
  });

  it('say that runs are refused when they are not billed, and do not repeat for a refunded run', async () => {
    const { organizationId } = await createTenant(service);
    const owner = await createMember(service.database, organizationId, 'owner');
    await useUp(organizationId, 1);
    const before = await posted();
    const charge = () =>
      service.database.transaction((tx) =>
        service.app.get(RunBilling).charge(tx, { organizationId, plan: 'growth', runId: newId(), now: new Date() }),
      );
    await charge();
    await service.database.transaction((tx) =>
      refundRuns(tx, [{ organizationId, runId: newId(), billed: 'quota', chargedAt: new Date(), endedAt: new Date() }]),
    );
    await charge();
    expect(await posted()).toEqual([...before, 'quota_used_up']);
    await mails.mailTo(owner.email, 'unless you raise the plan');
  });
});
