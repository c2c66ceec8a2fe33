import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  completeSafetyStocks,
  type SeriesAdvice,
  storeSafetyStocks,
} from '../../src/runs/stock/safety-stocks.queries.js';
import { countTargetChange } from '../../src/series/stock-targets.queries.js';
import { Feed } from '../odata/feed.js';
import { Api, demandCsv } from '../support/api.js';
import { createMember, createTenant } from '../support/builders.js';
import { send } from '../support/reply.js';
import { startTestService, type TestService } from '../support/test-service.js';

interface Series {
  readonly unique_id: string;
  readonly lead_time_months: number | null;
  readonly lead_time_sd_months: number | null;
  readonly target_service_level: number | null;
}
interface Stock {
  readonly lead_time: number;
  readonly lead_time_sd: number;
  readonly service_level: number;
  readonly reorder_point: number;
  readonly warnings: string[];
}

const HORIZON = 6;

describe('the stock target of a series', () => {
  let service: TestService;
  let tenant: Awaited<ReturnType<typeof createTenant>>;
  let api: Api;
  let feed: Feed;
  let run: string;
  beforeAll(async () => {
    service = await startTestService();
    tenant = await createTenant(service, { plan: 'scale' });
    api = new Api(service.url, tenant.organizationKey);
    feed = new Feed(service.url, tenant.organizationKey);
    await api.upload(tenant.workspaceId, demandCsv(4, 36));
    run = (await api.run({ workspace_id: tenant.workspaceId, config_overrides: { horizon: HORIZON } })).id;
  });
  afterAll(() => service.close());

  const upload = (csv: string) => api.upload(tenant.workspaceId, csv);
  const targetOf = async (uniqueId: string): Promise<unknown[]> => {
    const { body } = await api.get<Series>(`/series/${uniqueId}?workspace_id=${tenant.workspaceId}`);
    return [body.lead_time_months, body.lead_time_sd_months, body.target_service_level];
  };
  const stock = async (uniqueId: string, query = ''): Promise<Stock> => {
    const { status, body } = await api.get<Stock>(`/runs/${run}/safety-stock/${uniqueId}${query}`);
    expect([status, body]).toMatchObject([200, {}]);
    return body;
  };
  const edit = async (uniqueId: string, change: object, role: 'member' | 'viewer' = 'member') => {
    const { token } = await createMember(service.database, tenant.organizationId, role);
    return send<Record<string, unknown>>(`${service.url}/workspaces/${tenant.workspaceId}/series/${uniqueId}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(change),
    });
  };
  const seriesId = async (uniqueId: string): Promise<string> => {
    const { body } = await api.get<{ id: string }>(`/series/${uniqueId}?workspace_id=${tenant.workspaceId}`);
    return body.id;
  };
  const versions = async () => {
    const [row] = await service.database.query<{ demand_version: number; stock_target_version: number }>(
      'SELECT demand_version, stock_target_version FROM workspaces WHERE id = $1',
      [tenant.workspaceId],
    );
    return row!;
  };

  it('is stored by columns of an upload, and kept by one without them', async () => {
    const header = 'unique_id;ds;y;Lead_Time_Months;lead_time_sd_months;target_service_level';
    expect((await upload(`${header}\nP0000;2020-01;10;1,5;;0.98\n`)).status).toBe(200);
    expect(await targetOf('P0000')).toEqual([1.5, null, 0.98]);
    expect((await upload('unique_id,ds,y\nP0000,2020-01,11\n')).status).toBe(200);
    const rows = [{ unique_id: 'P0000', ds: '2020-01', y: 12, lead_time_sd_months: 0.25, lead_time_months: null }];
    await api.post('/actuals', { workspace_id: tenant.workspaceId, rows });
    expect(await targetOf('P0000')).toEqual([1.5, 0.25, 0.98]);
  });

  it('is stored for a series that the upload creates', async () => {
    await upload('unique_id,ds,y,lead_time_months\nNEW,2022-12,10,2\n');
    expect(await targetOf('NEW')).toEqual([2, null, null]);
  });

  it.each([
    ['lead_time_months', '0', 'must be a number of months greater than 0, up to 36'],
    ['lead_time_months', 'six weeks', 'must be a number of months greater than 0, up to 36'],
    ['lead_time_months', '45', 'must be a number of months greater than 0, up to 36'],
    ['lead_time_sd_months', '-1', 'must be a number of months from 0 to 36'],
    ['target_service_level', '98', 'must be a number from 0.5 to 0.999'],
  ])('is refused in an upload and an edit: %s of %s', async (field, value, rule) => {
    const reply = await upload(`unique_id,ds,y,${field}\nP0001,2020-01,10,${value}\n`);
    expect([reply.status, reply.body]).toMatchObject([400, { errors: [{ param: field, message: `line 2: ${rule}` }] }]);
    const edited = await edit('P0001', { [field]: Number.isNaN(Number(value)) ? value : Number(value) });
    expect([edited.status, edited.body]).toMatchObject([400, { errors: [{ param: field, message: rule }] }]);
    expect(await targetOf('P0001')).toEqual([null, null, null]);
  });

  it('is edited by members, removed with null, and no change of the demand that runs depend on', async () => {
    const before = await versions();
    const { body } = await edit('P0001', { lead_time_months: 2, target_service_level: 0.9 });
    expect(body).toMatchObject({ lead_time_months: 2, lead_time_sd_months: null, target_service_level: 0.9 });
    expect(await versions()).toEqual({ ...before, stock_target_version: expect.any(Number) });
    expect(await versions()).not.toEqual(before);
    const after = await versions();
    await edit('P0001', { lead_time_months: 2 }); // as it is
    expect(await versions()).toEqual(after);
    expect((await edit('P0001', { lead_time_months: 3 }, 'viewer')).status).toBe(403);
    await edit('P0001', { lead_time_months: null, target_service_level: null });
    expect(await targetOf('P0001')).toEqual([null, null, null]);
  });

  it('is what a safety stock is for, as far as the request says nothing else', async () => {
    await edit('P0002', { lead_time_months: 2, lead_time_sd_months: 0.5, target_service_level: 0.9 });
    const own = await stock('P0002');
    expect(own).toMatchObject({ lead_time: 2, lead_time_sd: 0.5, service_level: 0.9 });
    expect(await stock('P0002', '?lead_time=1&lead_time_sd=0')).toMatchObject({
      lead_time: 1,
      lead_time_sd: 0,
      service_level: 0.9,
    });
    expect(own).toEqual({
      ...(await stock('P0002', '?lead_time=2&lead_time_sd=0.5&service_level=0.9')),
      warnings: own.warnings,
    });
    expect(await stock('P0003')).toMatchObject({ lead_time: 1, lead_time_sd: 0, service_level: 0.95 });
  });

  it('of longer lead times than the forecast is limited to it, with a warning', async () => {
    await edit('P0003', { lead_time_months: 9, lead_time_sd_months: 1 });
    const limited = await stock('P0003');
    expect(limited).toMatchObject({ lead_time: HORIZON, lead_time_sd: 0 });
    expect(limited.warnings).toContain(
      'The forecast is too short for lead times of 9 ± 1 months: the figures are for 6 months. Start runs with a longer horizon.',
    );
    expect(await stock('P0003', '?lead_time_sd=0')).toMatchObject({ lead_time: HORIZON, lead_time_sd: 0 });
    expect((await api.get(`/runs/${run}/safety-stock/P0003?lead_time_sd=0.5`)).body).toMatchObject({
      errors: [{ param: 'lead_time_sd', message: expect.stringContaining(`the lead time (${HORIZON})`) }],
    });
    await edit('P0003', { lead_time_months: null, lead_time_sd_months: null });
  });

  it('is what the safety stock of the feed is for, also once it has changed', async () => {
    const stocks = async (): Promise<Record<string, unknown[]>> => {
      const rows = await feed.rows('SafetyStocks', { $orderby: 'unique_id' });
      const shown = ['lead_time', 'lead_time_sd', 'service_level', 'reorder_point'];
      return Object.fromEntries(rows.map((row) => [String(row['unique_id']), shown.map((name) => row[name])]));
    };
    const before = await stocks();
    expect(before['P0002']).toEqual([2, 0.5, 0.9, (await stock('P0002')).reorder_point]);
    expect(before['P0003']!.slice(0, 3)).toEqual([1, 0, 0.95]);

    await edit('P0003', { lead_time_months: 3 });
    await upload('unique_id,ds,y,target_service_level\nP0002,2020-01,10,0.99\n');
    const after = await stocks();
    expect(after['P0003']).toEqual([3, 0, 0.95, (await stock('P0003')).reorder_point]);
    expect(after['P0002']!.slice(0, 3)).toEqual([2, 0.5, 0.99]);
    expect({ ...after, P0002: [], P0003: [] }).toEqual({ ...before, P0002: [], P0003: [] });

    const rows = await feed.rows('Series', { $filter: "lead_time_months eq 3 and unique_id eq 'P0003'" });
    expect(rows).toMatchObject([{ lead_time_months: 3, lead_time_sd_months: null, target_service_level: null }]);
  });

  it('that changes while the safety stock is computed is counted by the next reader', async () => {
    await feed.rows('SafetyStocks');
    const { organizationId, workspaceId } = tenant;
    const computed = { organizationId, workspaceId, runId: run };
    const version = (await versions()).stock_target_version;
    await edit('P0001', { lead_time_months: 4 });
    await service.database.transaction((tx) => completeSafetyStocks(tx, computed, version, null)); // of the target before
    const rows = await feed.rows('SafetyStocks', { $filter: `unique_id eq 'P0001'` });
    expect(rows).toMatchObject([{ lead_time: 4 }]);
  });

  it('is what the stored safety stock is for, whichever process is the last to store it', async () => {
    const id = await seriesId('P0001');
    const computed = { organizationId: tenant.organizationId, workspaceId: tenant.workspaceId, runId: run };
    const version = (await versions()).stock_target_version;
    const slower: SeriesAdvice = { seriesId: id, advice: (await stock('P0001', '?lead_time=1')) as never };
    await edit('P0001', { lead_time_months: 5 });
    await feed.rows('SafetyStocks');
    await service.database.transaction((tx) => storeSafetyStocks(tx, computed, [slower], version));
    expect(await feed.rows('SafetyStocks', { $filter: `unique_id eq 'P0001'` })).toMatchObject([{ lead_time: 5 }]);
  });

  it('may change all the time: readers wait for the safety stock of the targets at their request only', async () => {
    let read = false;
    const editing = (async () => {
      while (!read) await countTargetChange(service.database, { ...tenant });
    })();
    const begun = performance.now();
    await feed.rows('SafetyStocks').finally(() => (read = true));
    await editing;
    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});
