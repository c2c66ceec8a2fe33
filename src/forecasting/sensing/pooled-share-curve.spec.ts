import { describe, expect, it } from '@jest/globals';
import { daysInMonth } from '../calendar.js';
import { poolShareCurves } from './pooled-share-curve.js';
import { shareCurve } from './share-curve.js';
import { dailyMonths, dailyOrders, JUNE } from '../testing/daily-demand.js';

describe('poolShareCurves', () => {
  const early = (count: number, size = 1) => shareCurve(dailyMonths(count, (d) => (d === 0 ? size : 0)));
  const late = (count: number) => shareCurve(dailyMonths(count, (d, _, month) => Number(d === daysInMonth(month) - 1)));

  it('weights every series by its months, whatever its volume', () => {
    const pool = poolShareCurves([early(1, 1000), late(3), shareCurve([])])!;
    expect(pool.cumulative[16]).toBeCloseTo(1 / 4, 12);
    expect(pool.cumulative[31]).toBeCloseTo(1, 12);
  });

  it('has each month once, oldest first, averaged over the series that show it', () => {
    const { months: pooled } = poolShareCurves([early(1), late(3)])!;
    expect(pooled.map(({ month }) => month)).toEqual([JUNE - 3, JUNE - 2, JUNE - 1]);
    const [first, last] = [early(1).months[0]!, late(3).months[2]!];
    expect(pooled[2]!.excess[1]).toBeCloseTo((first.excess[1]! + last.excess[1]!) / 2, 12);
  });

  it('is undefined when no series shows a month', () => {
    expect(poolShareCurves([])).toBeUndefined();
    expect(poolShareCurves([shareCurve([])])).toBeUndefined();
  });

  it('measures the dispersion of orders relative to the mean month', () => {
    const pool = poolShareCurves(Array.from({ length: 10 }, (_, i) => shareCurve(dailyOrders(36, 8, 2, i + 1))))!;
    const relative = 8 / (8 * 2 * 30.4);
    // Ten independent chances of a fifth each vary a fifth less than a Poisson count.
    expect(pool.relativeDispersion / relative).toBeGreaterThan(0.65);
    expect(pool.relativeDispersion / relative).toBeLessThan(1.15);
  });

  it('takes the geometric mean of dispersions, weighted by months', () => {
    const few = shareCurve(dailyOrders(36, 1, 0.2, 3));
    const many = shareCurve(dailyOrders(36, 1, 5, 4));
    const of = (...curves: ReturnType<typeof shareCurve>[]) => poolShareCurves(curves)!.relativeDispersion;
    const between = Math.sqrt(of(few) * of(many));
    expect(of(few) / of(many)).toBeGreaterThan(10);
    expect(of(few, many) / between).toBeGreaterThan(0.7);
    expect(of(few, many) / between).toBeLessThan(1.4);
  });

  it('measures dispersion independently of the unit of demand', () => {
    const of = (size: number) => poolShareCurves([shareCurve(dailyOrders(36, size, 2, 1))])!.relativeDispersion;
    expect(of(0.008) / of(8)).toBeCloseTo(1, 9);
  });

  it('has no dispersion from single months, and ignores them beside others', () => {
    expect(poolShareCurves([early(1)])!.relativeDispersion).toBeNaN();
    const others = Array.from({ length: 10 }, (_, i) => shareCurve(dailyOrders(36, 8, 2, i + 1)));
    const [alone, beside] = [others, [...others, early(1)]].map((curves) => poolShareCurves(curves)!);
    expect(beside!.relativeDispersion / alone!.relativeDispersion).toBeCloseTo(1, 1);
  });
});
