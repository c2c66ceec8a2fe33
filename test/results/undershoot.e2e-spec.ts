import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Feed } from '../odata/feed.js';
import { Api } from '../support/api.js';
import { createTenant } from '../support/builders.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { nthMonth } from '../support/time/nth-month.js';

interface Stock {
  readonly undershoot: number | null;
  readonly safety_stock: number;
  readonly reorder_point: number;
  readonly lead_time_demand: number;
  readonly assumptions: string[];
}

/** Orders of 10, 20 and 30 pieces in turn, one in the middle of the first month of each quarter of four years. */
const MONTHS = Array.from({ length: 48 }, (_, month) => ({
  month: nthMonth(2022, month),
  y: month % 3 === 0 ? [10, 20, 30][(month / 3) % 3]! : 0,
}));

describe('safety stock of a series whose demand is known by day', () => {
  let service: TestService;
  let tenant: Awaited<ReturnType<typeof createTenant>>;
  let api: Api;
  beforeAll(async () => {
    service = await startTestService();
    tenant = await createTenant(service, { plan: 'scale' });
    api = new Api(service.url, tenant.organizationKey);
  });
  afterAll(() => service.close());

  const stockOf = async (run: string, uniqueId: string): Promise<Stock> => {
    const { status, body } = await api.get<Stock>(`/runs/${run}/safety-stock/${uniqueId}`);
    expect([status, body]).toMatchObject([200, {}]);
    return body;
  };

  it('covers how far an order takes stock below the reorder point, in the feed too', async () => {
    const rowsOf = (id: string, dayOf: (month: string) => string): string[] =>
      MONTHS.map(({ month, y }) => `${id},${dayOf(month)},${y}`);
    const rows = [
      ...rowsOf('BY-DAY', (month) => `${month}-17`),
      ...MONTHS.map(({ month }) => `BY-DAY,${month}-04,0`),
      ...rowsOf('BY-MONTH', (month) => month),
      // as many systems write a month
      ...rowsOf('FIRST-DAYS', (month) => `${month}-01`),
      ...rowsOf(
        'LAST-DAYS',
        (month) => `${month}-${new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate()}`,
      ),
      ...rowsOf('MIDDLE', (month) => `${month}-15`),
      // the days of orders alone, and not in most months
      ...rowsOf('ORDERS', (month) => `${month}-17`).filter((row) => !row.endsWith(',0')),
      ...rowsOf('TWICE', (month) => `${month}-01`),
      ...rowsOf('TWICE', (month) => `${month}-17`),
    ];
    await api.upload(tenant.workspaceId, ['unique_id,ds,y', ...rows].join('\n'));
    const { id: run } = await api.run({ workspace_id: tenant.workspaceId });
    const byDay = await stockOf(run, 'BY-DAY');
    const byMonth = await stockOf(run, 'BY-MONTH');
    // (1400 / 60 - 10) / 2: tens are packs
    expect(byDay.undershoot).toBeCloseTo(20 / 3, 5);
    expect((await stockOf(run, 'ORDERS')).undershoot).toBeGreaterThan(0);
    expect((await stockOf(run, 'TWICE')).undershoot).toBeGreaterThan(0);
    expect(byDay.assumptions.join(' ')).toContain('stock is 6.67 below the reorder point on average');
    expect(byMonth.undershoot).toBeNull();
    expect(byMonth.assumptions.join(' ')).toContain('add half of a typical customer order');
    for (const id of ['FIRST-DAYS', 'MIDDLE', 'LAST-DAYS']) {
      expect(await stockOf(run, id)).toMatchObject({ undershoot: null, reorder_point: byMonth.reorder_point });
    }
    expect(byDay.lead_time_demand).toBe(byMonth.lead_time_demand);
    expect(byDay.reorder_point).toBeGreaterThan(byMonth.reorder_point);
    const fed = await new Feed(service.url, tenant.organizationKey).rows('SafetyStocks', {
      $filter: `undershoot gt 0 and unique_id eq 'BY-DAY'`,
      $select: 'unique_id,reorder_point,undershoot',
    });
    expect(fed).toEqual([{ unique_id: 'BY-DAY', reorder_point: byDay.reorder_point, undershoot: byDay.undershoot }]);
  });
});
