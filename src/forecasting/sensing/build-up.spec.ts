import { describe, expect, it } from '@jest/globals';
import { createRandom } from '../../numeric/random.js';
import { daysInMonth, firstWeekday, monthNumber } from '../calendar.js';
import { dispersionWithin, expectedShare } from './expected-share.js';
import { EVEN_WEEK, profileShares } from './month-profile.js';
import { poolShareCurves } from './pooled-share-curve.js';
import { Recurrence } from './recurrence.js';
import { type DailyMonth, keptShare, shareCurve } from './share-curve.js';

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

describe('shareCurve', () => {
  it('counts returns and missing days as no demand', () => {
    const gaps = shareCurve(months(3, (d) => (d === 4 ? -50 : d === 9 ? NaN : 2)));
    const none = shareCurve(months(3, (d) => (d === 4 || d === 9 ? 0 : 2)));
    const alike = none.months.map((month, k) => ({ ...month, kept: gaps.months[k]!.kept }));
    expect(gaps).toEqual({ ...none, months: alike });
  });

  it('measures the share of demand that was not returned, counting months of net returns as none', () => {
    const returning = months(4, (d, _, month) => (d === 4 ? (month === JUNE - 1 ? -1000 : -15) : d < 24 ? 2 : NaN));
    expect(keptShare(shareCurve(returning))).toBeCloseTo((3 * (46 - 15)) / (4 * 46), 12);
    expect(keptShare(shareCurve(months(4, () => 2)))).toBe(1);
    expect([keptShare(shareCurve([])), keptShare(undefined)]).toEqual([1, 1]);
  });

  it('skips months without demand, and is even when there is none', () => {
    const curve = shareCurve(months(4, (d, _, month) => (month === JUNE - 2 ? 0 : d)));
    expect(curve.months.map(({ month }) => month)).toEqual([JUNE - 4, JUNE - 3, JUNE - 1]);
    const none = shareCurve(months(4, () => 0));
    expect(none.months).toEqual([]);
    expect(none.cumulative[31]).toBe(1);
    expect(none.weekdays).toEqual(new Array<number>(7).fill(1));
  });

  it('has the mean demand of each weekday relative to that of all days', () => {
    // March, April and May 2024 have five, four and four Sundays: days count equally, not months.
    const { weekdays } = shareCurve(months(3, (_, weekday, month) => (weekday === 0 ? month - JUNE + 4 : 1)));
    const sundays = (5 * 1 + 4 * 2 + 4 * 3) / 13;
    const all = (92 - 13 + 5 * 1 + 4 * 2 + 4 * 3) / 92;
    expect(weekdays[0]).toBeCloseTo(sundays / all, 12);
    expect(weekdays[3]).toBeCloseTo(1 / all, 12);
  });

  it('spreads the demand of a day over its length', () => {
    const april = shareCurve(months(2, (d, _, month) => Number(month === JUNE - 2 && d === 0)));
    expect(april.cumulative[1]).toBeCloseTo(30 / 31, 12);
    // After a quarter of 31 days the eighth is three quarters over; its weekday occurs five times, starting with the first day.
    const may = shareCurve(months(1, (d) => Number(d === 7)));
    expect(may.months[0]!.excess[0]).toBeCloseTo(0.75 - 1.75 / 5, 12);
  });

  it('weights months by their demand', () => {
    const curve = shareCurve(
      months(2, (d, _, month) => (month === JUNE - 1 ? 30 * Number(d === 0) : Number(d === 29))),
    );
    expect(curve.cumulative[16]).toBeCloseTo(30 / 31, 12);
    expect(curve.months.map(({ total }) => total)).toEqual([1, 30]);
  });
});

describe('profileShares', () => {
  it('attributes sales of the last day to the last day', () => {
    const cumulative = Array.from({ length: 32 }, (_, k) => Number(k === 31));
    expect(profileShares({ cumulative, weekdays: EVEN_WEEK }, JUNE - 1, [30 / 31, 30.5 / 31, 1])).toEqual([
      0,
      expect.closeTo(0.5, 9),
      1,
    ]);
  });
});

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

describe('dispersionWithin', () => {
  const pool = poolShareCurves(Array.from({ length: 10 }, (_, i) => shareCurve(orders(24, 8, 2, i + 1))))!;

  it('is the typical one of the workspace scaled to the month, or the fallback without a workspace', () => {
    expect(dispersionWithin({ pool }, 500, 7)).toBeCloseTo(500 * pool.relativeDispersion, 12);
    expect(dispersionWithin({}, 500, 7)).toBe(7);
    expect(dispersionWithin({ pool: poolShareCurves([shareCurve(months(1, () => 1))]) }, 500, 7)).toBe(7);
  });

  it('lies half way, on a logarithmic scale, between that and the one from three months of the series', () => {
    // Equal days have almost none; a hundredth of the usual one replaces it.
    const even = shareCurve(months(3, () => 5));
    expect(dispersionWithin({ own: even }, 500, 7)).toBeCloseTo(0.7, 6);
    const lumpy = dispersionWithin({ own: shareCurve(orders(3, 60, 0.3, 5)), pool }, 500, 7);
    expect(lumpy).toBeGreaterThan(500 * pool.relativeDispersion);
    expect(lumpy).toBeLessThan(60);
  });
});

describe('expectedShare', () => {
  /** Eight years in which every June sold only on the days of `onDay`, and other months evenly. */
  const junes = (onDay: (day: number) => boolean) =>
    poolShareCurves([
      shareCurve(months(96, (d, _, month) => (month % 12 === JUNE % 12 ? 300 * Number(onDay(d)) : 10))),
    ]);

  it('is 0 before the month and 1 after it, whatever is known about it', () => {
    const pool = junes((day) => day === 29);
    const own = shareCurve(orders(24, 3, 2, 7));
    for (const buildUp of [{}, { pool }, { own }, { own, pool }]) {
      expect([0, 1].map((elapsed) => expectedShare(buildUp, JUNE, elapsed))).toEqual([0, 1]);
    }
  });

  it('limits recurrence to half of what is usually sold by now, or of what is usually still to come', () => {
    const [last, first] = [junes((day) => day === 29), junes((day) => day === 0)];
    const usual = (pool: typeof last) => expectedShare({ pool }, JUNE + 1, 15.5 / 31);
    expect(expectedShare({ pool: last }, JUNE, 0.5) / usual(last)).toBeCloseTo(0.5, 1);
    expect((1 - expectedShare({ pool: first }, JUNE, 0.5)) / (1 - usual(first))).toBeCloseTo(0.5, 1);
  });

  it('interpolates recurrence linearly between the quarters of the month', () => {
    const pool = junes((day) => day >= 3);
    const bare = { ...pool!, recurrence: new Recurrence([]) };
    const added = (elapsed: number) =>
      expectedShare({ pool }, JUNE, elapsed) - expectedShare({ pool: bare }, JUNE, elapsed);
    expect(added(0.25)).toBeLessThan(-0.01);
    expect(added(0.125)).toBeCloseTo(added(0.25) / 2, 9);
    expect(added(0.625)).toBeCloseTo((added(0.5) + added(0.75)) / 2, 9);
    expect(added(0.875)).toBeCloseTo(added(0.75) / 2, 9);
  });
});
