import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppClient } from '../support/app-client.js';
import { createMember } from '../support/builders.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { Connected, LOCAL_PLATFORMS } from './connected.js';
import { WooCommerceServer } from './woocommerce-server.js';

describe('demand that is deleted of a connected series', () => {
  let service: TestService;
  let workspace: Connected;
  let shop: WooCommerceServer;
  let other: WooCommerceServer;
  beforeAll(async () => {
    service = await startTestService({ environment: LOCAL_PLATFORMS });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    workspace = await Connected.create(service);
    shop = await new WooCommerceServer().start();
    other = await new WooCommerceServer().start();
  });
  afterEach(() => Promise.all([shop.stop(), other.stop()]));

  const connect = async ({ url, key, secret }: WooCommerceServer): Promise<string> => {
    const settings = { site_url: url, consumer_key: key, consumer_secret: secret };
    const id = await workspace.connect('woocommerce', settings);
    await workspace.settled(id);
    return id;
  };
  const disconnect = async (id: string): Promise<void> => {
    expect((await workspace.member.delete(`${workspace.path}/${id}`)).status).toBe(204);
  };
  const deleteOf = async (rest: string): Promise<void> => {
    const { token } = await createMember(service.database, workspace.organizationId, 'admin');
    const admin = new AppClient(service.url, token);
    expect((await admin.delete(`/workspaces/${workspace.workspaceId}/series/${rest}`)).status).toBe(204);
  };
  let latest = 0;
  /** An order of the shop, changed after all before it. */
  const sell = (from: WooCommerceServer, id: number, day: string, quantity: number): void => {
    latest += 1;
    from.add(id, latest, [['A', quantity]]).date_created_gmt = `${day}T12:00:00`;
  };

  const DELETIONS = [
    ['its series', 'A'],
    ['its months', 'A/actuals?from=2026-08-01&to=2026-10-01'],
  ] as const;

  it.each(DELETIONS)('with %s does not come back from a connector that was removed before', async (_what, path) => {
    sell(shop, 1, '2026-09-15', 3);
    sell(shop, 2, '2026-10-15', 4);
    await disconnect(await connect(shop));
    await deleteOf(path);
    sell(other, 1, '2026-10-20', 1);
    await connect(other);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-20': 1 } });
  });

  it.each(DELETIONS)('with %s is not kept of a connector that is removed after', async (_what, path) => {
    sell(shop, 1, '2026-10-15', 3);
    const removed = await connect(shop);
    await deleteOf(path);
    await disconnect(removed);
    sell(other, 1, '2026-10-20', 1);
    await connect(other);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-20': 1 } });
  });

  it('leaves what a removed connector counted in other months', async () => {
    sell(shop, 1, '2026-09-15', 3);
    sell(shop, 2, '2026-10-15', 4);
    await disconnect(await connect(shop));
    await deleteOf('A/actuals?from=2026-09-01&to=2026-09-01');
    sell(other, 1, '2026-10-20', 1);
    await connect(other);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 4, '2026-10-20': 1 } });
  });

  it('is missing, and not zero, until an order of the month changes', async () => {
    sell(shop, 1, '2026-08-15', 3);
    sell(shop, 2, '2026-09-15', 4);
    const connector = await connect(shop);
    await deleteOf('A/actuals?from=2026-08-01&to=2026-09-01');
    sell(shop, 3, '2026-10-15', 5);
    await workspace.sync(connector);
    expect(await workspace.demand()).toEqual({ A: { '2026-10-15': 5 } });
    sell(shop, 4, '2026-09-20', 1);
    await workspace.sync(connector);
    expect(await workspace.demand()).toEqual({ A: { '2026-09-15': 4, '2026-09-20': 1, '2026-10-15': 5 } });
  });

  it('does not come back with its series, which begins with the months that are sold in', async () => {
    sell(shop, 1, '2026-06-15', 3);
    sell(shop, 2, '2026-09-15', 4);
    const connector = await connect(shop);
    expect(Object.keys((await workspace.demand())['A']!)).toEqual([
      '2026-06-15',
      '2026-07-01',
      '2026-08-01',
      '2026-09-15',
      '2026-10-01',
    ]);
    await deleteOf('A');
    await workspace.sync(connector);
    expect(await workspace.demand()).toEqual({});
    sell(shop, 3, '2026-09-20', 1);
    await workspace.sync(connector);
    expect(await workspace.demand()).toEqual({ A: { '2026-09-15': 4, '2026-09-20': 1, '2026-10-01': 0 } });
  });
});
