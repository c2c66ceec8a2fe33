import { describe, expect, it } from '@jest/globals';
import type { ApiSession } from '../api-session.js';
import { readRecords } from '../records.js';
import { toOrder, type WooOrder } from './woocommerce-order.js';

const ORDER: WooOrder = {
  id: 727,
  status: 'processing',
  date_created_gmt: '2026-10-15T22:30:00',
  date_modified_gmt: '2026-10-16T08:00:00',
  line_items: [
    { id: 1, name: 'Mug', product_id: 3, variation_id: 0, quantity: 10, sku: 'MUG' },
    { id: 2, name: 'Shirt, small', product_id: 5, variation_id: 51, quantity: 6, sku: '' },
    { id: 3, name: 'Shirt, large', product_id: 5, variation_id: 52, quantity: 4, sku: null },
  ],
};

/** A session with the refunds of one order that records its requests. */
function session(refunds: readonly object[] = []): { readonly api: ApiSession; readonly asked: string[] } {
  const asked: string[] = [];
  const api = {
    value: (name: string) => (name === 'counted_statuses' ? 'processing,completed' : 'https://shop.example'),
    patiently: (work: () => Promise<unknown>) => work(),
    json: ({ url }: { url: string }) => {
      asked.push(url);
      return Promise.resolve({ body: refunds });
    },
  };
  return { api: api as unknown as ApiSession, asked };
}

const quantities = async (order: WooOrder, refunds: readonly object[]) =>
  (await toOrder(session(refunds).api, order)).lines.map(({ quantity }) => quantity);

describe('a WooCommerce order', () => {
  it('reads times as UTC and prefers variant ids to product ids', async () => {
    const { api, asked } = session();
    expect(await toOrder(api, ORDER)).toEqual({
      id: '727',
      placed: new Date('2026-10-15T22:30:00Z'),
      updatedAt: new Date('2026-10-16T08:00:00Z'),
      lines: [
        { sku: 'MUG', productId: '3', name: 'Mug', quantity: 10 },
        { sku: '', productId: '51', name: 'Shirt, small', quantity: 6 },
        { sku: null, productId: '52', name: 'Shirt, large', quantity: 4 },
      ],
    });
    expect(asked).toEqual([]);
  });

  it('has lines without a product id when the product was permanently deleted', async () => {
    const line = { id: 4, name: 'Gone', product_id: 0, variation_id: 0, quantity: 7, sku: null };
    const { lines } = await toOrder(session().api, { ...ORDER, line_items: [line] });
    expect(lines).toEqual([{ sku: null, productId: null, name: 'Gone', quantity: 7 }]);
  });

  it('subtracts all refunds, matched by the line they name or by their variant', async () => {
    const named = (id: string) => [{ key: '_refunded_item_id', value: id }];
    const refunds = [
      { line_items: [{ product_id: 3, variation_id: 0, quantity: -3, meta_data: named('1') }] },
      { line_items: [{ product_id: 3, variation_id: 0, quantity: -2, meta_data: { '1': named('1')[0] } }] },
      { line_items: [{ product_id: 5, variation_id: 52, quantity: -1 }] },
      { line_items: [{ product_id: 99, variation_id: 0, quantity: -1 }] },
      {},
    ];
    expect(await quantities({ ...ORDER, refunds: [{ id: 1 }] }, refunds)).toEqual([5, 6, 3]);
  });

  it('subtracts refunds after the hundredth too', async () => {
    const refund = { line_items: [{ product_id: 3, variation_id: 0, quantity: -0.05 }] };
    const pages = [Array.from({ length: 100 }, () => refund), [refund]];
    const api = {
      ...session().api,
      json: ({ query }: { query: { page?: string } }) => Promise.resolve({ body: pages[Number(query.page) - 1] }),
    } as unknown as ApiSession;
    const { lines } = await toOrder(api, { ...ORDER, refunds: [{ id: 1 }] });
    expect(lines[0]!.quantity).toBeCloseTo(4.95, 9);
  });

  it.each<[string, unknown, unknown]>([
    ['its refunds are not a list', null, {}],
    ['a refund is not an object', [null], {}],
    ['its refunds are gone and it is not an object itself', [], null],
  ])('is requested again, not skipped, when %s', async (_what, refunds, own) => {
    const api = {
      ...session().api,
      json: ({ url }: { url: string }) => Promise.resolve({ body: url.endsWith('/refunds') ? refunds : own }),
    } as unknown as ApiSession;
    const read = readRecords([{ ...ORDER, refunds: [{ id: 1 }] }], (order) => toOrder(api, order));
    await expect(read).rejects.toMatchObject({ kind: 'passing', code: 'malformed_reply' });
  });

  it('is skipped when it has no lines, whatever its refunds are', async () => {
    const order = { ...ORDER, line_items: undefined, refunds: [{ id: 1 }] } as unknown as WooOrder;
    expect(await readRecords([order], (record) => toOrder(session([{}]).api, record))).toEqual([undefined]);
  });

  it('counts nothing in any other state, and does not request refunds then', async () => {
    const { api, asked } = session([{}]);
    expect((await toOrder(api, { ...ORDER, status: 'cancelled', refunds: [{ id: 1 }] })).lines).toEqual([]);
    expect(asked).toEqual([]);
    await toOrder(api, { ...ORDER, refunds: [{ id: 1 }] });
    expect(asked).toEqual(['https://shop.example/wp-json/wc/v3/orders/727/refunds']);
  });

  it('is read in time linear in its lines and refunds', async () => {
    const begun = performance.now();
    const many = Array.from({ length: 100_000 }, (_, at) => ({ ...ORDER.line_items[0]!, id: at, product_id: at }));
    const refunds = [
      { line_items: many.map(({ product_id, variation_id }) => ({ product_id, variation_id, quantity: -1 })) },
    ];
    const order = { ...ORDER, line_items: many, refunds: [{ id: 1 }] };
    expect(new Set(await quantities(order, refunds))).toEqual(new Set([9]));
    expect(performance.now() - begun).toBeLessThan(10_000); // half a second; half a minute if every refund searches all lines
  });
});
