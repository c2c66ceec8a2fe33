import { describe, expect, it } from '@jest/globals';
import type { ApiSession } from '../api-session.js';
import { SALES } from './odoo-channel.js';
import { odoo } from './odoo.js';
import { readOrders } from './odoo-order.js';

describe('an Odoo error message', () => {
  it('is parsed in linear time, whatever the server sends', () => {
    const begun = performance.now();
    const body = 'the model '.repeat(60_000);
    expect(odoo.refusal?.({ status: 404, headers: {}, body })?.message).toContain('There is no JSON-2 API');
    expect(performance.now() - begun).toBeLessThan(10_000); // a millisecond; a minute if quadratic
  });
});

describe('Odoo orders', () => {
  it('are read in time linear in the number of orders and lines', async () => {
    const begun = performance.now();
    const time = '2026-11-01 06:00:00';
    const ids = Array.from({ length: 60_000 }, (_, at) => at + 1);
    const replies: Record<string, readonly object[]> = {
      'sale.order': ids.map((id) => ({ id, state: 'sale', date_order: time, write_date: time })),
      'sale.order.line': ids.map((id) => ({ id, order_id: id, product_id: 1, product_uom_qty: 2, write_date: time })),
      'product.product': [{ id: 1, default_code: 'SOAP', display_name: 'Soap', uom_id: false }],
    };
    const api = {
      value: (name: string) => (name === 'counted_states' ? 'sale' : 'https://erp.example'),
      once: (_about: string, ask: () => unknown) => ask(),
      json: ({ url }: { url: string }) => Promise.resolve({ body: replies[url.split('/').at(-2)!] ?? [] }),
    };
    const orders = await readOrders(api as unknown as ApiSession, SALES, ids);
    expect(new Set(orders.map((order) => order?.lines.length))).toEqual(new Set([1]));
    expect(performance.now() - begun).toBeLessThan(10_000); // half a second; half a minute if every order searches all lines
  });
});
