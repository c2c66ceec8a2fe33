import { describe, expect, it } from '@jest/globals';
import { connectorsReadAnew } from '../../migrations/0123-connectors-read-anew.js';
import { connectedWorkspace } from './connected.js';
import { platformOfEachTest } from './platform-of-each-test.js';
import { WooCommerceServer } from './woocommerce-server.js';

describe('orders that an earlier release counted wrongly', () => {
  const workspace = connectedWorkspace({}); // changes all connectors
  const shop = platformOfEachTest(() => new WooCommerceServer());
  const migrate = async (): Promise<undefined> => {
    const migration = new connectorsReadAnew.class(null as never, null as never);
    migration.up();
    for (const statement of migration.getQueries()) await workspace.service.database.execute(statement as string);
  };

  it('are recounted after the upgrade, although they are unchanged and a sync was running meanwhile', async () => {
    const order = shop.add(1, 1, [['A', 10]]);
    shop.add(2, 3 * 3_600, [['A', 1]]); // syncs read back an hour
    const id = await workspace.connectAndSettle('woocommerce', shop.settings);
    order.line_items[0]!.quantity = 5;
    await workspace.sync(id);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 11 } });
    shop.misbehave.push(migrate);
    expect(await workspace.sync(id)).toMatchObject({ status: 'completed', progress: { orders_changed: 1 } });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 6 } });
  });
});
