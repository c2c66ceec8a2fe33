import { describe, expect, it } from '@jest/globals';
import { normalQuantile } from '../../../numeric/normal.js';
import { createRandom } from '../../../numeric/random.js';
import type { DemandHistory } from '../../types.js';
import { NILE } from '../../testing/series.js';
import { assessTrend, type DemandChange, labelAfter, nextTrendLabel, trendChange, type TrendLabel } from '../index.js';
import { monotonicTrend } from './mann-kendall.js';

/** Demand of about 500 with a season of 30 % and noise of 5 % that grows by `growth` a year over the last two years. */
function demand(growth: number, months = 60, seed = 5): DemandHistory {
  const random = createRandom(seed);
  const values = Float64Array.from({ length: months }, (_, t) => {
    const trend = Math.exp((growth * Math.max(t - months + 24, 0)) / 12);
    return 500 * trend * (1 + 0.3 * Math.cos((2 * Math.PI * t) / 12)) * (1 + 0.05 * normalQuantile(random()));
  });
  return { id: 'a', startMonth: 24_000, values };
}

describe('monotonicTrend', () => {
  it('finds slope and significance of a straight line (n = 10: S = 45, variance 125, z = 3.935)', () => {
    const { slope, pValue } = monotonicTrend([3, 5, 7, 9, 11, 13, 15, 17, 19, 21]);
    expect(slope).toBe(2);
    expect(pValue).toBeCloseTo(8.3e-5, 6);
  });

  it('agrees with a sample computed by hand: S = 6 of five values, p = .2207', () => {
    // 1 3 2 5 4: 8 rises, 2 falls; variance 5 * 4 * 15 / 18; z = 5 / 4.0825 = 1.2247.
    expect(monotonicTrend([1, 3, 2, 5, 4]).pValue).toBeCloseTo(0.2207, 3);
  });

  it.each([
    ['a hundred years of the Nile, serially correlated', NILE, -2.6, 0.0048027],
    ['24 years without correlation', NILE.slice(-24), -1.6904762, 0.6732624],
    ['ten values with ties', [3, 3, 5, 4, 4, 4, 6, 8, 8, 7], 0.5, 0.0079377],
  ])('agrees with hamed_rao_modification_test of pymannkendall 1.4.3 for %s', (_, values, slope, pValue) => {
    const trend = monotonicTrend(values);
    expect(trend.slope).toBeCloseTo(slope, 7);
    expect(trend.pValue).toBeCloseTo(pValue, 6);
  });

  it('counts steps over missing values', () => {
    expect(monotonicTrend([1, NaN, 3, NaN, NaN, 6, 7]).slope).toBe(1);
  });

  it('rejects serially correlated series without trend less often than the uncorrected test does', () => {
    const random = createRandom(9);
    const uncorrected = (values: readonly number[]) => {
      const score = values.flatMap((x, i) => values.slice(i + 1).map((y) => Math.sign(y - x))).reduce((a, b) => a + b);
      return (Math.abs(score) - 1) / Math.sqrt((24 * 23 * 53) / 18) > 2.5758;
    };
    let corrected = 0;
    let plain = 0;
    for (let i = 0; i < 1000; i++) {
      let error = 0;
      const values = Array.from({ length: 24 }, () => (error = 0.6 * error + normalQuantile(random())));
      if (monotonicTrend(values).pValue < 0.01) corrected++;
      if (uncorrected(values)) plain++;
    }
    expect(corrected).toBeLessThan(0.9 * plain);
  });

  it.each([[[]], [[1, 2, 3]], [[4, 4, 4, 4, 4, 4]]])('finds no trend in %p', (values) => {
    expect(monotonicTrend(values)).toEqual({ slope: 0, pValue: 1 });
  });

  it('treats months that differ by a rounding error as equal', () => {
    const values = [5, 3, 4, 6, 3, 5, 7, 3, 6, 8];
    const rounded = values.map((value, t) => value * (1 + (t % 3) * Number.EPSILON));
    expect(monotonicTrend(rounded)).toEqual(monotonicTrend(values));
  });
});

describe('assessTrend', () => {
  it('limits a fall to 100 %, however much is returned', () => {
    const falling = demand(0);
    const values = falling.values.map((value, t) => value * (1 - Math.max(t - 36, 0) / 12));
    const { label, percentPerYear } = assessTrend({ ...falling, values });
    expect({ label, percentPerYear }).toEqual({ label: 'strong_decline', percentPerYear: -100 });
  });

  it('finds a strong decline once monthly demand ended three months ago, until it counts as dead', () => {
    const flat = demand(0);
    const label = (silent: number) =>
      assessTrend({ ...flat, values: flat.values.map((value, t) => (t < 60 - silent ? value : 0)) }).label;
    expect([1, 2, 3, 9, 14, 23, 24].map(label)).toEqual([
      ...['stable', 'stable', 'strong_decline', 'strong_decline', 'strong_decline', 'strong_decline'],
      'intermittent',
    ]);
  });

  it.each([
    [0.5, 'strong_growth'],
    [0.17, 'growth'],
    [0.02, 'stable'],
    [-0.17, 'decline'],
    [-0.6, 'strong_decline'],
  ])('labels growth of %p a year as %p', (growth, label) => {
    expect(assessTrend(demand(growth)).label).toBe(label);
  });

  it('has the seasonally adjusted slope in percent a year', () => {
    const { percentPerYear, pValue } = assessTrend(demand(0.2));
    expect(percentPerYear).toBeGreaterThan(12);
    expect(percentPerYear).toBeLessThan(26);
    expect(pValue).toBeLessThan(0.01);
  });

  it('rarely finds a trend in noise', () => {
    const labels = Array.from({ length: 200 }, (_, seed) => assessTrend(demand(0, 60, seed)).label);
    expect(labels.filter((label) => label !== 'stable').length).toBeLessThanOrEqual(2);
  });

  it('requires twelve observed months of the last 24', () => {
    const history = demand(0.5);
    history.values.fill(NaN, 47);
    expect(assessTrend(history).label).toBe('insufficient_data');
    expect(assessTrend({ ...history, values: new Float64Array(0) }).label).toBe('insufficient_data');
  });

  it('gives intermittent demand its own label', () => {
    const values = Float64Array.from({ length: 48 }, (_, t) => (t % 3 === 0 ? 2 : 0));
    expect(assessTrend({ id: 'a', startMonth: 24_000, values }).label).toBe('intermittent');
  });
});

describe('labelAfter', () => {
  const stable = (percentPerYear: number, pValue: number) => ({ label: 'stable', percentPerYear, pValue }) as const;

  it('keeps a reported trend while it is significant at 5 % and 7 % a year, and a strong one while it is 20 %', () => {
    expect(labelAfter('decline', stable(-8, 0.04))).toBe('decline');
    expect(labelAfter('decline', stable(-8, 0.06))).toBe('stable');
    expect(labelAfter('decline', stable(-6, 0.001))).toBe('stable');
    expect(labelAfter('strong_growth', { label: 'growth', percentPerYear: 22, pValue: 0.001 })).toBe('strong_growth');
    expect(labelAfter('strong_growth', { label: 'growth', percentPerYear: 19, pValue: 0.001 })).toBe('growth');
    expect(labelAfter('strong_growth', stable(8, 0.04))).toBe('growth');
  });

  it('reports no new or opposite trend by the lower limits', () => {
    expect(labelAfter('stable', stable(12, 0.02))).toBe('stable');
    expect(labelAfter(null, stable(12, 0.02))).toBe('stable');
    expect(labelAfter('growth', { label: 'growth', percentPerYear: 22, pValue: 0.001 })).toBe('growth');
    expect(labelAfter('growth', stable(-12, 0.02))).toBe('stable');
    expect(labelAfter('growth', { label: 'intermittent', percentPerYear: null, pValue: null })).toBe('intermittent');
  });

  it('changes far less often when demand grows by a tenth a year', () => {
    const random = createRandom(8);
    let [turnsOfTold, turnsOfShown] = [0, 0];
    for (let series = 0; series < 20; series++) {
      const values = Float64Array.from(
        { length: 72 },
        (_, t) => 500 * 1.1 ** (t / 12) * (1 + 0.1 * normalQuantile(random())),
      );
      let [told, shown]: (TrendLabel | undefined)[] = [];
      for (let months = 30; months <= 72; months++) {
        const assessment = assessTrend({ id: 'a', startMonth: 24_000, values: values.subarray(0, months) });
        const next = labelAfter(shown ?? null, assessment);
        turnsOfTold += Number(told !== undefined && told !== assessment.label);
        turnsOfShown += Number(shown !== undefined && shown !== next);
        [told, shown] = [assessment.label, next];
      }
    }
    expect(turnsOfTold).toBeGreaterThan(40);
    expect(turnsOfShown).toBeLessThan(0.6 * turnsOfTold);
  });
});

describe('nextTrendLabel', () => {
  it('changes when two runs agree', () => {
    expect(nextTrendLabel('stable', 'stable', 'growth', false)).toBe('stable');
    expect(nextTrendLabel('stable', 'growth', 'growth', false)).toBe('growth');
    expect(nextTrendLabel('stable', 'growth', 'decline', false)).toBe('stable');
  });

  it('changes immediately on an alert, and accepts the first label', () => {
    expect(nextTrendLabel('stable', 'stable', 'growth', true)).toBe('growth');
    expect(nextTrendLabel(null, null, 'decline', false)).toBe('decline');
  });
});

describe('trendChange', () => {
  it('reports a change of direction with its numbers', () => {
    const history = demand(0.5);
    const assessment = assessTrend(history);
    const change = trendChange(history, 'stable', 'strong_growth', assessment, []);
    expect(change).toMatchObject({ kind: 'trend_change', month: 24_059, changePercent: assessment.percentPerYear });
    expect(change!.message).toMatch(
      /from stable to strong growth: over the last two years demand grew by \d+(\.\d+)? % a year/,
    );
  });

  it('names the months of a history that is shorter than two years', () => {
    const long = demand(-0.5);
    const history = { ...long, startMonth: long.startMonth + long.values.length - 16, values: long.values.slice(-16) };
    const change = trendChange(history, 'stable', 'strong_decline', assessTrend(history), []);
    expect(change!.message).toMatch(/: over the last 16 months demand fell by \d+(\.\d+)? % a year\.$/);
  });

  it('has no percentage and the lowest severity when demand no longer has a trend', () => {
    const noisy = { label: 'stable', percentPerYear: -68.3, pValue: 0.2 } as const;
    expect(trendChange(demand(0), 'strong_decline', 'stable', noisy, [])).toMatchObject({
      severity: 'low',
      changePercent: 0,
      message:
        'The trend of demand changed from strong decline to stable: over the last two years demand had no clear direction.',
    });
  });

  it('reports since when there has been no demand', () => {
    const ended = demand(0);
    const assessment = assessTrend({ ...ended, values: ended.values.map((value, t) => (t < 52 ? value : 0)) });
    expect(trendChange(ended, 'stable', assessment.label, assessment, [])!.message).toBe(
      'The trend of demand changed from stable to strong decline: there has been no demand since May 2004.',
    );
  });

  it('ignores a trend explained by a level shift of the last two years, and its end for half a year longer, but not the end of demand', () => {
    const history = demand(-0.5);
    const assessment = assessTrend(history);
    const latest = history.startMonth + history.values.length - 1;
    const shift = (month: number, kind: 'level_shift_up' | 'level_shift_down' = 'level_shift_down'): DemandChange[] => [
      { kind, month, detectedMonth: month + 2, severity: 'high', changePercent: -50, message: '' },
    ];
    const told = (label: TrendLabel, changes: DemandChange[]) =>
      trendChange(history, label === 'stable' ? 'strong_decline' : 'stable', label, assessment, changes)?.kind;
    expect(told('strong_decline', shift(latest - 23))).toBeUndefined();
    expect(told('stable', shift(latest - 29))).toBeUndefined();
    expect(told('stable', shift(latest - 30))).toBe('trend_change');
    expect(told('strong_decline', shift(latest - 24))).toBe('trend_change');
    expect(told('strong_decline', shift(latest - 5, 'level_shift_up'))).toBe('trend_change');
    // a rise ends a decline
    expect(told('stable', shift(latest - 23, 'level_shift_up'))).toBeUndefined();
    expect(told('stable', shift(latest - 24, 'level_shift_up'))).toBe('trend_change');
    const ended = { label: 'strong_decline', percentPerYear: -100, pValue: null } as const;
    expect(trendChange(history, 'stable', 'strong_decline', ended, shift(latest - 5))).toBeDefined();
  });

  it('ignores the end of demand where a level shift that begins after the last demand reports it, however long ago', () => {
    const sold = demand(0);
    const history = { ...sold, values: sold.values.map((value, t) => (t < 53 ? value : 0)).with(54, NaN) };
    const assessment = assessTrend(history);
    const told = (kind: 'level_shift_up' | 'level_shift_down', month: number) =>
      trendChange(history, 'stable', 'strong_decline', assessment, [{ kind, month: history.startMonth + month }])?.kind;
    expect(told('level_shift_down', 53)).toBeUndefined();
    expect(told('level_shift_down', 52)).toBe('trend_change');
    expect(told('level_shift_up', 53)).toBe('trend_change');
  });

  it('ignores a change of strength and labels without a trend', () => {
    const history = demand(0.5);
    const assessment = assessTrend(history);
    expect(trendChange(history, 'growth', 'strong_growth', assessment, [])).toBeUndefined();
    expect(trendChange(history, 'insufficient_data', 'growth', assessment, [])).toBeUndefined();
  });
});
