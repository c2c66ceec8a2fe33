import { describe, expect, it } from '@jest/globals';
import { createRandom } from '../../numeric/random.js';
import { daysInMonth, firstWeekday, monthNumber } from '../calendar.js';
import { poolShareCurves } from './pooled-share-curve.js';
import { type DailyMonth, shareCurve } from './share-curve.js';

const JUNE = monthNumber(2024, 6);

/** The months before June 2024, demand on each day (0 the first, weekday 0 Sunday) as given. */
function months(count: number, demand: (day: number, weekday: number, month: number) => number): DailyMonth[] {
  return Array.from({ length: count }, (_, k) => {
    const month = JUNE - count + k;
    const days = Array.from({ length: daysInMonth(month) }, (__, d) => demand(d, (firstWeekday(month) + d) % 7, month));
    return { month, days };
  });
}

/** Independent orders of `size`, about `perDay` a day. */
function orders(count: number, size: number, perDay: number, seed: number): DailyMonth[] {
  const random = createRandom(seed);
  const chances = 10;
  return months(count, () => {
    let orders = 0;
    for (let i = 0; i < chances; i++) if (random() < perDay / chances) orders++;
    return size * orders;
  });
}

describe('poolShareCurves', () => {
  const early = (count: number, size = 1) => shareCurve(months(count, (d) => (d === 0 ? size : 0)));
  const late = (count: number) => shareCurve(months(count, (d, _, month) => Number(d === daysInMonth(month) - 1)));

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
    const pool = poolShareCurves(Array.from({ length: 10 }, (_, i) => shareCurve(orders(36, 8, 2, i + 1))))!;
    const relative = 8 / (8 * 2 * 30.4);
    // Ten independent chances of a fifth each vary a fifth less than a Poisson count.
    expect(pool.relativeDispersion / relative).toBeGreaterThan(0.65);
    expect(pool.relativeDispersion / relative).toBeLessThan(1.15);
  });

  it('takes the geometric mean of dispersions, weighted by months', () => {
    const few = shareCurve(orders(36, 1, 0.2, 3));
    const many = shareCurve(orders(36, 1, 5, 4));
    const of = (...curves: ReturnType<typeof shareCurve>[]) => poolShareCurves(curves)!.relativeDispersion;
    const between = Math.sqrt(of(few) * of(many));
    expect(of(few) / of(many)).toBeGreaterThan(10);
    expect(of(few, many) / between).toBeGreaterThan(0.7);
    expect(of(few, many) / between).toBeLessThan(1.4);
  });

  it('measures dispersion independently of the unit of demand', () => {
    const of = (size: number) => poolShareCurves([shareCurve(orders(36, size, 2, 1))])!.relativeDispersion;
    expect(of(0.008) / of(8)).toBeCloseTo(1, 9);
  });

  it('has no dispersion from single months, and ignores them beside others', () => {
    expect(poolShareCurves([early(1)])!.relativeDispersion).toBeNaN();
    const others = Array.from({ length: 10 }, (_, i) => shareCurve(orders(36, 8, 2, i + 1)));
    const [alone, beside] = [others, [...others, early(1)]].map((curves) => poolShareCurves(curves)!);
    expect(beside!.relativeDispersion / alone!.relativeDispersion).toBeCloseTo(1, 1);
  });
});
