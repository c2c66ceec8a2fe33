import { describe, expect, it } from '@jest/globals';
import { findHistoryEnd, findMissingDays, monthInProgress } from '../../src/series/index.js';
import { Api } from '../support/api.js';
import { Connected, connectedWorkspace } from './connected.js';
import { dayOf, keepToThisMonth } from './past-months.js';
import { platformOfEachTest } from './platform-of-each-test.js';
import { WooCommerceServer } from './woocommerce-server.js';

describe('months without orders of a connected series', () => {
  const workspace = connectedWorkspace();
  keepToThisMonth(workspace);
  const shop = platformOfEachTest(() => new WooCommerceServer());
  const other = platformOfEachTest(() => new WooCommerceServer());

  const connect = (from: WooCommerceServer, to = workspace): Promise<string> =>
    to.connectAndSettle('woocommerce', from.settings);

  it('are zero from the first order of each series to the last complete month', async () => {
    shop.sell(dayOf(4, 10), 'A', 1);
    shop.sell(dayOf(2, 10), 'A', 2);
    shop.sell(dayOf(3, 10), 'B', 3);
    shop.sell(dayOf(1, 10), 'C', 4);
    await connect(shop);
    expect(await workspace.demand()).toEqual({
      A: { [dayOf(4, 10)]: 1, [dayOf(3, 1)]: 0, [dayOf(2, 10)]: 2, [dayOf(1, 1)]: 0 },
      B: { [dayOf(3, 10)]: 3, [dayOf(2, 1)]: 0, [dayOf(1, 1)]: 0 },
      C: { [dayOf(1, 10)]: 4 },
    });
  });

  it('are complete once the platform was read after their end, however early their orders ended', async () => {
    for (let day = 1; day <= 26; day += 1) shop.sell(dayOf(2, day), 'A', day);
    shop.sell(dayOf(1, 9), 'A', 1);
    const id = await connect(shop);
    const { service, organizationId, workspaceId } = workspace;
    const incomplete = async () =>
      (await findHistoryEnd(service.database, { organizationId, workspaceId })).incompleteMonth !== null;
    expect(await incomplete()).toBe(false);
    await service.database.execute('UPDATE connectors SET last_synced_at = $2 WHERE id = $1', [
      id,
      `${dayOf(1, 10)}T12:00:00Z`,
    ]);
    expect(await incomplete()).toBe(true);
  });

  it('have no missing days once the platform was read after them', async () => {
    const sellFrom = (month: number, first: number, last: number): void => {
      for (let day = first; day <= last; day += 1) shop.sell(dayOf(month, day), 'A', 1);
    };
    for (const month of [4, 3, 2]) sellFrom(month, 1, 28);
    sellFrom(1, 1, 9);
    sellFrom(1, 20, 28);
    const id = await connect(shop);
    const { service, organizationId, workspaceId } = workspace;
    const tenant = { organizationId, workspaceId };
    const lastMonth = (await monthInProgress(service.database, tenant)) - 1;
    expect(await findMissingDays(service.database, tenant, lastMonth)).toEqual([]);
    await service.database.execute('UPDATE connectors SET last_synced_at = $2 WHERE id = $1', [
      id,
      `${dayOf(1, 19)}T12:00:00Z`,
    ]);
    expect(await findMissingDays(service.database, tenant, lastMonth)).toEqual([
      { from: dayOf(1, 10), to: dayOf(1, 19) },
    ]);
  });

  it('keep uploaded values, and are missing before the first order', async () => {
    const csv = `unique_id,ds,y\nA,${dayOf(8, 1).slice(0, 7)},80\nA,${dayOf(2, 1).slice(0, 7)},20\n`;
    await new Api(workspace.service.url, workspace.workspaceKey).upload(workspace.workspaceId, csv);
    shop.sell(dayOf(4, 10), 'A', 1);
    await connect(shop);
    expect(await workspace.demand()).toEqual({
      A: { [dayOf(8, 1)]: 80, [dayOf(4, 10)]: 1, [dayOf(3, 1)]: 0, [dayOf(2, 1)]: 20, [dayOf(1, 1)]: 0 },
    });
  });

  it.each([
    ['once that one is read again', (id: string) => workspace.sync(id)],
    ['once that one is disabled', (id: string) => workspace.patch(`/${id}`, { enabled: false })],
  ])('are zero when a broken connector sells the series too, %s', async (_, mend) => {
    other.sell(dayOf(1, 10), 'A', 5);
    const broken = await connect(other);
    await workspace.service.database.execute('UPDATE connectors SET last_synced_at = $2 WHERE id = $1', [
      broken,
      `${dayOf(2, 5)}T12:00:00Z`,
    ]);
    shop.sell(dayOf(4, 10), 'A', 1);
    shop.sell(dayOf(2, 10), 'B', 2);
    const id = await connect(shop);
    const sold = { [dayOf(4, 10)]: 1, [dayOf(3, 1)]: 0, [dayOf(1, 10)]: 5 };
    const demand = { A: sold, B: { [dayOf(2, 10)]: 2, [dayOf(1, 1)]: 0 } };
    expect(await workspace.demand()).toEqual(demand);
    await mend(broken);
    await workspace.sync(id);
    expect(await workspace.demand()).toEqual({ ...demand, A: { ...sold, [dayOf(2, 1)]: 0 } });
  });

  it('are separate from series of the same name in another workspace', async () => {
    const neighbour = await Connected.create(workspace.service);
    shop.sell(dayOf(3, 10), 'A', 1);
    other.sell(dayOf(2, 10), 'A', 2);
    await connect(other, neighbour);
    await connect(shop);
    expect(await workspace.demand()).toEqual({ A: { [dayOf(3, 10)]: 1, [dayOf(2, 1)]: 0, [dayOf(1, 1)]: 0 } });
    expect(await neighbour.demand()).toEqual({ A: { [dayOf(2, 10)]: 2, [dayOf(1, 1)]: 0 } });
  });
});
