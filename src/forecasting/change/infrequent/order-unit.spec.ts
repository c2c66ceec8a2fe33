import { describe, expect, it } from '@jest/globals';
import { OrderUnit } from './order-unit.js';

function unitOf(demand: readonly number[]): number {
  const unit = new OrderUnit();
  for (const month of demand) unit.record(month);
  return unit.size();
}

describe('OrderUnit', () => {
  it('is one piece for orders of one or two', () => {
    expect(unitOf([0, 1, 0, 0, 2, 0, 1, 0])).toBe(1);
  });

  it('is a pack for orders of whole packs', () => {
    expect(unitOf([0, 12, 0, 0, 24, 0, 12, 0])).toBe(12);
  });

  it('is most of an order when orders are large, whatever their pieces', () => {
    expect(unitOf([0, 9, 0, 0, 11, 0, 10, 0, 0, 13, 0, 7])).toBe(6);
  });

  it.each([
    ['tenths', [0, 0.1, 0, 0.3, 0, 0.2, 0, 0, 0.1, 0], 0.1],
    ['thirds', [0, 1 / 3, 0, 0, 2 / 3, 0, 1, 0, 0, 0], 1 / 3],
    ['a unit of large orders beside a negligible one', [0, 1e10, 0, 5e-324, 0, 1e10, 0], 1e10],
  ])('finds %s in spite of rounding', (_, demand, unit) => {
    expect(unitOf(demand)).toBeCloseTo(unit, 9);
  });

  it('is most of an order for amounts in cents, even if one is larger than all before', () => {
    const amounts = [0, 8123.41, 0, 0, 9377.13, 0, 7702.57, 0, 8844.29, 0, 0, 9015.83];
    const before = unitOf(amounts);
    expect(before).toBeGreaterThan(5000);
    expect(unitOf([...amounts, 14311.87]) / before).toBeCloseTo(1.12, 1);
  });

  it('is infinite before the first demand', () => {
    expect(5 / unitOf([0, 0, 0])).toBe(0);
  });
});
