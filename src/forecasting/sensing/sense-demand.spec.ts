import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { daysInMonth, firstWeekday, monthNumber } from '../calendar.js';
import { poolShareCurves } from './pooled-share-curve.js';
import { senseDemand, type SensingInput } from './sense-demand.js';
import { shareCurve, type DailyMonth } from './share-curve.js';

/** A forecast of 100 with a standard deviation of 20. */
const PRIOR = { mean: 100, q10: 100 - 1.2815516 * 20, q50: 100, q90: 100 + 1.2815516 * 20 };

/** Thirty days starting on a Saturday. */
const JUNE = monthNumber(2024, 6);

function input(overrides: Partial<SensingInput> = {}): SensingInput {
  const { monthToDate = 40 } = overrides;
  const soFar = { monthToDate, sold: Math.max(monthToDate, 0), elapsed: 0.5 };
  return { month: JUNE, prior: PRIOR, ...soFar, wholeUnits: true, ...overrides };
}

/** The months before June 2024, demand on each day (0 the first, weekday 0 Sunday) as given. */
const months = (count: number, demand: (day: number, weekday: number, month: number) => number): DailyMonth[] =>
  Array.from({ length: count }, (_, k) => {
    const month = JUNE - count + k;
    const days = Array.from({ length: daysInMonth(month) }, (__, d) => demand(d, (firstWeekday(month) + d) % 7, month));
    return { month, days };
  });

/** Weight of the run rate in the expected rest of the month: w of the blend. */
function inRest(known: SensingInput): number {
  const { weight, expectedShare } = senseDemand(known);
  return (weight - expectedShare) / (1 - expectedShare);
}

const CURVES = [
  shareCurve(months(24, () => 10)),
  shareCurve(months(24, (d, _, month) => (d === (month * 11) % 28 ? 90 : 0))),
  shareCurve(months(24, (d) => (d === 14 || d === 27 ? 50 : 0))),
];
const anyItem = fc.record({
  size: fc.double({ min: 0.1, max: 3000, noNaN: true }),
  spread: fc.double({ min: 0, max: 1, noNaN: true }),
  own: fc.constantFrom(undefined, ...CURVES),
  pool: fc.constantFrom(undefined, poolShareCurves(CURVES)),
  day: fc.integer({ min: 1, max: 30 }),
  inProgress: fc.boolean(),
  wholeUnits: fc.boolean(),
  returned: fc.constantFrom(0, 30),
});

type ItemOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Item> ? Item : never;

/** An item on one of its days, with `part` of twice its forecast sold in the month. */
function inputOf(
  { size, spread, day, inProgress, returned, ...known }: ItemOf<typeof anyItem>,
  part: number,
): SensingInput {
  const half = 1.2815516 * spread * size;
  const prior = { mean: size, q10: Math.max(size - half, 0), q50: size, q90: size + half };
  const sold = known.wholeUnits ? Math.ceil(2 * size * part) : 2 * size * part;
  const today = inProgress ? { sold, begins: (day - 1) / 30, ends: day / 30 } : undefined;
  const elapsed = (inProgress ? day - 0.5 : day) / 30;
  return input({ ...known, prior, elapsed, today, sold, monthToDate: sold - returned });
}

describe('senseDemand', () => {
  it('is the gamma-Poisson blend: half of the variance of 400 is orders: phi = 2, v = 200, a = 50, b = .5', () => {
    // D = 40 + .5 (50 + 40/2) / (.5 + .5/2)
    const result = senseDemand(input());
    expect(result.mean).toBeCloseTo(40 + (0.5 * 70) / 0.75, 4);
    expect(result.weight).toBeCloseTo(0.5 + (0.5 * 0.25) / 0.75, 6);
    expect(result.runRate).toBe(80);
    expect(result.expectedShare).toBe(0.5);
  });

  it('has the quantiles of a negative binomial remainder (scipy.stats.nbinom: mean 46.67, variance 124.4)', () => {
    expect(senseDemand(input())).toMatchObject({ q10: 73, q50: 86, q90: 101 });
  });

  it('keeps a certain forecast, with Poisson variation in its orders (scipy.stats.poisson of 50)', () => {
    const prior = { mean: 100, q10: 100, q50: 100, q90: 100 };
    const result = senseDemand(input({ prior, monthToDate: 10 }));
    expect(result).toMatchObject({ weight: 0.5, mean: 60, q10: 51, q50: 60, q90: 69 });
  });

  it('assumes at least one piece per order of whole pieces', () => {
    // Variance 25 at a mean of 100: half of it implies orders of an eighth; whole ones leave a quarter of it to the rate.
    const prior = { mean: 100, q10: 100 - 1.2815516 * 5, q50: 100, q90: 100 + 1.2815516 * 5 };
    expect(inRest(input({ prior }))).toBeCloseTo(0.5 / (100 / 6.25 + 0.5), 6);
    expect(inRest(input({ prior, wholeUnits: false }))).toBeCloseTo(4 / (100 / 12.5 + 4), 6);
  });

  it('has ordered quantiles that never fall below the month to date', () => {
    for (let day = 1; day <= 30; day++) {
      const { q10, q50, q90, monthToDate } = senseDemand(input({ elapsed: day / 30, monthToDate: 3 * day }));
      expect(monthToDate).toBeLessThanOrEqual(q10);
      expect(q10).toBeLessThanOrEqual(q50);
      expect(q50).toBeLessThanOrEqual(q90);
    }
  });

  it('is never negative for a month with more returns than demand so far', () => {
    const over = senseDemand(input({ monthToDate: -30, elapsed: 1 }));
    expect(over).toMatchObject({ monthToDate: -30, mean: 0, q10: 0, q50: 0, q90: 0 });
    const late = senseDemand(input({ monthToDate: -30, elapsed: 0.9 }));
    expect(late).toMatchObject({ mean: 0, q10: 0 });
    // Returns do not change the demand still to come.
    expect(senseDemand(input({ monthToDate: -5 })).mean).toBeCloseTo(
      senseDemand(input({ monthToDate: 0 })).mean - 5,
      9,
    );
  });

  it('subtracts a large return from the month, but not from what is still to come', () => {
    // Ten a day: 220 in the first 22 days, -30 after returns, and 80 still to come.
    const own = shareCurve(months(24, () => 10));
    const prior = { mean: 300, q10: 300 - 1.2815516 * 20, q50: 300, q90: 300 + 1.2815516 * 20 };
    const soFar = { prior, own, elapsed: 22 / 30, sold: 220 };
    const returned = senseDemand(input({ ...soFar, monthToDate: -30 }));
    expect(returned.mean).toBeCloseTo(50, 0);
    expect(returned.q10).toBeGreaterThan(30);
    expect(returned.mean - senseDemand(input({ ...soFar, monthToDate: 0 })).mean).toBeCloseTo(-30, 9);
    expect(returned.runRate).toBeGreaterThan(290);
  });

  it('expects an item with 40 % monthly returns to be returned again', () => {
    const own = shareCurve(months(24, (d) => (d % 5 === 4 ? -20 : 10)));
    const prior = { mean: 120, q10: 120 - 1.2815516 * 30, q50: 120, q90: 120 + 1.2815516 * 30 };
    const usual = { prior, own, elapsed: 0.5, sold: 120, monthToDate: 60 };
    expect(senseDemand(input(usual)).mean).toBeGreaterThan(110);
    expect(senseDemand(input(usual)).mean).toBeLessThan(130);
  });

  describe('of an item with returns', () => {
    /** Width of the range halfway through a usual month: ten a day are sold, and `returned` of a month come back on its 15th. */
    const width = (returned: (month: number) => number): number => {
      const own = shareCurve(months(24, (day, _, month) => (day === 14 ? 10 - returned(month) : 10)));
      const prior = { mean: 250, q10: 250 - 1.2815516 * 30, q50: 250, q90: 250 + 1.2815516 * 30 };
      const { q10, q90 } = senseDemand(input({ prior, own, elapsed: 0.5, sold: 150, monthToDate: 125 }));
      return q90 - q10;
    };

    it('is less certain the more its months differ in what comes back', () => {
      const some = width((month) => 60 + 20 * (month % 3));
      expect(some).toBeGreaterThan(1.5 * width(() => 60));
      expect(width((month) => 60 + 40 * (month % 3))).toBeGreaterThan(1.5 * some);
    });

    it('is as certain as before after a single large return', () => {
      expect(width((month) => (month === JUNE - 9 ? 400 : 60))).toBeLessThan(1.05 * width(() => 60));
    });
  });

  it('never decreases as the month to date grows', () => {
    fc.assert(
      fc.property(anyItem, (item) => {
        const { size, wholeUnits, inProgress } = item;
        const sensed = Array.from({ length: 50 }, (_, k) => senseDemand(inputOf(item, (k / 49) ** 2)));
        const fall = (of: 'mean' | 'q10' | 'q50' | 'q90') =>
          Math.max(...sensed.slice(1).map((next, k) => sensed[k]![of] - next[of]));
        expect(fall('mean')).toBeLessThan(1e-9 * size);
        // Quantiles are rounded to steps and may lose one. The more the day in progress has sold, the less of it is uncertain.
        if (inProgress) return;
        const step = wholeUnits ? 1 : 0.05 * size;
        expect(Math.max(fall('q10'), fall('q50'), fall('q90'))).toBeLessThanOrEqual(step);
      }),
      { numRuns: 100, seed: 5 },
    );
  });

  it('combines run rate and prior by the weight, less returns beyond the usual', () => {
    fc.assert(
      fc.property(anyItem, fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })), (item, part) => {
        const { mean, weight, runRate, expectedShare, prior, monthToDate } = senseDemand(inputOf(item, part));
        const ofRunRate = runRate === null ? monthToDate : weight * runRate + monthToDate - runRate * expectedShare;
        expect(Math.abs(mean - Math.max(ofRunRate + (1 - weight) * prior, 0))).toBeLessThan(
          1e-9 * Math.max(prior, mean),
        );
        expect(weight).toBeGreaterThanOrEqual(0);
        expect(weight).toBeLessThanOrEqual(1);
      }),
      { numRuns: 1_000, seed: 5 },
    );
  });

  it('expects little more from an item that sells every day but has sold nothing for three weeks', () => {
    const certain = { mean: 100, q10: 100, q50: 100, q90: 100 };
    const silent = senseDemand(input({ prior: certain, monthToDate: 0, elapsed: 0.7 }));
    // 1 + .7 ln .7 / .3 of the remaining forecast of 30; the silence continues in .7 of all cases
    expect(silent.mean).toBeCloseTo(5.033, 3);
    expect(silent).toMatchObject({ q10: 0, q50: 0 });
    expect(silent.q90).toBeGreaterThan(10);
    expect(senseDemand(input({ prior: certain, monthToDate: 1, elapsed: 0.7 })).mean).toBeCloseTo(31, 6);
  });

  it('attributes a month without sales so far to chance for an item that sells twice a month', () => {
    const prior = { mean: 2, q10: 0, q50: 2, q90: 4 };
    const silent = senseDemand(input({ prior, monthToDate: 0, elapsed: 0.7 }));
    // sigma = 1.56, phi = 1: a quarter of the variance is left to the rate, w = .7 / (2 / .609 + .7)
    expect(silent.mean).toBeGreaterThan(0.99 * 0.3 * (1 - 0.176) * 2);
  });

  it('does not lower the rate for a single day without sales, such as a holiday', () => {
    const own = shareCurve(months(24, () => 33));
    const prior = { mean: 1000, q10: 1000 - 1.2815516 * 150, q50: 1000, q90: 1000 + 1.2815516 * 150 };
    const holiday = senseDemand(input({ prior, own, monthToDate: 0, elapsed: 1 / 30 }));
    // 1 + e ln e / (1 - e) of the remaining 967
    expect(holiday.mean).toBeCloseTo(853.3, 0);
  });

  it('waits for an item that sells late in each month, but no longer than it ever took', () => {
    const own = shareCurve(months(24, (d) => (d === 14 || d === 27 ? 50 : 0)));
    const after = (days: number): number => senseDemand(input({ own, monthToDate: 0, elapsed: days / 30 })).mean;
    expect(after(14)).toBeGreaterThan(75);
    expect(after(18)).toBeLessThan(20);
  });

  it('does not mistake an item for late-selling because its record starts mid-month', () => {
    const whole = shareCurve(months(12, () => 3));
    const begun = shareCurve(months(12, (day, _, month) => (month === JUNE - 12 && day < 14 ? NaN : 3)));
    const after = (own: typeof whole) => senseDemand(input({ own, monthToDate: 0, elapsed: 10 / 30 })).mean;
    expect(after(whole)).toBeLessThan(40);
    expect(after(begun) / after(whole)).toBeCloseTo(1, 1);
  });

  describe('during the day in progress', () => {
    const own = shareCurve(months(24, () => 13));
    const prior = { mean: 400, q10: 400 - 1.2815516 * 40, q50: 400, q90: 400 + 1.2815516 * 40 };
    /** On a day of June, after daily sales of 13, with `over` of the day elapsed and `sold` sold. */
    const during = (day: number, over: number, sold: number) => {
      const [begins, ends] = [(day - 1) / 30, day / 30];
      const monthToDate = 13 * (day - 1) + sold;
      const today = { sold, begins, ends };
      return senseDemand(input({ prior, own, monthToDate, elapsed: (day - 1 + over) / 30, today }));
    };

    it('treats a usual day recorded in its first minutes as a day, not as the start of an enormous month', () => {
      const early = during(1, 0.001, 13);
      expect(early.mean).toBeGreaterThan(390);
      expect(early.mean).toBeLessThan(401);
      expect(early.q90).toBeLessThan(prior.q90);
      expect(early.runRate).toBeLessThan(401);
    });

    it('expects the same monthly total whichever part of a usual day has been sold so far', () => {
      const usual = during(10, 0.1, 1.3).mean;
      for (const sold of [4, 8, 12]) expect(during(10, 0.1, sold).mean).toBeCloseTo(usual, 2);
    });

    it('does not become more certain when sales could be any part of a day', () => {
      const { q10, q90 } = during(1, 0.5, 6);
      expect(q90 - q10).toBeGreaterThan(0.95 * (prior.q90 - prior.q10));
      expect(q90 - q10).toBeLessThan(1.05 * (prior.q90 - prior.q10));
    });

    it('does not mistake the first orders of a morning for a poor month', () => {
      expect(during(1, 0.375, 1).mean).toBeCloseTo(400, 0);
      expect(during(1, 0.375, 0).mean).toBeCloseTo(400, 0);
      expect(during(1, 0.95, 1).mean).toBeLessThan(350);
    });

    it('expects a better month from sales above a whole usual day', () => {
      expect(during(10, 0.5, 60).mean - during(10, 0.5, 13).mean).toBeGreaterThan(47);
    });

    it('treats the last day like any other', () => {
      expect(during(30, 0.5, 6.5).mean).toBeCloseTo(390, 0);
      expect(during(30, 0.999, 13).mean).toBeCloseTo(390, 0);
      expect(during(30, 0.999, 0).mean).toBeCloseTo(377, 0);
    });
  });

  it('returns the forecast before the month has started and the demand once it is over', () => {
    expect(senseDemand(input({ elapsed: 0, monthToDate: 0 }))).toMatchObject({ ...PRIOR, runRate: null, weight: 0 });
    expect(senseDemand(input({ elapsed: 1, monthToDate: 91 }))).toMatchObject({ mean: 91, q10: 91, q50: 91, q90: 91 });
  });

  it('trusts the run rate more when orders are frequent and small', () => {
    const steady = shareCurve(months(24, () => 3));
    const lumpy = shareCurve(months(24, (d, _, month) => (d === (month * 11) % 28 ? 90 : 0)));
    expect(inRest(input({ own: steady }))).toBeGreaterThan(0.65);
    expect(inRest(input({ own: lumpy }))).toBeLessThan(0.2);
  });

  it('accounts for late-selling months: 17 by mid-month is no bad sign when most is sold in the second half', () => {
    const late = shareCurve(months(24, (d) => (d < 15 ? 1 : 5)));
    const result = senseDemand(input({ monthToDate: 17, own: late }));
    expect(result.expectedShare).toBeLessThan(0.3);
    expect(result.mean).toBeGreaterThan(75);
  });

  it('accounts for remaining weekdays: a shop closed at weekends sells less when the month starts with one', () => {
    const own = shareCurve(months(24, (_, weekday) => (weekday === 0 || weekday === 6 ? 0 : 3)));
    // Eight days from a Saturday contain five weekdays of twenty; eight days from a Thursday, six of twenty-one.
    const june = senseDemand(input({ own, elapsed: 8 / 30 })).expectedShare;
    const august = senseDemand(input({ own, elapsed: 8 / 31, month: JUNE + 2 })).expectedShare;
    expect(june).toBeLessThan(0.262);
    expect(august).toBeGreaterThan(0.268);
  });

  it('expects what the same month of the year before showed, to the extent that it recurs', () => {
    const holiday = (from: number) =>
      Array.from({ length: 5 }, () =>
        shareCurve(months(24, (d, _, month) => (month % 12 === 5 && month >= from && d < 10 ? 0 : 3))),
      );
    const [twice, once] = [poolShareCurves(holiday(0)), poolShareCurves(holiday(JUNE - 12))];
    const share = (pool: ReturnType<typeof poolShareCurves>) =>
      senseDemand(input({ pool, elapsed: 0.25 })).expectedShare;
    expect(share(twice)).toBeLessThan(0.2);
    expect(share(once)).toBeGreaterThan(0.22);
  });

  it('does not mistake two single orders late in the month for a build-up', () => {
    const own = shareCurve(months(2, (d) => (d === 26 ? 1 : 0)));
    expect(senseDemand(input({ own, monthToDate: 9 })).expectedShare).toBeGreaterThan(0.2);
  });

  it('borrows the build-up of the workspace while a series has none', () => {
    const pool = poolShareCurves(Array.from({ length: 20 }, () => shareCurve(months(12, (d) => (d < 15 ? 1 : 5)))));
    // 12 months against two of even days: 12/14 of the way from .5 to 1/6.
    expect(senseDemand(input({ pool })).expectedShare).toBeCloseTo(1 / 6 + 1 / 21, 1);
    expect(senseDemand(input({ pool: undefined })).expectedShare).toBe(0.5);
  });

  it('scales the order size of the workspace by the forecast, or by what should be sold by now when that is more', () => {
    const even = poolShareCurves([shareCurve(months(12, () => 1))])!;
    const pool = { ...even, relativeDispersion: 0.02 };
    const weight = (monthToDate: number) => inRest(input({ pool, monthToDate }));
    // phi = 2 as in the first test; then phi = 6, and a quarter of 400 is left to the rate.
    expect(weight(10)).toBeCloseTo(0.25 / 0.75, 6);
    expect(weight(300)).toBeCloseTo(0.5 / 6 / (1 + 0.5 / 6), 6);
  });

  it('scales with the unit of divisible demand', () => {
    const scaled = (unit: number) => {
      const prior = { mean: 100 * unit, q10: PRIOR.q10 * unit, q50: 100 * unit, q90: PRIOR.q90 * unit };
      const result = senseDemand(input({ prior, monthToDate: 40 * unit, wholeUnits: false }));
      return [result.mean / unit, result.q10 / unit, result.q90 / unit];
    };
    const [mean, q10, q90] = scaled(1) as [number, number, number];
    for (const unit of [1e-9, 1e9]) {
      const other = scaled(unit);
      expect(other[0]).toBeCloseTo(mean, 6);
      expect(other[1]).toBeCloseTo(q10, 6);
      expect(other[2]).toBeCloseTo(q90, 6);
    }
  });

  it.each([
    ['no forecast demand', { prior: { mean: 0, q10: 0, q50: 0, q90: 0 }, monthToDate: 0 }],
    ['demand without a forecast', { prior: { mean: 0, q10: 0, q50: 0, q90: 0 }, monthToDate: 12 }],
    ['more returns than demand', { monthToDate: -5 }],
    ['a certain forecast', { prior: { mean: 100, q10: 100, q50: 100, q90: 100 } }],
    ['a huge forecast', { prior: { mean: 1e12, q10: 9e11, q50: 1e12, q90: 1.1e12 }, monthToDate: 6e11 }],
  ] as [string, Partial<SensingInput>][])('returns finite ordered quantiles for %s', (_, overrides) => {
    const { mean, q10, q50, q90 } = senseDemand(input(overrides));
    for (const value of [mean, q10, q50, q90]) expect(Number.isFinite(value)).toBe(true);
    expect(q10).toBeLessThanOrEqual(q50);
    expect(q50).toBeLessThanOrEqual(q90);
  });

  it('refuses an elapsed share outside 0 to 1 and a demand that is not a number', () => {
    for (const elapsed of [-0.1, 1.2, NaN]) expect(() => senseDemand(input({ elapsed }))).toThrow(/elapsed/);
    expect(() => senseDemand(input({ monthToDate: NaN }))).toThrow(/month_to_date/);
    for (const sold of [-1, Infinity]) expect(() => senseDemand(input({ sold }))).toThrow(/sold/);
  });
});
