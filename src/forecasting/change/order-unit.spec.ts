import { describe, expect, it } from '@jest/globals';
import { OrderUnit } from './order-unit.js';

function unitOf(demand: readonly number[]): OrderUnit {
  const unit = new OrderUnit();
  for (const month of demand) unit.record(month);
  return unit;
}

describe('OrderUnit', () => {
  it('counts pieces where orders are of one or two', () => {
    expect(unitOf([0, 1, 0, 0, 2, 0, 1, 0]).count(3)).toBe(3);
  });

  it('counts packs', () => {
    expect(unitOf([0, 12, 0, 0, 24, 0, 12, 0]).count(36)).toBe(3);
  });

  it('takes large orders for one or two, whatever their pieces', () => {
    const unit = unitOf([0, 9, 0, 0, 11, 0, 10, 0, 0, 13, 0, 7]);
    expect([unit.count(7), unit.count(13)]).toEqual([1, 2]);
    expect([unit.count(0), unit.count(1)]).toEqual([0, 1]);
  });

  it('counts nothing before the first demand', () => {
    expect(unitOf([0, 0, 0]).count(5)).toBe(0);
  });
});
