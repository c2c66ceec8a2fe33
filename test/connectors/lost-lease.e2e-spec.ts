import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LOGGER, type Logger } from '../../src/platform/logging/logger.js';
import { eventually } from '../support/eventually.js';
import { connectedWorkspace } from './connected.js';
import { platformOfEachTest } from './platform-of-each-test.js';
import { WooCommerceServer } from './woocommerce-server.js';

describe('a sync whose lease has passed to another process', () => {
  // renewed every five seconds: the first test needs it within the time that an answer is waited for, the second one not at all
  const ANSWER_MS = 30_000;
  const workspace = connectedWorkspace({ environment: { RUN_LEASE_MS: '60000' } });
  const shop = platformOfEachTest(() => new WooCommerceServer());
  const other = platformOfEachTest(() => new WooCommerceServer());
  beforeEach(() => {
    shop.add(1, 10, [['A', 1]]);
  });
  afterEach(() => void jest.restoreAllMocks());

  /** Takes the lease of the sync at work, for longer than a test lasts. */
  const rob = () =>
    workspace.service.database.execute(
      `UPDATE connector_syncs SET lease_epoch = lease_epoch + 1, lease_expires_at = now() + interval '10 minutes'
        WHERE workspace_id = $1`,
      [workspace.workspaceId],
    );
  /** Waits for a sync of a shop without orders: the runner has looked for work since, and a page has been stored after ours. */
  const laterSync = async () => {
    const later = await workspace.settled(await workspace.connect('woocommerce', other.settings));
    expect(later).toMatchObject({ status: 'completed', progress: { orders_read: 0 } });
  };
  const untouched = [{ status: 'running', progress: { pages: 0, orders_read: 0 }, error: null, waiting_until: null }];

  it('is kept by a process that could not renew the lease in time while no other took it', async () => {
    const epochs = (id: string) =>
      workspace.service.database.query('SELECT lease_epoch FROM connector_syncs WHERE connector_id = $1', [id]);
    shop.misbehave.push(async () => {
      await workspace.service.database.execute(
        `UPDATE connector_syncs SET lease_expires_at = now() - interval '1 millisecond' WHERE workspace_id = $1`,
        [workspace.workspaceId],
      );
      await laterSync();
      return undefined;
    });
    const id = await workspace.connect('woocommerce', shop.settings);
    expect(await workspace.settled(id)).toMatchObject({ status: 'completed', progress: { orders_read: 1 } });
    expect(await epochs(id)).toEqual([{ lease_epoch: 1 }]);
  });

  it('aborts its pending request, and leaves the sync to the other', async () => {
    shop.misbehave.push('hang');
    const id = await workspace.connect('woocommerce', shop.settings);
    await eventually('the shop is asked', () => Promise.resolve(shop.requests.length > 0 || undefined));
    const asked = performance.now();
    await rob();
    await eventually('the request is aborted', () => Promise.resolve(shop.brokenOff > 0 || undefined));
    expect(performance.now() - asked).toBeLessThan(ANSWER_MS);
    await laterSync();
    expect([shop.requests.length, await workspace.syncs(id)]).toMatchObject([1, untouched]);
  });

  it('stores nothing of a page received afterwards', async () => {
    shop.misbehave.push(async () => {
      await rob();
      return undefined;
    });
    const id = await workspace.connect('woocommerce', shop.settings);
    await eventually('the shop is asked', () => Promise.resolve(shop.requests.length > 0 || undefined));
    await laterSync();
    expect([shop.brokenOff, shop.requests.length]).toEqual([0, 1]);
    expect(await workspace.syncs(id)).toMatchObject(untouched);
    expect(await workspace.demand()).toEqual({});
    expect(
      await workspace.service.database.query('SELECT 1 FROM connector_orders WHERE connector_id = $1', [id]),
    ).toEqual([]);
  });

  it('stores nothing of an order set aside that is read afterwards, and reports no error', async () => {
    const id = await workspace.connectAndSettle('woocommerce', shop.settings);
    const { database } = workspace.service;
    const setAside = () =>
      database.query('SELECT external_id FROM connector_orders_set_aside WHERE connector_id = $1', [id]);
    await database.execute(
      `INSERT INTO connector_orders_set_aside
         (organization_id, workspace_id, connector_id, external_id, code, message, since, tried_at)
       SELECT $1, $2, $3, 1000 + nth, 'malformed_reply', 'x', now(), now() FROM generate_series(1, 100) AS nth`,
      [workspace.organizationId, workspace.workspaceId, id],
    );
    shop.add(2, 20, [['A', 1]]).refunds = [{ id: 1 }];
    // the list, and the refunds of an order for which there is no room; then an order set aside that the shop does not have
    shop.misbehave.push(undefined, { status: 400 }, async () => {
      await rob();
      return undefined;
    });
    const before = shop.requests.length;
    const error = jest.spyOn(workspace.service.app.get<Logger>(LOGGER), 'error');
    await workspace.post(`/${id}/sync`);
    await eventually('it is asked for', () => Promise.resolve(shop.requests.length === before + 3 || undefined));
    await laterSync();
    expect(shop.requests.slice(before).map(({ path }) => path.split('/orders')[1])).toEqual([
      '',
      '/2/refunds',
      '/1001',
    ]);
    expect([(await setAside()).length, (await workspace.syncs(id))[0]]).toMatchObject([100, untouched[0]]);
    expect(error).not.toHaveBeenCalled();
  });
});
