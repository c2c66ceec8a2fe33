import { describe, expect, it } from '@jest/globals';
import { AppClient } from '../support/app-client.js';
import { createMember } from '../support/builders.js';
import { connectedWorkspace } from './connected.js';
import { dayOf, keepToThisMonth } from './past-months.js';
import { platformOfEachTest } from './platform-of-each-test.js';
import { WooCommerceServer } from './woocommerce-server.js';

describe('deleted demand of a connected series', () => {
  const workspace = connectedWorkspace();
  keepToThisMonth(workspace);
  const shop = platformOfEachTest(() => new WooCommerceServer());
  const other = platformOfEachTest(() => new WooCommerceServer());

  const connect = (from: WooCommerceServer): Promise<string> =>
    workspace.connectAndSettle('woocommerce', from.settings);
  const disconnect = async (id: string): Promise<void> => {
    expect((await workspace.member.delete(`${workspace.path}/${id}`)).status).toBe(204);
  };
  const deleteAsAdmin = async (path: string): Promise<void> => {
    const { token } = await createMember(workspace.service.database, workspace.organizationId, 'admin');
    expect((await new AppClient(workspace.service.url, token).delete(path)).status).toBe(204);
  };
  const deleteOf = (rest: string): Promise<void> =>
    deleteAsAdmin(`/workspaces/${workspace.workspaceId}/series/${rest}`);
  const months = (first: number, last: number): string => `A/actuals?from=${dayOf(first, 1)}&to=${dayOf(last, 1)}`;

  const DELETIONS = [
    ['its series', 'A'],
    ['its months', months(3, 1)],
  ] as const;

  it.each(DELETIONS)('with %s is not restored by a connector that was removed before', async (_what, path) => {
    shop.sell(dayOf(2, 15), 'A', 3);
    shop.sell(dayOf(1, 15), 'A', 4);
    await disconnect(await connect(shop));
    await deleteOf(path);
    other.sell(dayOf(1, 20), 'A', 1);
    await connect(other);
    expect(await workspace.sold()).toEqual({ A: { [dayOf(1, 20)]: 1 } });
  });

  it.each(DELETIONS)('with %s is not kept by a connector that is removed later', async (_what, path) => {
    shop.sell(dayOf(1, 15), 'A', 3);
    const removed = await connect(shop);
    await deleteOf(path);
    await disconnect(removed);
    other.sell(dayOf(1, 20), 'A', 1);
    await connect(other);
    expect(await workspace.sold()).toEqual({ A: { [dayOf(1, 20)]: 1 } });
  });

  it('leaves what a removed connector counted in other months', async () => {
    shop.sell(dayOf(2, 15), 'A', 3);
    shop.sell(dayOf(1, 15), 'A', 4);
    await disconnect(await connect(shop));
    await deleteOf(months(2, 2));
    other.sell(dayOf(1, 20), 'A', 1);
    await connect(other);
    expect(await workspace.sold()).toEqual({ A: { [dayOf(1, 15)]: 4, [dayOf(1, 20)]: 1 } });
  });

  it('is missing, not zero, until an order of the month changes', async () => {
    shop.sell(dayOf(3, 15), 'A', 3);
    shop.sell(dayOf(2, 15), 'A', 4);
    const connector = await connect(shop);
    await deleteOf(months(3, 2));
    shop.sell(dayOf(1, 15), 'A', 5);
    await workspace.sync(connector);
    expect(await workspace.demand()).toEqual({ A: { [dayOf(1, 15)]: 5 } });
    shop.sell(dayOf(2, 20), 'A', 1);
    await workspace.sync(connector);
    expect(await workspace.demand()).toEqual({ A: { [dayOf(2, 15)]: 4, [dayOf(2, 20)]: 1, [dayOf(1, 15)]: 5 } });
  });

  it('is not restored with its series, which begins with the months that have sales', async () => {
    shop.sell(dayOf(5, 15), 'A', 3);
    shop.sell(dayOf(2, 15), 'A', 4);
    const connector = await connect(shop);
    await deleteOf('A');
    await workspace.sync(connector);
    expect(await workspace.demand()).toEqual({});
    shop.sell(dayOf(2, 20), 'A', 1);
    await workspace.sync(connector);
    expect(await workspace.demand()).toEqual({ A: { [dayOf(2, 15)]: 4, [dayOf(2, 20)]: 1, [dayOf(1, 1)]: 0 } });
  });

  it('is gone with its workspace, and with it the orders of all connectors and what removed ones counted', async () => {
    const left = () =>
      workspace.service.database.query(
        `SELECT (SELECT count(*)::int FROM connector_orders WHERE workspace_id = $1) AS orders,
           (SELECT count(*)::int FROM connector_order_lines WHERE workspace_id = $1) AS lines,
           (SELECT count(*)::int FROM connector_retired_demand WHERE workspace_id = $1) AS retired`,
        [workspace.workspaceId],
      );
    shop.sell(dayOf(1, 15), 'A', 3);
    await disconnect(await connect(shop));
    other.sell(dayOf(1, 15), 'B', 3);
    await connect(other);
    expect(await left()).toEqual([{ orders: 1, lines: 1, retired: 1 }]);
    await deleteAsAdmin(`/orgs/${workspace.organizationId}/workspaces/${workspace.workspaceId}`);
    expect(await left()).toEqual([{ orders: 0, lines: 0, retired: 0 }]);
  });

  it('of removed connectors is found by an index when its series is deleted, also after many series at once', async () => {
    const { organizationId, workspaceId } = workspace;
    const scans = await workspace.service.database.transaction(async (tx) => {
      await tx.execute(
        `INSERT INTO series (id, organization_id, workspace_id, unique_id, created_at, updated_at)
         SELECT gen_random_uuid(), $1, $2, at::text, now(), now() FROM generate_series(1, 2000) AS at`,
        [organizationId, workspaceId],
      );
      await tx.execute(
        `INSERT INTO connector_retired_demand (organization_id, workspace_id, platform, account, unique_id, day, quantity)
         SELECT $1, $2, 'woocommerce', 'example.com', at::text, '2026-01-01'::date + day, 1
         FROM generate_series(1, 2000) AS at, generate_series(1, 20) AS day`,
        [organizationId, workspaceId],
      );
      // the trigger keeps the plan of its first statement
      await tx.execute(`DELETE FROM series WHERE workspace_id = $1 AND unique_id <> '1'`, [workspaceId]);
      await tx.execute(`DELETE FROM series WHERE workspace_id = $1`, [workspaceId]);
      return tx.query(
        `SELECT seq_scan::int AS sequential, n_tup_del::int AS deleted
         FROM pg_stat_xact_user_tables WHERE relname = 'connector_retired_demand'`,
      );
    });
    expect(scans).toEqual([{ sequential: 0, deleted: 40_000 }]);
  });
});
