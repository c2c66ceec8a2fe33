import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, demandCsv, pagesOf } from '../support/api.js';
import { AppClient } from '../support/app-client.js';
import { createMember, UNKNOWN_ID } from '../support/builders.js';
import { type Tenant, tenantWithDemand } from '../support/tenant-with-demand.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { moveToMidday, TODAY } from '../support/time/midday.js';

interface Stock {
  readonly unique_id: string;
  readonly product_name: string | null;
  readonly undershoot: number | null;
  readonly lead_time: number;
  readonly lead_time_sd: number;
  readonly service_level: number;
  readonly warnings: string[];
}

const SERIES = 5;
const HORIZON = 6;
/** Up to last month. */
const DEMAND = demandCsv(SERIES, 36 + TODAY.getUTCMonth(), TODAY.getUTCFullYear() - 3);
const [OWN, LONG] = ['P0001', 'P0002'];

describe('the safety stock of all series of a run', () => {
  let service: TestService;
  let tenant: Tenant;
  let api: Api;
  let runId: string;

  const list = async (query = ''): Promise<Stock[]> => {
    const reply = await api.get<Stock[]>(`/runs/${runId}/safety-stock${query}`);
    expect([reply.status, reply.body]).toMatchObject([200, {}]);
    return reply.body;
  };
  const one = async (uniqueId: string, query = ''): Promise<Stock> =>
    (await api.get<Stock>(`/runs/${runId}/safety-stock/${uniqueId}${query}`)).body;
  const each = (query = ''): Promise<Stock[]> =>
    Promise.all(Array.from({ length: SERIES }, (_, s) => one(`P000${s}`, query)));
  const signIn = async (role: 'viewer' | 'member' | 'admin'): Promise<AppClient> =>
    new AppClient(service.url, (await createMember(service.database, tenant.organizationId, role)).token);

  beforeAll(async () => {
    service = await startTestService();
    ({ tenant, api } = await tenantWithDemand(service, DEMAND));
    await moveToMidday(service.database, tenant.workspaceId);
    const targets = [
      'unique_id,product_name,lead_time_months,lead_time_sd_months,target_service_level',
      `${OWN},"Beans, 1 kg",2,0.5,0.9`,
      `${LONG},,12,,`,
    ];
    await api.upload(tenant.workspaceId, targets.join('\n'));
    runId = (await api.run({ config_overrides: { horizon: HORIZON } })).id;
  });
  afterAll(() => service.close());

  it('is that of each series, for its own lead time and service level', async () => {
    const stocks = await list();
    expect(stocks).toEqual(await each());
    expect(stocks.map(({ lead_time, service_level }) => [lead_time, service_level])).toEqual([
      [1, 0.95],
      [2, 0.9],
      [HORIZON, 0.95],
      [1, 0.95],
      [1, 0.95],
    ]);
  });

  it('is for the lead time and service level of the request, as far as it names them', async () => {
    const query = '?service_level=0.98&lead_time=3';
    const stocks = await list(query);
    expect(stocks).toEqual(await each(query));
    expect(stocks.map(({ lead_time_sd }) => lead_time_sd)).toEqual([0, 0.5, 0, 0, 0]);
  });

  it('limits a deviation of lead times to what the lead time of each series allows, with a warning', async () => {
    const stocks = await list('?lead_time_sd=1.5');
    expect(stocks.map(({ lead_time_sd }) => lead_time_sd)).toEqual([1, 1.5, 0, 1, 1]);
    expect(stocks.map(({ warnings }) => warnings.length > 0)).toEqual([true, false, true, true, true]);
  });

  it.each([
    ['lead_time=7', 'lead_time', 'must be more than 0 and at most 6 (the horizon of the run in months)'],
    ['lead_time=2&lead_time_sd=2.5', 'lead_time_sd', expect.stringContaining('must be at most the lead time (2)')],
    ['service_level=98', 'service_level', 'must be a number from 0.5 to 0.999'],
    ['limit=501', 'limit', expect.stringContaining('500')],
    ['cursor=abc', 'cursor', 'must be a cursor from a Link header of this list'],
  ])('refuses %s', async (query, param, message) => {
    const reply = await api.get(`/runs/${runId}/safety-stock?${query}`);
    expect([reply.status, reply.body]).toMatchObject([400, { errors: [{ param, message }] }]);
  });

  it('is read page by page', async () => {
    const pages: Stock[][] = [];
    for await (const page of pagesOf<Stock[]>(api, `/runs/${runId}/safety-stock?limit=2&service_level=0.9`)) {
      pages.push(page);
    }
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual(await list('?service_level=0.9'));
  });

  it('warns of overrides that it does not include, and does not name series that were skipped', async () => {
    const member = await signIn('member');
    const month = TODAY.toISOString().slice(0, 7);
    const override = { series_id: 'P0003', month, kind: 'absolute', value: 500, reason: 'a tender' };
    const { status } = await member.put(`/workspaces/${tenant.workspaceId}/overrides`, override);
    expect(status).toBe(200);
    const stocks = await list();
    expect(stocks.filter(({ warnings }) => warnings.some((text) => text.includes('override')))).toEqual([
      await one('P0003'),
    ]);
    const other = await api.run({ config_overrides: { horizon: 3, series: { unique_ids: ['P0003', 'P0000'] } } });
    const { body } = await api.get<Stock[]>(`/runs/${other.id}/safety-stock`);
    expect(body.map(({ unique_id }) => unique_id)).toEqual(['P0000', 'P0003']);
  });

  it('is CSV on request, for an ERP or a spreadsheet, and the audit log records the export', async () => {
    const path = `/runs/${runId}/safety-stock?lead_time=1&limit=2`;
    const csv = { accept: 'text/csv' };
    const reply = await api.get<string>(path, csv);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="safety-stock-${runId}.csv"`);
    expect(reply.headers.get('link')).toContain('rel="next"');
    const [header, ...lines] = reply.body.trimEnd().split('\r\n');
    const columns = header!.split(',');
    expect(columns.slice(0, 5)).toEqual(['unique_id', 'product_name', 'unit', 'safety_stock', 'reorder_point']);
    const field = (value: unknown): string => {
      const text = Array.isArray(value) ? value.join(' ') : String((value as string | number | null) ?? '');
      return text.includes(',') ? `"${text}"` : text;
    };
    expect(lines).toEqual(
      (await list('?lead_time=1&limit=2')).map((stock) => {
        const members = new Map(Object.entries(stock));
        return columns.map((column) => field(members.get(column))).join(',');
      }),
    );
    expect((await api.send('HEAD', path, undefined, csv)).status).toBe(200);
    expect((await api.get(path, { accept: 'application/xml' })).status).toBe(406);
    const admin = await signIn('admin');
    const log = await admin.get(`/orgs/${tenant.organizationId}/audit-log?action=forecasts.exported`);
    expect(log.body).toMatchObject([
      { target: { kind: 'run', id: runId }, details: { safety_stocks: 2, filter: { lead_time: 1 } } },
    ]);
  });

  it('is read by members who are signed in, too', async () => {
    const viewer = await signIn('viewer');
    const reply = await viewer.get(`/workspaces/${tenant.workspaceId}/runs/${runId}/safety-stock`);
    expect([reply.status, reply.body]).toEqual([200, await list()]);
  });

  it('is not found for an unknown run', async () => {
    const reply = await api.get(`/runs/${UNKNOWN_ID}/safety-stock`);
    expect([reply.status, reply.body]).toMatchObject([404, { code: 'not_found' }]);
  });
});
