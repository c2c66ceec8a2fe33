import { describe, expect, it } from '@jest/globals';
import { LEVELS, MEDIAN, parseMonth } from '../../../forecasting/index.js';
import type { ListedDetail } from '../../../forecasts/index.js';
import type { OverrideValue } from '../../../series/index.js';
import { Totals, TOTALS_BY_CATEGORY } from './totals.js';

const START = parseMonth('2026-12');

/** A forecast of two months with a mean of 100 and a median of 110. */
function detailOf(group: { readonly category?: string; readonly unit?: string } = {}): ListedDetail {
  const quantiles = new Float64Array(2 * LEVELS).fill(110);
  const forecast = { kind: 'forecast', id: 'a', firstMonth: START, model: 'combination', pattern: 'smooth' } as const;
  return {
    uniqueId: 'a',
    forecast: { ...forecast, mean: Float64Array.from([100, 100]), quantiles, backtest: [] },
    history: { id: 'a', startMonth: START - 2, values: Float64Array.from([100, 100]), ...group },
  };
}

const finals = async (totals: Totals) => (await totals.list(true)).map(({ final }) => final);
const by = (month: number, kind: OverrideValue['kind'], value: number) => new Map([[month, { kind, value }]]);

describe('Totals', () => {
  it('orders by category and unit, those without last, and keeps apart what reads the same when joined', async () => {
    const totals = new Totals(TOTALS_BY_CATEGORY);
    const groups = [
      {},
      { category: 'ab' },
      { category: 'a' },
      { category: 'a', unit: 'kg' },
      { category: 'a', unit: 'b' },
    ];
    for (const group of groups) totals.add(detailOf(group), undefined);
    expect(totals.size).toBe(5);
    expect((await totals.list(true)).map(({ category, unit, ds }) => [category, unit, ds.slice(0, 7)])).toEqual(
      [
        ['a', 'b'],
        ['a', 'kg'],
        ['a', null],
        ['ab', null],
        [null, null],
      ].flatMap((group) => ['2026-12', '2027-01'].map((month) => [...group, month])),
    );
  });

  it('adds what overrides of any kind change of the medians of their months, and of the months added up', async () => {
    for (const [sumMonths, expected] of [
      [false, [200 + 90 + 11, 200 - 30]],
      [true, [400 + 90 + 11 - 30]],
    ] as const) {
      const totals = new Totals({ ...TOTALS_BY_CATEGORY, sumMonths });
      totals.add(detailOf(), new Map([...by(START, 'absolute', 200), ...by(START + 1, 'delta', -30)]));
      totals.add(detailOf(), by(START, 'percent', 10));
      expect(await finals(totals)).toEqual(expected);
    }
  });

  it('is never below zero where overrides take away more than the mean', async () => {
    const totals = new Totals(TOTALS_BY_CATEGORY);
    totals.add(detailOf(), by(START, 'absolute', 0));
    expect(detailOf().forecast.quantiles[MEDIAN]).toBeGreaterThan(100);
    expect(await finals(totals)).toEqual([0, 100]);
  });

  it('ignores overrides of months that are not forecast or not asked for', async () => {
    const totals = new Totals({ ...TOTALS_BY_CATEGORY, sumMonths: true, from: START + 1 });
    const overrides = [START - 1, START, START + 2].flatMap((month) => [...by(month, 'delta', 50)]);
    totals.add(detailOf(), new Map(overrides));
    expect(await finals(totals)).toEqual([100]);
  });
});
