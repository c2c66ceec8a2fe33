import { describe, expect, it } from '@jest/globals';
import { Connected, connectedWorkspace } from './connected.js';
import { platformOfEachTest } from './platform-of-each-test.js';
import { WooCommerceServer } from './woocommerce-server.js';

describe('connected accounts of a workspace', () => {
  const workspace = connectedWorkspace();
  const first = platformOfEachTest(() => new WooCommerceServer());
  const second = platformOfEachTest(() => new WooCommerceServer());

  const connect = (shop: WooCommerceServer, input: Record<string, unknown> = {}): Promise<string> =>
    workspace.connectAndSettle('woocommerce', shop.settings, input);
  const remove = (id: string) => workspace.member.delete(`${workspace.path}/${id}`);

  it('are connected once, however the address is written', async () => {
    await connect(first);
    const again = { ...first.settings, site_url: `${first.url}/` };
    const reply = await workspace.post('', { platform: 'woocommerce', name: 'Again', settings: again });
    expect([reply.status, reply.body['code']]).toEqual([409, 'connector_exists']);
    const elsewhere = await Connected.create(workspace.service);
    await expect(elsewhere.connect('woocommerce', first.settings)).resolves.toEqual(expect.any(String));
  });

  it('are logged under one id, however a caller writes it', async () => {
    const id = await connect(first);
    for (const act of ['test', 'sync']) await workspace.post(`/${id.toUpperCase()}/${act}`);
    await remove(id.toUpperCase());
    const events = await workspace.service.database.query(
      `SELECT action FROM audit_events WHERE organization_id = $1 AND target_id = $2 ORDER BY sequence`,
      [workspace.organizationId, id],
    );
    expect(events.map(({ action }) => String(action))).toEqual(
      ['created', 'tested', 'sync_requested', 'deleted'].map((act) => `connector.${act}`),
    );
  });

  it('keep counting beside others when their connector is removed', async () => {
    first.add(1, 10, [['A', 3]]);
    second.add(2, 10, [['A', 5]]);
    const removed = await connect(first);
    const stays = await connect(second);
    expect((await remove(removed)).status).toBe(204);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 8 } });
    second.add(3, 20, [['A', 1]]);
    await workspace.sync(stays);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 9 } });
  });

  it('add up exactly in decimal, without binary rounding artifacts', async () => {
    first.add(1, 10, [['A', 0.1]]);
    first.add(2, 10, [['A', 0.2]]);
    const removed = await connect(first);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 0.3 } });
    second.add(3, 10, [['A', 0.4]]);
    const stays = await connect(second);
    await remove(removed);
    second.add(4, 20, [['A', -0.7]]);
    await workspace.sync(stays);
    expect(await workspace.sold()).toEqual({ A: {} });
  });

  it('count once when reconnected, except for what the new connector does not count', async () => {
    first.add(1, 10, [['A', 3]]);
    second.add(2, 10, [['A', 5]]);
    const stays = await connect(second);
    await remove(await connect(first));
    const again = await connect(first);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 8 } });
    await remove(again);
    await connect(first, { counts_from: '2026-11-01' });
    second.add(3, 20, [['A', 1]]);
    await workspace.sync(stays);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 9 } });
  });
});
