import { describe, expect, it } from '@jest/globals';
import { fromRestOrder, numericId, type ShopifyRestOrder, toSourceLine } from './shopify-order.js';

const ORDER: ShopifyRestOrder = {
  id: 450789469,
  created_at: '2026-11-01T09:00:00Z',
  processed_at: '2026-10-30T09:00:00Z',
  updated_at: '2026-11-02T10:00:00Z',
  cancelled_at: null,
  test: false,
  line_items: [
    { id: 1, sku: 'MUG', title: 'Mug', variant_title: 'blue', variant_id: 7, product_id: 3, quantity: 5 },
    { id: 2, sku: null, title: 'Cup', variant_title: 'Default Title', product_id: 4, quantity: 2, current_quantity: 1 },
  ],
  refunds: [
    { refund_line_items: [{ line_item_id: 1, quantity: 1 }] },
    { refund_line_items: [{ line_item_id: '1', quantity: 2 }] },
    {},
  ],
};

describe('an order in a webhook body', () => {
  it('counts what was bought minus all refunds, at the time of processing', () => {
    expect(fromRestOrder(ORDER)).toEqual({
      id: '450789469',
      updatedAt: new Date('2026-11-02T10:00:00Z'),
      placed: new Date('2026-10-30T09:00:00Z'),
      lines: [
        { sku: 'MUG', productId: '7', name: 'Mug – blue', quantity: 2 },
        { sku: null, productId: '4', name: 'Cup', quantity: 1 },
      ],
    });
  });

  it('was placed at its creation time when there is no processing time', () => {
    const placed = new Date('2026-11-01T09:00:00Z');
    expect(fromRestOrder({ ...ORDER, processed_at: null })).toMatchObject({ placed });
  });

  it.each([
    ['cancelled', { cancelled_at: '2026-11-02T10:00:00Z' }],
    ['a test', { test: true }],
  ])('counts nothing when it is %s', (_, changed) => {
    expect(fromRestOrder({ ...ORDER, ...changed })).toMatchObject({ id: '450789469', lines: [] });
  });

  it.each([
    ['its time of change', { updated_at: '' }],
    ['any time', { created_at: '', processed_at: null }],
  ])('is ignored without %s', (_, changed) => {
    expect(fromRestOrder({ ...ORDER, ...changed })).toBeUndefined();
  });
});

describe('an order line from the API', () => {
  const line = { sku: 'MUG', title: 'Mug', variantTitle: null, currentQuantity: 3 };

  it('is identified by its variant, or else its product, with the numeric id used in webhooks', () => {
    const [variant, product] = [{ id: 'gid://shopify/ProductVariant/7' }, { id: 'gid://shopify/Product/3' }];
    expect(toSourceLine({ ...line, variant, product })).toEqual({
      sku: 'MUG',
      productId: '7',
      name: 'Mug',
      quantity: 3,
    });
    expect(toSourceLine({ ...line, variant: null, product }).productId).toBe('3');
    expect(toSourceLine({ ...line, variant: null, product: null }).productId).toBeNull();
    expect(numericId('gid://shopify/Order/450789469')).toBe('450789469');
  });
});
