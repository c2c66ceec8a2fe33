import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { detectChanges, IMPORTANT_CHANGE_OPTIONS } from '../../src/forecasting/change/index.js';
import { Api, pagesOf } from '../support/api.js';
import { createTenant, UNKNOWN_ID } from '../support/builders.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { nthMonth } from '../support/time/nth-month.js';

type Tenant = Awaited<ReturnType<typeof createTenant>>;
type Alert = {
  id: string;
  unique_id: string;
  kind: string;
  period: string;
  run_id: string;
  created_at: string;
  read_at: string | null;
  change_percent: number;
};
type TrendChange = {
  id: string;
  unique_id: string;
  previous_trend_label: string;
  trend_label: string;
  changed_at: string;
  run_id: string;
};

const BEGINNING = '2000-01-01';
const MONTHS = 48;

/** Month `index` after January 2021. */
const month = (index: number): string => nthMonth(2021, index);

/** Some noise without randomness: between -8 and 8. */
const noise = (index: number, series: number): number => ((index * 7919 + series * 104_729) % 17) - 8;

/** Calm demand around 200 pieces, month by month as `shape` bends it. */
function demand(uniqueId: string, series: number, months: number, shape: (index: number) => number = () => 0): string {
  return Array.from(
    { length: months },
    (_, index) => `${uniqueId},${month(index)},${200 + noise(index, series) + shape(index)}`,
  ).join('\n');
}
/** Demand whose shift only the lower decision limit of important series gives away yet. */
function faintShift(): (index: number) => number {
  for (let series = 1; series <= 60; series += 1) {
    for (let size = 30; size <= 80; size += 2) {
      const shape = (index: number): number => 4 * noise(index, series) + (index >= MONTHS - 4 ? size : 0);
      const values = Float64Array.from({ length: MONTHS }, (_, index) => 200 + noise(index, series) + shape(index));
      const history = { id: '', startMonth: 12 * 2021, values };
      const found = detectChanges(history, IMPORTANT_CHANGE_OPTIONS);
      if (found.length === 1 && found[0]!.kind === 'level_shift_up' && detectChanges(history).length === 0) {
        return (index) => noise(index, series) + shape(index);
      }
    }
  }
  throw new Error('every shift is told as early of any series');
}
const csv = (...series: string[]): string => `unique_id,ds,y\n${series.join('\n')}\n`;

describe('alerts and trend changes', () => {
  let service: TestService;
  let tenant: Tenant;
  let api: Api;
  const alerts = async (query = `since=${BEGINNING}`): Promise<Alert[]> =>
    (await api.get<Alert[]>(`/alerts?${query}`)).body;
  const changes = async (since = BEGINNING): Promise<TrendChange[]> =>
    (await api.get<TrendChange[]>(`/series?trend_changed_since=${since}`)).body;

  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    tenant = await createTenant(service);
    api = new Api(service.url, tenant.workspaceKey);
  });
  const upload = async (text: string): Promise<void> => {
    const reply = await api.upload(tenant.workspaceId, text);
    expect([reply.status, reply.body]).toMatchObject([200, {}]);
  };

  it('report a spike in the latest month when the run completes, and nothing for calm series', async () => {
    await upload(
      csv(
        demand('CALM', 1, MONTHS),
        demand('SPIKE', 2, MONTHS, (index) => (index === MONTHS - 1 ? 300 : 0)),
      ),
    );
    const run = await api.run({});
    const [alert, ...more] = await alerts();
    expect(more).toEqual([]);
    expect(alert).toMatchObject({
      unique_id: 'SPIKE',
      kind: 'spike',
      severity: 'high',
      period: `${month(MONTHS - 1)}-01`,
      run_id: run.id,
      workspace_id: tenant.workspaceId,
      product_name: null,
      read_at: null,
      created_at: run['finished_at'],
    });
    expect(alert!.change_percent).toBeGreaterThan(100);
    expect(String(alert!.change_percent)).toMatch(/^\d+(\.\d)?$/);
    expect(alert).toHaveProperty('message', expect.stringContaining('in December 2024 was'));
  });

  it('name the override of their month that was made in advance', async () => {
    await upload(csv(demand('SPIKE', 2, MONTHS, (index) => (index === MONTHS - 1 ? 300 : 0))));
    const { body: series } = await api.get<{ id: string }[]>('/series?unique_id=SPIKE');
    const override = (ofMonth: number, percent: number, createdAt: string) =>
      service.database.execute(
        `INSERT INTO overrides (id, organization_id, workspace_id, series_id, month, kind, value, reason, author, created_at)
         VALUES (gen_random_uuid(), $1, $2, $3, $4, 'percent', $5, 'promotion', 'planner@example.com', $6)`,
        [tenant.organizationId, tenant.workspaceId, series[0]!.id, `${month(ofMonth)}-01`, percent, createdAt],
      );
    await override(MONTHS - 1, 150, '2024-11-20T00:00:00Z');
    await override(MONTHS, 20, '2024-11-20T00:00:00Z');
    await api.run({});
    expect(await alerts()).toMatchObject([
      {
        kind: 'spike',
        message: expect.stringMatching(
          /expected\. An override had changed the forecast of December 2024 by \+150 %\.$/,
        ),
      },
    ]);
  });

  it('report the same shift once, however many runs find it', async () => {
    await upload(csv(demand('DROP', 3, MONTHS, (index) => (index === MONTHS - 1 ? -190 : 0))));
    const first = await api.run({});
    await api.run({});
    expect(await alerts()).toMatchObject([{ kind: 'drop', run_id: first.id }]);
  });

  it('are listed from a time on', async () => {
    await upload(csv(demand('DROP', 3, MONTHS, (index) => (index === MONTHS - 1 ? -190 : 0))));
    const run = await api.run({});
    const finished = Date.parse(String(run['finished_at']));
    const since = (ms: number) => alerts(`since=${new Date(finished + ms).toISOString()}`);
    expect(await since(-1)).toMatchObject([{ kind: 'drop' }]);
    expect(await since(0)).toEqual([]);
  });

  it('cover the months since the last run, and nothing for a run with a past cutoff', async () => {
    await upload(csv(demand('LATE', 4, MONTHS - 2)));
    await api.run({});
    await upload(csv(demand('LATE', 4, MONTHS, (index) => (index === MONTHS - 2 ? 400 : 0))));
    await api.run({ config_overrides: { cutoff: month(MONTHS - 20) } });
    expect(await alerts()).toEqual([]);
    await api.run({});
    expect(await alerts()).toMatchObject([{ kind: 'spike', period: `${month(MONTHS - 2)}-01` }]);
  });

  it('report a shift within half a year of new months, or a year for a first run, once', async () => {
    const doubled = (index: number): number => (index >= MONTHS - 6 ? 200 : 0);
    await upload(csv(demand('KNOWN', 4, MONTHS - 6)));
    await api.run({});
    await upload(csv(demand('KNOWN', 4, MONTHS, doubled), demand('NEW', 5, MONTHS, doubled)));
    await api.run({});
    await api.run({});
    const reported = (await alerts()).map(({ unique_id: id, kind, period }) => [id, kind, period]);
    expect(reported.sort()).toEqual(['KNOWN', 'NEW'].map((id) => [id, 'level_shift_up', `${month(MONTHS - 6)}-01`]));
  });

  it('change a trend label and report it once a second run agrees', async () => {
    const growing = (index: number): number => (index < 24 ? 0 : 4 * (index - 24));
    await upload(csv(demand('RISING', 5, 24, growing)));
    await api.run({});
    expect(await changes()).toEqual([]); // a first label is no change
    for (let months = 26; months <= MONTHS; months += 2) {
      await upload(csv(demand('RISING', 5, months, growing)));
      await api.run({});
    }
    const reported = await changes();
    expect(reported.length).toBeGreaterThan(0);
    expect(reported.at(-1)).toMatchObject({
      unique_id: 'RISING',
      previous_trend_label: 'stable',
      workspace_id: tenant.workspaceId,
      product_name: null,
    });
    expect(['growth', 'strong_growth']).toContain(reported[0]!.trend_label);
    for (const [index, change] of reported.entries()) {
      // newest first, and each begins where the one before ended
      expect(change.previous_trend_label).toBe(reported[index + 1]?.trend_label ?? 'stable');
    }
    expect(await changes(reported[0]!.changed_at)).toEqual([]);
    const { body: run } = await api.get<{ finished_at: string }>(`/runs/${reported[0]!.run_id}`);
    expect(run.finished_at).toBe(reported[0]!.changed_at);
  });

  it('list changed labels in pages, those of one run by their ids, and of one workspace for its key', async () => {
    const sibling = await createTenant(service);
    await service.database.execute('UPDATE workspaces SET organization_id = $1 WHERE id = $2', [
      tenant.organizationId,
      sibling.workspaceId,
    ]);
    const wide = new Api(service.url, tenant.organizationKey);
    await upload(csv(demand('A', 1, 2)));
    await wide.upload(sibling.workspaceId, csv(demand('B', 1, 2)));
    await service.database.execute(
      `INSERT INTO trend_changes (id, organization_id, workspace_id, series_id, previous_label, label, run_id, changed_at)
       SELECT gen_random_uuid(), organization_id, workspace_id, id, 'stable', 'growth', gen_random_uuid(), '2026-01-01'
         FROM series, generate_series(1, 5) WHERE organization_id = $1`,
      [tenant.organizationId],
    );
    const ofAll = (await wide.get<TrendChange[]>(`/series?trend_changed_since=${BEGINNING}`)).body;
    expect(ofAll).toHaveLength(10);
    const all = await changes();
    expect(all).toEqual(ofAll.filter(({ unique_id: id }) => id === 'A'));
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
    const collected: TrendChange[] = [];
    for await (const page of pagesOf<TrendChange[]>(api, `/series?trend_changed_since=${BEGINNING}&limit=2`)) {
      expect(collected.length).toBeLessThan(all.length); // a cursor that stays where it is leads on for ever
      collected.push(...page);
    }
    expect(collected).toEqual(all);
  });

  it('hold back what a second run would not confirm', async () => {
    const growing = (index: number): number => 6 * index;
    await upload(csv(demand('ONCE', 6, 30)));
    await api.run({});
    const { body } = await api.get<{ id: string }[]>('/series');
    await service.database.execute('UPDATE series_trends SET label = $2, candidate = $2 WHERE series_id = $1', [
      body[0]!.id,
      'decline',
    ]);
    await upload(csv(demand('ONCE', 6, 30, growing)));
    await api.run({});
    expect(await changes()).toEqual([]);
    await api.run({});
    const [change] = await changes();
    expect(change).toMatchObject({ previous_trend_label: 'decline', trend_label: 'growth' });
    expect(await alerts()).toMatchObject([{ kind: 'trend_change', period: `${month(29)}-01` }]);
  });

  it('can be marked as read and unread', async () => {
    const spike = (index: number): number => (index === MONTHS - 1 ? 300 : 0);
    await upload(csv(demand('SPIKE', 2, MONTHS, spike), demand('OTHER', 3, MONTHS, spike)));
    await api.run({});
    const [alert, other] = await alerts('');
    const read = await api.patch<Alert>(`/alerts/${alert!.id}`, { read: true });
    expect(read).toMatchObject({ status: 200, body: { id: alert!.id, read_at: expect.any(String) } });
    expect((await api.patch<Alert>(`/alerts/${alert!.id}`, { read: true })).body.read_at).toBe(read.body.read_at);
    expect([await alerts(''), await alerts('unread=true')]).toEqual([[other], [other]]);
    expect((await alerts('unread=false')).map(({ id }) => id)).toEqual([alert!.id, other!.id]);
    expect(await api.patch(`/alerts/${alert!.id}`, { read: false })).toMatchObject({
      status: 200,
      body: { read_at: null },
    });
    expect(await alerts('')).toEqual([alert, other]);
    expect(await alerts('unread=True')).toHaveLength(2); // as Python writes it
  });

  it('are paged without loss or repetition while others are written', async () => {
    const spiking = Array.from({ length: 7 }, (_, series) =>
      demand(`S${series}`, series, MONTHS, (index) => (index === MONTHS - 1 ? 300 : 0)),
    );
    await upload(csv(...spiking));
    await api.run({});
    const all = await alerts('limit=1000');
    expect(all).toHaveLength(7);
    const collected: Alert[] = [];
    for await (const page of pagesOf<Alert[]>(api, '/alerts?limit=2')) {
      collected.push(...page);
      if (collected.length === 2) {
        await upload(csv(demand('NEW', 9, MONTHS, (index) => (index === MONTHS - 1 ? 300 : 0))));
        await api.run({ config_overrides: { series: { unique_ids: ['NEW'] } } });
      }
    }
    expect(collected).toEqual(all);
    expect(await alerts('limit=1000')).toHaveLength(8);
  });

  it('report a shift in an important series earlier than in another', async () => {
    const shifted = faintShift();
    const rows = (uniqueId: string): string =>
      Array.from({ length: MONTHS }, (_, index) => `${uniqueId},${month(index)},${200 + shifted(index)}`).join('\n');
    await upload(csv(rows('PLAIN'), rows('VITAL')));
    await service.database.execute(
      `UPDATE series SET important = true WHERE unique_id = 'VITAL' AND workspace_id = $1`,
      [tenant.workspaceId],
    );
    const run = await api.run({});
    expect((await alerts()).map(({ unique_id: id, kind }) => [id, kind])).toEqual([['VITAL', 'level_shift_up']]);
    const summary = async (uniqueId: string) =>
      (await api.get<{ summary: string }>(`/series/${uniqueId}/forecast?run_id=${run.id}`)).body.summary;
    expect(await summary('VITAL')).toContain('Demand has been 16 % higher than expected since');
    expect(await summary('PLAIN')).toContain('Demand is stable.');
  });

  it.each([
    ['/alerts?unread=yes', 'unread'],
    ['/alerts?unread=', 'unread'],
    ['/alerts?since=yesterday', 'since'],
    ['/alerts?limit=0', 'limit'],
    ['/alerts?limit=1001', 'limit'],
    ['/alerts?cursor=W10', 'cursor'],
    ['/alerts?cursor=WyJhIiwiYiJd', 'cursor'],
    ['/alerts?unread=true&unread=false', 'unread'],
    ['/alerts?page=1', 'page'],
    ['/series?trend_changed_since=now', 'trend_changed_since'],
    ['/series?trend_changed_since=', 'trend_changed_since'],
    ['/series?trend_changed_since=2026-02-30', 'trend_changed_since'],
    ['/series?trend_changed_since=2026-01-01&cursor=W10', 'cursor'],
    ['/series?since=2026-01-01', 'since'],
  ])('refuse %s naming %s', async (path, param) => {
    expect(await api.get(path)).toMatchObject({ status: 400, body: { errors: [{ param }] } });
  });

  it.each([[{}], [{ read: 'yes' }], [{ read: null }], [{ read: 1 }]])(
    'refuse the mark %j naming read',
    async (body) => {
      expect(await api.patch(`/alerts/${UNKNOWN_ID}`, body)).toMatchObject({
        status: 400,
        body: { errors: [{ param: 'read' }] },
      });
    },
  );

  it('are hidden from other tenants', async () => {
    await upload(csv(demand('SPIKE', 2, MONTHS, (index) => (index === MONTHS - 1 ? 300 : 0))));
    await api.run({});
    const [alert] = await alerts();
    const other = await createTenant(service);
    for (const key of [other.workspaceKey, other.organizationKey]) {
      const foreign = new Api(service.url, key);
      expect((await foreign.get('/alerts?unread=false')).body).toEqual([]);
      expect((await foreign.get(`/series?trend_changed_since=${BEGINNING}`)).body).toEqual([]);
      for (const id of [alert!.id, UNKNOWN_ID, 'nonsense']) {
        expect(await foreign.patch(`/alerts/${id}`, { read: true })).toMatchObject({
          status: 404,
          body: { code: 'not_found', detail: 'The alert does not exist.' },
        });
      }
    }
    for (const path of ['/alerts?', `/series?trend_changed_since=${BEGINNING}&`]) {
      expect(
        await new Api(service.url, other.workspaceKey).get(`${path}workspace_id=${tenant.workspaceId}`),
      ).toMatchObject({ status: 403, body: { code: 'workspace_forbidden' } });
      expect(
        await new Api(service.url, other.organizationKey).get(`${path}workspace_id=${tenant.workspaceId}`),
      ).toMatchObject({ status: 404 });
    }
    expect((await alerts())[0]!.read_at).toBeNull();
  });
});
