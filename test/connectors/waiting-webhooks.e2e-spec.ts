import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DeliveryReader } from '../../src/connectors/webhooks/delivery-reader.js';
import { newId } from '../../src/platform/ids.js';
import { eventually } from '../support/eventually.js';
import { connectedWorkspace } from './connected.js';
import { platformOfEachTest } from './platform-of-each-test.js';
import { WooCommerceServer } from './woocommerce-server.js';

describe('the waiting webhook deliveries of a connector', () => {
  const workspace = connectedWorkspace({ environment: { PUBLIC_URL: 'https://forecasts.example.com/' } });
  const shop = platformOfEachTest(() => new WooCommerceServer());
  let id: string;
  beforeEach(async () => {
    id = await workspace.connectAndSettle('woocommerce', { ...shop.settings, webhook_secret: 'hush' });
  });
  afterEach(() => void jest.restoreAllMocks());
  const database = () => workspace.service.database;

  /** Stores deliveries all at once, as if they had waited. @param attempts at the first of them */
  const wait = (bodies: readonly string[], attempts = 0, topic = 'order.updated'): Promise<number> =>
    database().execute(
      `INSERT INTO connector_deliveries
         (organization_id, workspace_id, connector_id, id, key, topic, body, attempts, wake_at, received_at)
       SELECT $1, $2, $3, given.id, given.id, $7, convert_to(body, 'UTF8'), CASE place WHEN 1 THEN $6 ELSE 0 END,
         clock_timestamp() - interval '1 minute' + place * interval '1 second', clock_timestamp()
       FROM unnest($4::uuid[], $5::text[]) WITH ORDINALITY AS given (id, body, place)`,
      [workspace.organizationId, workspace.workspaceId, id, bodies.map(() => newId()), bodies, attempts, topic],
    );
  const order = (nth: number, sku: string, quantity: number, modified = 10): string =>
    JSON.stringify(shop.add(nth, modified, [[sku, quantity]]));
  /** The outcomes in the order of the deliveries, once all have one but so many. */
  const outcomes = (open = 0): Promise<(string | null)[]> =>
    eventually(`all but ${open} are processed`, async () => {
      const rows = await database().query<{ outcome: string | null }>(
        'SELECT outcome FROM connector_deliveries WHERE connector_id = $1 ORDER BY id',
        [id],
      );
      const all = rows.map(({ outcome }) => outcome);
      return all.filter((outcome) => outcome === null).length === open ? all : undefined;
    });
  /** The number of transactions that have stored the orders. */
  const transactions = async (): Promise<number> => {
    const rows = await database().query('SELECT DISTINCT xmin::text FROM connector_orders WHERE connector_id = $1', [
      id,
    ]);
    return rows.length;
  };
  /** Makes an order impossible to store. @returns what ends that */
  const refuse = async (nth: number): Promise<() => Promise<unknown>> => {
    const name = `no_order_${nth}`;
    await database().execute(
      `ALTER TABLE connector_orders ADD CONSTRAINT ${name} CHECK (connector_id <> '${id}' OR external_id <> '${nth}')`,
    );
    return () => database().execute(`ALTER TABLE connector_orders DROP CONSTRAINT ${name}`);
  };
  const callAgain = () =>
    database().execute('UPDATE connector_deliveries SET wake_at = clock_timestamp() WHERE connector_id = $1', [id]);

  it('are stored in a few transactions', async () => {
    await wait(Array.from({ length: 40 }, (_, nth) => order(nth + 1, 'A', 1)));
    expect(new Set(await outcomes())).toEqual(new Set(['stored']));
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 40 } });
    expect(await transactions()).toBeLessThan(5); // one, unless reading takes long
  });

  it('count in the latest version of each order, whichever comes last', async () => {
    const [first, second, last] = [1, 2, 3].map((version) => order(1, 'A', version, version));
    await wait([first!, last!, second!, last!, order(2, 'A', 10)]);
    await outcomes();
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 13 } });
    await wait([second!, last!]);
    expect((await outcomes()).slice(-2)).toEqual(['unchanged', 'unchanged']);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 13 } });
  });

  it('count in the last of several versions of the same second', async () => {
    await wait([order(1, 'A', 10), order(1, 'A', 7)]);
    await outcomes();
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 7 } });
  });

  it('do not wait for one that cannot be read', async () => {
    await wait([order(1, 'A', 1), 'not JSON', order(2, 'A', 2)]);
    expect(await outcomes()).toEqual(['stored', 'malformed_reply', 'stored']);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 3 } });
  });

  it('are tried once if a plugin has left out the date of the order', async () => {
    const { date_created_gmt: _, ...undated } = JSON.parse(order(1, 'A', 1)) as object & { date_created_gmt: string };
    await wait([JSON.stringify(undated), JSON.stringify({ ...undated, date_created_gmt: '' })]);
    expect(await outcomes()).toEqual(['malformed_reply', 'malformed_reply']);
  });

  it('are read while the credentials do not work, and one that cannot be read is not blamed on them', async () => {
    shop.misbehave.push({ status: 401 });
    expect(await workspace.sync(id)).toMatchObject({ error: { code: 'credentials_refused' } });
    await wait([order(1, 'A', 1), 'not JSON']);
    expect(await outcomes()).toEqual(['stored', 'malformed_reply']);
  });

  it('are retried one by one after one that cannot be stored', async () => {
    const accept = await refuse(2);
    await wait([order(1, 'A', 1), order(2, 'A', 2), order(3, 'A', 3), 'not JSON']);
    await eventually('all are tried', async () => {
      const fresh = await database().query(
        'SELECT FROM connector_deliveries WHERE connector_id = $1 AND attempts = 0',
        [id],
      );
      return fresh.length === 0 || undefined;
    });
    await callAgain();
    expect(await outcomes(1)).toEqual(['stored', null, 'stored', 'malformed_reply']);
    expect(await transactions()).toBe(2);
    await accept();
    await callAgain();
    expect(await outcomes()).toEqual(['stored', 'stored', 'stored', 'malformed_reply']);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 6 } });
  });

  it('are given up after eight attempts that an error of the service has ended', async () => {
    await wait([order(1, 'A', 1), order(2, 'A', 2)], 8);
    expect(await outcomes()).toEqual(['given_up', 'stored']);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 2 } });
  });

  it('give way to those of others when the shop asks to wait, and do not ask it again before, or for a minute', async () => {
    const read = jest.spyOn(DeliveryReader.prototype, 'read');
    shop.instead = () => ({ status: 429, headers: { 'retry-after': '3600' } });
    const asked = shop.requests.length;
    const began = performance.now();
    await wait(['{"id":1}', '{"id":2}', '{"id":3}'], 0, 'order.deleted');
    await eventually('one is read', () => Promise.resolve(read.mock.results[0]));
    expect(await read.mock.results[0]!.value).toBe(60_000);
    expect(performance.now() - began).toBeLessThan(7_000);
    await sleep(2_500); // in which others would have been taken
    expect(shop.requests.length).toBe(asked + 1);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('are not processed together with one that may have ended a process', async () => {
    await wait([order(1, 'A', 1), order(2, 'A', 2), order(3, 'A', 3)], 1);
    expect(await outcomes()).toEqual(['stored', 'stored', 'stored']);
    const alone = await database().query(
      `SELECT count(*)::int AS orders FROM connector_orders WHERE connector_id = $1 GROUP BY xmin::text ORDER BY 1`,
      [id],
    );
    expect(alone).toEqual([{ orders: 1 }, { orders: 2 }]);
  });
});
