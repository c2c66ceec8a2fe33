import { describe, expect, it } from '@jest/globals';
import { Api } from '../support/api.js';
import { connectedWorkspace } from './connected.js';
import { dayOf } from './past-months.js';
import { platformOfEachTest } from './platform-of-each-test.js';
import { WooCommerceServer } from './woocommerce-server.js';

describe('stored connector data', () => {
  const workspace = connectedWorkspace();
  const shop = platformOfEachTest(() => new WooCommerceServer());

  /** The transactions that wrote the stored rows, by table and row. */
  async function writers(): Promise<Map<string, string>> {
    const rows = await workspace.service.database.query<{ row: string; xmin: string }>(
      `SELECT 'order ' || external_id AS row, xmin::text FROM connector_orders WHERE workspace_id = $1
       UNION ALL
       SELECT 'line ' || external_id || ' ' || position, xmin::text FROM connector_order_lines WHERE workspace_id = $1
       UNION ALL
       SELECT 'series ' || unique_id, xmin::text FROM series WHERE workspace_id = $1
       UNION ALL
       SELECT 'demand ' || unique_id || ' ' || year, demand.xmin::text
       FROM demand JOIN series ON series.id = series_id WHERE demand.workspace_id = $1`,
      [workspace.workspaceId],
    );
    return new Map(rows.map(({ row, xmin }) => [row, xmin]));
  }

  /** Rows that were written since, by table. */
  async function writtenSince(before: ReadonlyMap<string, string>): Promise<string[]> {
    return [...(await writers())]
      .filter(([row, xmin]) => before.get(row) !== xmin)
      .map(([row]) => row)
      .sort();
  }

  it('is not rewritten by a sync that imports the same', async () => {
    for (let id = 1; id <= 120; id += 1)
      shop.add(id, id, [
        [`A${id % 7}`, 1],
        ['B', 2],
      ]);
    const id = await workspace.connectAndSettle('woocommerce', shop.settings);
    const before = await writers();
    const years = Number(dayOf(1, 1).slice(0, 4)) - 2025; // of demand, up to the last complete month
    expect(before.size).toBe(120 + 240 + 8 + 8 * years);
    expect((await workspace.sync(id)).progress).toMatchObject({ orders_read: 120, orders_changed: 0 });
    expect(await writtenSince(before)).toEqual([]);
  });

  it('is written only where a changed order makes a difference', async () => {
    shop.add(1, 1, [
      ['A', 1],
      ['A', 1],
    ]);
    shop.add(2, 2, [
      ['A', 5],
      ['B', 1],
    ]);
    const id = await workspace.connectAndSettle('woocommerce', shop.settings);
    const before = await writers();
    shop.add(1, 3, [['A', 2]]); // in one line what it had in two
    shop.add(2, 4, [
      ['A', 5],
      ['B', 3],
    ]);
    expect((await workspace.sync(id)).progress.orders_changed).toBe(2);
    expect(await writtenSince(before)).toEqual([
      'demand B 2026',
      'line 1 0',
      'line 2 0',
      'line 2 1',
      'order 1',
      'order 2',
    ]);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 7 }, B: { '2026-10-15': 3 } });
  });

  it('is replaced, days and monthly figures, only in the months of the orders', async () => {
    const api = new Api(workspace.service.url, workspace.workspaceKey);
    const demand =
      'unique_id,ds,y\nA,2026-08,30\nA,2026-09,20\nA,2026-10,10\nB,2026-10-01,1\nB,2026-10-15,4\nB,2026-10-20,2\n';
    expect((await api.upload(workspace.workspaceId, demand)).status).toBe(200);
    shop.sell('2026-10-15', 'A', 3);
    shop.sell('2026-10-15', 'B', 4);
    const id = await workspace.connectAndSettle('woocommerce', shop.settings);
    const august = { '2026-08-01': 30, '2026-09-01': 20 };
    expect(await workspace.sold()).toEqual({ A: { ...august, '2026-10-15': 3 }, B: { '2026-10-15': 4 } });
    const moved = shop.orders.get(1)!;
    Object.assign(moved, { date_created_gmt: '2026-10-02T12:00:00', date_modified_gmt: '2026-11-02T00:00:00' });
    await workspace.sync(id);
    expect(await workspace.sold()).toEqual({ A: { ...august, '2026-10-02': 3 }, B: { '2026-10-15': 4 } });
  });
});
