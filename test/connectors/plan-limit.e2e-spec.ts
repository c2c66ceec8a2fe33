import { describe, expect, it } from '@jest/globals';
import { PLANS, type PlanName } from '../../config/plans.js';
import { newId } from '../../src/platform/ids.js';
import { eventually } from '../support/eventually.js';
import { connectedWorkspace } from './connected.js';
import { platformOfEachTest } from './platform-of-each-test.js';
import { WooCommerceServer } from './woocommerce-server.js';

describe("a shop with more products than the plan's series", () => {
  const workspace = connectedWorkspace();
  const shop = platformOfEachTest(() => new WooCommerceServer());
  const other = platformOfEachTest(() => new WooCommerceServer());

  const setPlan = (plan: PlanName): Promise<number> =>
    workspace.service.database.execute('UPDATE organizations SET plan = $2 WHERE id = $1', [
      workspace.organizationId,
      plan,
    ]);
  /** Moves the organization to the smallest plan, and fills the workspace with series until it has room for only so many. */
  const leaveRoomFor = async (products: number): Promise<void> => {
    await setPlan('free');
    const ids = Array.from({ length: PLANS.free.workspace_series - products }, newId);
    await workspace.service.database.execute(
      `INSERT INTO series (id, organization_id, workspace_id, unique_id, created_at, updated_at)
       SELECT id, $2, $3, id::text, now(), now() FROM unnest($1::uuid[]) AS id`,
      [ids, workspace.organizationId, workspace.workspaceId],
    );
  };
  const leftOut = async (id: string): Promise<unknown> => (await workspace.get(`/${id}`)).body['products_left_out'];
  const nameOf = async (sku: string): Promise<unknown> => {
    const path = `/workspaces/${workspace.workspaceId}/series/${sku}`;
    return (await workspace.member.get<{ product_name: string }>(path)).body.product_name;
  };

  it('counts the products that fit, says how many are left out, and counts those once the plan allows them', async () => {
    await leaveRoomFor(1);
    shop.sell('2026-09-10', 'A', 1);
    shop.sell('2026-09-11', 'B', 2);
    shop.sell('2026-10-15', 'A', 4);
    const id = await workspace.connect('woocommerce', shop.settings);
    expect(await workspace.settled(id)).toMatchObject({
      status: 'completed',
      progress: { orders_read: 3, orders_changed: 3, lines_skipped: 0, products_left_out: 1 },
    });
    expect(await workspace.sold()).toEqual({ A: { '2026-09-10': 1, '2026-10-15': 4 } });
    expect(await leftOut(id)).toBe(1);

    shop.sell('2026-11-05', 'B', 8);
    expect((await workspace.sync(id)).progress).toMatchObject({ orders_changed: 1, products_left_out: 0 });
    expect(await leftOut(id)).toBe(1);

    await setPlan('starter');
    expect(await workspace.sync(id)).toMatchObject({ status: 'completed', progress: { orders_changed: 0 } });
    expect(await workspace.sold()).toEqual({
      A: { '2026-09-10': 1, '2026-10-15': 4 },
      B: { '2026-09-11': 2, '2026-11-05': 8 },
    });
    expect(await workspace.demand()).toMatchObject({ B: { '2026-10-01': 0 } });
    expect(await nameOf('B')).toBe('Product B');
    expect(await leftOut(id)).toBe(0);
  });

  it('admits all of many products', async () => {
    await leaveRoomFor(0);
    for (let nth = 1; nth <= 101; nth += 1) shop.sell('2026-10-15', `P${nth}`, nth);
    const id = await workspace.connectAndSettle('woocommerce', shop.settings);
    expect(await leftOut(id)).toBe(101);
    await setPlan('starter');
    await workspace.sync(id);
    expect(Object.keys(await workspace.demand())).toHaveLength(101);
    expect(await leftOut(id)).toBe(0);
  });

  it('counts a product whose series was uploaded meanwhile, though the plan still allows no more', async () => {
    await leaveRoomFor(1);
    shop.sell('2026-09-10', 'A', 1);
    shop.sell('2026-09-11', 'B', 2);
    const id = await workspace.connectAndSettle('woocommerce', shop.settings);
    await workspace.service.database.execute(`DELETE FROM series WHERE workspace_id = $1 AND unique_id = 'A'`, [
      workspace.workspaceId,
    ]);
    const rows = [{ unique_id: 'B', ds: '2026-08', y: 5 }];
    expect(await workspace.member.post(`/workspaces/${workspace.workspaceId}/imports`, { rows })).toMatchObject({
      status: 200,
    });
    await workspace.sync(id);
    expect((await workspace.sold())['B']).toEqual({ '2026-08-01': 5, '2026-09-11': 2 });
    expect(await leftOut(id)).toBe(0);
  });

  it('counts such a product, however many others are left out', async () => {
    await leaveRoomFor(1);
    shop.sell('2026-09-10', 'A', 1);
    for (let nth = 1; nth <= 60; nth += 1) shop.sell('2026-09-10', `P${nth}`, nth);
    shop.sell('2026-09-11', 'Z', 2);
    const id = await workspace.connectAndSettle('woocommerce', shop.settings);
    expect(await leftOut(id)).toBe(61);
    await workspace.service.database.execute(`DELETE FROM series WHERE workspace_id = $1 AND unique_id = 'A'`, [
      workspace.workspaceId,
    ]);
    await workspace.member.post(`/workspaces/${workspace.workspaceId}/imports`, {
      rows: [{ unique_id: 'Z', ds: '2026-08', y: 5 }],
    });
    await workspace.sync(id);
    expect((await workspace.sold())['Z']).toEqual({ '2026-08-01': 5, '2026-09-11': 2 });
    expect(await leftOut(id)).toBe(60);
  });

  it('leaves out the products of each of two shops by itself, until there is room at its own sync', async () => {
    await leaveRoomFor(0);
    for (const [server, quantity] of [
      [shop, 2],
      [other, 5],
    ] as const)
      for (const sku of ['A', 'B']) server.sell('2026-10-15', sku, quantity);
    const id = await workspace.connectAndSettle('woocommerce', shop.settings);
    const otherId = await workspace.connectAndSettle('woocommerce', other.settings);
    const left = async () => [await leftOut(id), await leftOut(otherId)];
    expect(await left()).toEqual([2, 2]);
    shop.add(1, 4, [['A', 2]], 'cancelled');
    await workspace.sync(id);
    expect(await left()).toEqual([1, 2]);
    await setPlan('starter');
    await workspace.sync(id);
    expect([await workspace.sold(), await left()]).toEqual([{ B: { '2026-10-15': 7 } }, [0, 2]]);
    await workspace.sync(otherId);
    const both = { A: { '2026-10-15': 5 }, B: { '2026-10-15': 7 } };
    expect([await workspace.sold(), await left()]).toEqual([both, [0, 0]]);
  });

  it('adds products that a reconnected account brought to what it had counted before', async () => {
    await leaveRoomFor(1);
    shop.sell('2026-09-10', 'A', 1);
    const former = await workspace.connectAndSettle('woocommerce', shop.settings);
    await workspace.member.delete(`${workspace.path}/${former}`);
    shop.sell('2026-09-11', 'B', 2);
    const id = await workspace.connectAndSettle('woocommerce', shop.settings);
    expect(await workspace.sold()).toEqual({ A: { '2026-09-10': 1 } });
    expect(await leftOut(id)).toBe(1);
    await setPlan('starter');
    await workspace.sync(id);
    expect(await workspace.sold()).toEqual({ A: { '2026-09-10': 1 }, B: { '2026-09-11': 2 } });
  });

  it('counts all orders of a product at once, though room is made for it while a sync is in progress', async () => {
    await leaveRoomFor(0);
    shop.sell('2026-09-11', 'B', 2);
    const id = await workspace.connectAndSettle('woocommerce', shop.settings);
    shop.sell('2026-10-15', 'B', 4);
    shop.misbehave.push(async () => {
      await setPlan('starter');
      return undefined;
    });
    await workspace.sync(id);
    expect([await workspace.sold(), await leftOut(id)]).toEqual([{}, 1]);
    await workspace.sync(id);
    expect([await workspace.sold(), await leftOut(id)]).toEqual([{ B: { '2026-09-11': 2, '2026-10-15': 4 } }, 0]);
  });

  it('does not leave out a product whose orders have been canceled or deleted', async () => {
    await leaveRoomFor(0);
    for (const sku of ['A', 'B', 'C']) shop.sell('2026-10-15', sku, 1);
    const id = await workspace.connectAndSettle('woocommerce', shop.settings);
    expect(await leftOut(id)).toBe(3);
    shop.add(1, 4, [['A', 1]], 'cancelled');
    await workspace.sync(id);
    expect(await leftOut(id)).toBe(2);
    shop.orders.delete(2);
    await workspace.post(`/${id}/sync`, { full: true });
    await workspace.settled(id);
    expect(await leftOut(id)).toBe(1);
    await setPlan('starter');
    await workspace.sync(id);
    const created = await workspace.service.database.query(
      `SELECT unique_id FROM series WHERE workspace_id = $1 AND unique_id <> id::text`,
      [workspace.workspaceId],
    );
    expect(created).toEqual([{ unique_id: 'C' }]);
  });

  it('counts all orders of a deleted series that finds no room when the next one arrives', async () => {
    await leaveRoomFor(1);
    shop.sell('2026-09-10', 'A', 1);
    const id = await workspace.connectAndSettle('woocommerce', shop.settings);
    await workspace.service.database.execute(
      `UPDATE series SET unique_id = 'other' WHERE workspace_id = $1 AND unique_id = 'A'`,
      [workspace.workspaceId],
    );
    await workspace.service.database.execute('DELETE FROM demand WHERE workspace_id = $1', [workspace.workspaceId]);
    shop.sell('2026-10-15', 'A', 4);
    await workspace.sync(id);
    expect([await workspace.sold(), await leftOut(id)]).toEqual([{}, 1]);
    await setPlan('starter');
    await workspace.sync(id);
    expect(await workspace.sold()).toEqual({ A: { '2026-09-10': 1, '2026-10-15': 4 } });
  });

  it('counts none of them once another process has taken over the sync', async () => {
    await leaveRoomFor(0);
    shop.sell('2026-10-15', 'A', 1);
    const id = await workspace.connectAndSettle('woocommerce', shop.settings);
    await setPlan('starter');
    const { database } = workspace.service;
    await database.transaction(async (tx) => {
      await tx.execute('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [workspace.workspaceId]);
      await workspace.post(`/${id}/sync`);
      await eventually('the sync waits for the workspace', async () => {
        const waiting = await database.query(
          `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
             AND query LIKE '%FROM workspaces%FOR NO KEY UPDATE'`,
        );
        return waiting.length > 0 || undefined;
      });
      await database.execute(
        `UPDATE connector_syncs SET lease_epoch = lease_epoch + 1, lease_expires_at = now() + interval '10 minutes'
         WHERE connector_id = $1 AND status = 'running'`,
        [id],
      );
    });
    await workspace.connectAndSettle('woocommerce', other.settings);
    expect([await workspace.sold(), await leftOut(id)]).toEqual([{}, 1]);
  });
});
