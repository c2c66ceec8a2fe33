import { describe, expect, it } from '@jest/globals';
import { createRandom } from '../../numeric/random.js';
import { LEVELS } from '../types.js';
import { forecastCycle, orderCycle } from './order-cycle.js';

const history = (months: number, demand: (t: number) => number): Float64Array =>
  Float64Array.from({ length: months }, (_, t) => demand(t));
const size = (t: number): number => 90 + ((t * 7) % 11);

describe('orderCycle', () => {
  it.each([
    ['every second month', 18, (t: number) => (t % 2 === 1 ? size(t) : 0), 2, [1]],
    ['every third month', 20, (t: number) => (t % 3 === 0 ? size(t) : 0), 3, [0]],
    [
      'every fifth month, apart from single pieces',
      50,
      (t: number) => (t % 5 === 4 ? size(t) : t % 7 === 0 ? 1 : 0),
      5,
      [4],
    ],
    ['in two months of six, with one extra order', 40, (t: number) => (t % 6 < 2 || t === 28 ? size(t) : 0), 6, [0, 1]],
    ['every third month since a launch', 54, (t: number) => (t % 3 === 0 && t >= 30 ? size(t) : 0), 3, [0]],
    ['every third month, after a shift', 64, (t: number) => (t % 3 === (t < 40 ? 0 : 1) ? size(t) : 0), 3, [1]],
    [
      'every fourth month, with one of the four never observed',
      48,
      (t: number) => (t % 4 === 2 ? NaN : t % 4 === 0 ? size(t) : 0),
      4,
      [0],
    ],
    ['every third month, with a missing month', 24, (t: number) => (t === 9 ? NaN : t % 3 === 0 ? size(t) : 0), 3, [0]],
  ])('recognizes orders %s', (_, length, demand, months, sells) => {
    const cycle = orderCycle(history(length, demand));
    expect(cycle?.months).toBe(months);
    expect(cycle?.sells.flatMap((is, i) => (is ? [i] : []))).toEqual(sells);
  });

  it.each([
    ['three quarterly orders', 9, (t: number) => (t % 3 === 0 ? size(t) : 0)],
    ['three quarterly orders long after a launch', 49, (t: number) => (t >= 40 && t % 3 === 1 ? size(t) : 0)],
    ['orders every third month that skip every fifth', 60, (t: number) => (t % 3 === 0 && t % 15 ? size(t) : 0)],
    ['spells of demand', 60, (t: number) => (t % 20 < 9 ? size(t) : 0)],
    ['demand in every month', 60, size],
    ['orders that have stopped', 40, (t: number) => (t % 3 === 0 && t < 28 ? size(t) : 0)],
    ['no demand', 40, () => 0],
    ['nothing observed', 40, () => NaN],
  ])('finds none in %s', (_, length, demand) => {
    expect(orderCycle(history(length, demand))).toBeUndefined();
  });

  it('mistakes random orders for a cycle less than once in a thousand', () => {
    const random = createRandom(5);
    const found = Array.from({ length: 4_000 }, (_, i) => {
      const rate = 0.05 + 0.12 * (i % 6);
      return orderCycle(history(12 + (i % 80), () => (random() < rate ? 1 : 0)));
    }).filter((cycle) => cycle !== undefined);
    expect(found.length).toBeLessThan(4);
  });
});

describe('forecastCycle', () => {
  it('expects orders of the usual size in their months and nothing in between', () => {
    const values = history(22, (t) => (t % 3 === 0 ? size(t) : 0));
    const { mean, quantiles } = forecastCycle(values, orderCycle(values)!, 12, 1);
    mean.forEach((expected, k) => {
      const [low, high] = [quantiles[k * LEVELS]!, quantiles[k * LEVELS + LEVELS - 1]!];
      if ((22 + k) % 3 === 0) {
        expect(Math.abs(expected - 95)).toBeLessThan(5);
        expect(low).toBeLessThan(expected);
        expect(high).toBeGreaterThan(expected);
      } else expect([expected, low, high]).toEqual([0, 0, 0]);
    });
  });

  it.each([
    ['since a pause', 57, (t: number) => (t % 3 === 0 && (t < 36 || t >= 48) ? size(t) : 0)],
    ['in each of the two selling months of a cycle', 24, (t: number) => (t % 6 < 2 ? size(t) : 0)],
    ['in one of two selling months, all equal', 24, (t: number) => (t % 6 === 1 ? 100 : t % 6 === 0 ? size(t) : 0)],
  ])('has intervals as wide as order sizes vary when there were few %s', (_, length, demand) => {
    const values = history(length, demand);
    const { mean, quantiles } = forecastCycle(values, orderCycle(values)!, 6, 1);
    mean.forEach((expected, k) => {
      if (expected === 0) return;
      const range = quantiles[k * LEVELS + LEVELS - 1]! - quantiles[k * LEVELS]!;
      expect(range / expected).toBeGreaterThan(0.04);
      expect(range / expected).toBeLessThan(0.2);
    });
  });

  it('expects the size of the only order again where no order shows how sizes vary', () => {
    const values = Float64Array.of(0, 0, 90, 0);
    const { mean, quantiles } = forecastCycle(values, { months: 3, sells: [false, false, true] }, 2, 1);
    expect([...mean]).toEqual([0, 90]);
    expect([...quantiles.subarray(LEVELS)]).toEqual(new Array(LEVELS).fill(90));
  });

  it('expects the order size since the first order, whatever months without any come before it', () => {
    const values = history(34, (t) => (t % 3 === 0 && t >= 9 ? size(t) : 0));
    const sinceFirst = values.subarray(9);
    const forecastOf = (demand: Float64Array) => forecastCycle(demand, orderCycle(demand)!, 3, 1);
    expect(forecastOf(values)).toEqual(forecastOf(sinceFirst));
  });

  it('expects the order size since the last pause', () => {
    const sizeAt = (t: number): number => (t < 12 ? 900 : t < 60 ? 0 : size(t));
    const values = history(84, (t) => (t % 3 === 0 ? sizeAt(t) : 0));
    const { mean, quantiles } = forecastCycle(values, orderCycle(values)!, 3, 1);
    expect(Math.abs(mean[0]! - 95)).toBeLessThan(5);
    expect(quantiles[LEVELS - 1]! - quantiles[0]!).toBeLessThan(20);
  });
});
