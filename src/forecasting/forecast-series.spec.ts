import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { monthNumber } from './calendar.js';
import { holidayExcess } from './calendar-regression/moving-holidays.js';
import { weekdayExcess } from './calendar-regression/regressors.js';
import { forecastSeries, forecastWith } from './forecast-series.js';
import { METHODS, type ClassicalName } from './methods/registry.js';
import { poolWorkspace } from './pool-workspace.js';
import { DEFAULT_SETTINGS } from './settings.js';
import { history, intermittentSeries, seasonalSeries } from './testing/series.js';
import {
  type DemandHistory,
  type EngineSettings,
  LEVELS,
  MEDIAN,
  type SeriesForecast,
  type SeriesResult,
  SKIP_REASONS,
} from './types.js';

const SETTINGS: EngineSettings = { ...DEFAULT_SETTINGS, horizon: 18 };
const WORKSPACE = [
  ...Array.from({ length: 10 }, (_, i) => history(seasonalSeries(60, i + 1), { id: `s${i}`, category: 'waves' })),
  ...Array.from({ length: 10 }, (_, i) => history(intermittentSeries(60, i + 1), { id: `i${i}` })),
];
const POOLED = poolWorkspace(WORKSPACE, SETTINGS);

/** The forecast of a history that is not skipped. */
function forecastOf(one: DemandHistory, pooled = POOLED, settings = SETTINGS): SeriesForecast {
  const result = forecastSeries(one, pooled, settings);
  if (result.kind === 'skipped') throw new Error(result.detail);
  return result;
}

function expectSound(result: SeriesResult, settings: EngineSettings): void {
  if (result.kind === 'skipped') {
    expect(SKIP_REASONS).toContain(result.reason);
    expect(result.detail).not.toBe('');
    return;
  }
  expect(result.mean.length).toBe(settings.horizon);
  expect(result.quantiles.length).toBe(settings.horizon * LEVELS);
  const finite = (value: number): boolean => Number.isFinite(value) && value >= 0;
  expect(result.mean.every(finite)).toBe(true);
  expect(result.quantiles.every(finite)).toBe(true);
  expect(result.quantiles.every((q, i) => i % LEVELS === 0 || q >= result.quantiles[i - 1]!)).toBe(true);
  result.mean.forEach((mean, k) => expect(mean).toBeGreaterThanOrEqual(meanLowerBound(result.quantiles, k)));
  expect(result.backtest.length).toBeLessThanOrEqual(settings.backtestWindows);
}

/** The smallest mean that demand with these quantiles can have in a month, up to rounding. */
function meanLowerBound(quantiles: Float64Array, k: number): number {
  const month = quantiles.subarray(k * LEVELS, (k + 1) * LEVELS);
  return (1 - 1e-12) * month.reduce((sum, quantile) => sum + 0.1 * quantile, 0);
}

/** Demand of any kind: levels over 24 orders of magnitude, with zeros, returns, gaps, constants and outliers mixed in. */
const month = fc.oneof(
  { weight: 6, arbitrary: fc.double({ min: 0, max: 2, noNaN: true }) },
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.constant(NaN) },
  { weight: 1, arbitrary: fc.double({ min: -2, max: 0, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(1e6, -1e6) },
);
const whole = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constant(0), fc.constant(NaN));
const anyHistory = fc
  .tuple(
    fc.oneof(fc.array(month, { maxLength: 400, size: 'max' }), fc.array(whole, { maxLength: 120, size: 'max' })),
    fc.integer({ min: -12, max: 12 }),
  )
  .map(([values, exponent]) => history(values.map((value) => value * 10 ** exponent)));

describe('forecastSeries', () => {
  it('returns a valid forecast or a reason for any history', () => {
    fc.assert(
      fc.property(anyHistory, (any) => expectSound(forecastSeries(any, POOLED, SETTINGS), SETTINGS)),
      { numRuns: 200, seed: 7 },
    );
  });

  it.each(Object.keys(METHODS) as ClassicalName[])(
    'returns a valid forecast or a reason for any history with %s alone',
    (name) => {
      const settings: EngineSettings = { ...SETTINGS, models: [name] };
      fc.assert(
        fc.property(anyHistory, (any) => expectSound(forecastSeries(any, POOLED, settings), settings)),
        { numRuns: 25, seed: 11 },
      );
    },
  );

  it('handles any history with outliers dampened, the longest horizon and six windows', () => {
    const settings: EngineSettings = { ...SETTINGS, horizon: 36, outliers: 'dampen', backtestWindows: 6 };
    const pooled = poolWorkspace(WORKSPACE, settings);
    fc.assert(
      fc.property(anyHistory, (any) => expectSound(forecastSeries(any, pooled, settings), settings)),
      { numRuns: 30, seed: 13 },
    );
  });

  it('handles any short history, independent of its unit, in a workspace with shared working days and a holiday', () => {
    const start = monthNumber(2015, 1);
    const effect = (month: number): number => 0.05 * weekdayExcess(month) + 0.5 * holidayExcess('diwali', month);
    const shops = Array.from({ length: 15 }, (_, i) =>
      history(
        seasonalSeries(60, i + 1).map((value, t) => value * Math.exp(effect(start + t))),
        { id: `s${i}`, startMonth: start },
      ),
    );
    const pooled = poolWorkspace([...shops, history(seasonalSeries(5))], SETTINGS);
    expect(pooled.origins.every(({ calendar }) => calendar.holidays!.includes('diwali'))).toBe(true);
    const short = { maxLength: 40, size: 'max' } as const;
    fc.assert(
      fc.property(fc.array(month, short), (values) =>
        expectSound(forecastSeries(history(values), pooled, SETTINGS), SETTINGS),
      ),
      { numRuns: 60, seed: 17 },
    );
    const sold = fc.oneof(fc.double({ min: 0.01, max: 2, noNaN: true }), fc.constant(NaN));
    fc.assert(
      fc.property(fc.array(sold, short), fc.constantFrom(-40, 40), (values, exponent) => {
        const [one, scaled] = [0, exponent].map((power) =>
          forecastSeries(history(values.map((value) => value * 2 ** power)), pooled, SETTINGS),
        );
        if (one!.kind === 'skipped' || scaled!.kind === 'skipped') return;
        scaled!.quantiles.forEach((quantile, i) => expect(quantile / 2 ** exponent).toBeCloseTo(one!.quantiles[i]!, 9));
      }),
      { numRuns: 30, seed: 19 },
    );
  });

  it('gives a reason for every series it skips', () => {
    const reason = (values: readonly number[], settings = SETTINGS): string => {
      const result = forecastSeries(history(values), POOLED, settings);
      return result.kind === 'skipped' ? result.reason : result.kind;
    };
    expect(reason([])).toBe('no_observations');
    expect(reason([NaN, NaN])).toBe('no_observations');
    expect(reason([1, 2, Infinity])).toBe('not_finite');
    expect(reason([1, 2, 3], { ...SETTINGS, minHistory: 6 })).toBe('insufficient_history');
    expect(reason([5, ...new Array<number>(36).fill(NaN)])).toBe('no_recent_demand');
    expect(reason([1, 2], { ...SETTINGS, models: ['stl_ets'] })).toBe('insufficient_history');
  });

  it.each([
    ['category_shape', seasonalSeries(3), 'new'],
    ['network', seasonalSeries(10), 'short'],
    ['combination', seasonalSeries(18), 'smooth'],
    ['combination', seasonalSeries(60), 'smooth'],
    ['intermittent', intermittentSeries(60), 'intermittent'],
  ])('routes to %s', (model, values, pattern) => {
    const result = forecastSeries(history(values), POOLED, SETTINGS);
    expect(result).toMatchObject({ kind: 'forecast', model, pattern });
  });

  it('starts in the month after the history', () => {
    const result = forecastSeries(history(seasonalSeries(30), { startMonth: 24000 }), POOLED, SETTINGS);
    expect(result).toMatchObject({ firstMonth: 24030 });
  });

  it.each([1, 12, 25])('forecasts the first %p months the same as with a longer horizon', (horizon) => {
    const regular = seasonalSeries(60);
    const rare = intermittentSeries(60);
    const silent = regular.map((value, t) => (t < 50 ? value : NaN));
    for (const values of [regular, rare, silent, regular.slice(0, 8), regular.slice(0, 3)]) {
      const [longer, short] = [36, horizon].map((steps) =>
        forecastOf(history(values), POOLED, { ...SETTINGS, horizon: steps }),
      );
      expect(short!.mean).toEqual(longer!.mean.slice(0, horizon));
      expect(short!.quantiles).toEqual(longer!.quantiles.slice(0, horizon * LEVELS));
    }
  });

  it('follows the season of a long history', () => {
    const result = forecastOf(history(seasonalSeries(72)));
    const peak = result.quantiles[3 * LEVELS + MEDIAN]!;
    const trough = result.quantiles[9 * LEVELS + MEDIAN]!;
    expect(peak).toBeGreaterThan(120);
    expect(trough).toBeLessThan(80);
  });

  it('continues growth that has been steady for years', () => {
    const grown = (t: number): number => 200 + 2 * t + 10 * Math.sin((2 * Math.PI * t) / 12);
    const steady = history(Float64Array.from({ length: 72 }, (_, t) => grown(t) + ((t * 7) % 11) / 11));
    const result = forecastOf(steady, poolWorkspace([steady], SETTINGS));
    const aYearOn = result.quantiles[11 * LEVELS + MEDIAN]! - grown(83);
    expect(Math.abs(aYearOn)).toBeLessThan(0.15 * (grown(83) - grown(71)));
  });

  it('borrows the season of its category for a new item', () => {
    // Three months from January at the level of the wave's rise: the borrowed wave peaks in April and bottoms in October.
    const result = forecastOf(history([10, 11.5, 12.6], { category: 'waves' }));
    expect(result.mean[0]!).toBeGreaterThan(1.4 * result.mean[6]!);
  });

  it('forecasts zero for an item that never sold when no similar item is known', () => {
    const result = forecastOf(history(new Float64Array(40)));
    expect(result.pattern).toBe('dead');
    expect(result.quantiles.every((value) => value === 0)).toBe(true);
  });

  it('forecasts an item that never sold from similar items that came to sell, however large their orders are', () => {
    const unsold = history(new Float64Array(60), { id: 'unsold' });
    const expected = (size: number): number => {
      const workspace = Array.from({ length: 60 }, (_, i) => {
        const starts = i % 2 === 0 ? 0 : 30 + (i % 25);
        const orders = intermittentSeries(60, i + 1).map((value, t) => (t < starts ? 0 : size * value));
        return history(orders, { id: String(i) });
      });
      return forecastOf(unsold, poolWorkspace([...workspace, unsold], SETTINGS)).mean[0]! / size;
    };
    expect(expected(1e9)).toBeGreaterThan(0.1);
    expect(expected(1e9)).toBeCloseTo(expected(1e3), 2);
  });

  it('selects the named method with the lowest backtest error', () => {
    const settings: EngineSettings = { ...SETTINGS, models: ['croston', 'seasonal_naive'] };
    const result = forecastSeries(history(seasonalSeries(72)), POOLED, settings);
    expect(result).toMatchObject({ model: 'seasonal_naive' });
  });

  it('compares named methods at the origins that all of them can forecast from', () => {
    const season = seasonalSeries(12);
    const values = Array.from({ length: 40 }, (_, t) => season[t % 12]! * (t < 12 ? 1 : t < 16 ? 1.1 : 3));
    // from 16 months, before demand triples, only the seasonal naive forecasts; from 28 it is exact
    const settings: EngineSettings = {
      ...SETTINGS,
      horizon: 12,
      backtestWindows: 2,
      models: ['stl_ets', 'seasonal_naive'],
    };
    const result = forecastOf(history(values), poolWorkspace([], settings), settings);
    expect([result.model, result.backtest.length]).toEqual(['seasonal_naive', 2]);
  });

  it('chooses among named methods by a backtest without a previous year to scale errors by', () => {
    const growing = history(Array.from({ length: 24 }, (_, t) => 100 + 20 * t));
    const named = ['seasonal_naive', 'theta'] as const;
    for (const models of [named, named.toReversed()]) {
      const result = forecastSeries(growing, POOLED, { ...SETTINGS, horizon: 12, models });
      expect(result).toMatchObject({ model: 'theta' });
    }
  });

  it('reports for each window the method that is best on the other windows, not on that one', () => {
    // The last year repeats the one before exactly; that one has its months in a different order from the years before.
    const season = seasonalSeries(12);
    const values = Array.from({ length: 60 }, (_, t) => season[t >= 36 ? t % 12 : (t * (t < 24 ? 5 : 7)) % 12]!);
    const settings: EngineSettings = {
      ...SETTINGS,
      horizon: 12,
      backtestWindows: 2,
      models: ['croston', 'seasonal_naive'],
    };
    const pooled = poolWorkspace([], settings);
    const of = (overrides: Partial<EngineSettings>) =>
      forecastOf(history(values), pooled, { ...settings, ...overrides });
    const [croston, naive] = settings.models.map((model) => of({ models: [model] }).backtest);
    expect(of({}).backtest).toEqual([naive![0], croston![1]]);
    // With a single window there is no other to choose by: it is that of the first method named, whichever one forecasts.
    const { model, backtest } = of({ backtestWindows: 1 });
    expect([model, backtest]).toEqual(['seasonal_naive', [croston![1]]]);
  });

  it('does not read the window it is tested on', () => {
    const values = seasonalSeries(72);
    const shifted = values.map((value, t) => (t >= 60 ? 5 * value : value));
    const windows = [values, shifted].map((v) => {
      const [window] = forecastOf(history(v), POOLED, { ...SETTINGS, horizon: 12 }).backtest;
      return window!;
    });
    expect(windows[0]!.quantiles).toEqual(windows[1]!.quantiles);
    expect(windows[0]!.actual).not.toEqual(windows[1]!.actual);
  });

  it('treats a month of returns as one without demand, however large they are', () => {
    const demand = Array.from({ length: 47 }, (_, t) => 30 + ((t * 7) % 5));
    const medians = [-200, 0].map((last) => {
      const { quantiles } = forecastOf(history([...demand, last]));
      return [...quantiles].filter((_, i) => i % LEVELS === MEDIAN);
    });
    expect(medians[0]).toEqual(medians[1]);
    expect(Math.min(...medians[0]!)).toBeGreaterThan(10);
  });

  it('routes and learns from histories with returns as if those months were empty', () => {
    const few = (returned: number): number[] =>
      Array.from({ length: 48 }, (_, t) => (t === 20 ? returned : (t * 5) % 4));
    const [withReturn, without] = [-1, 0].map((returned) => {
      const one = history(few(returned));
      return forecastSeries(one, poolWorkspace([one], SETTINGS), SETTINGS);
    });
    expect(withReturn).toEqual(without);
  });

  it.each([1, 2, 3])('stays far below a single month entered a thousand times too large (noise %p)', (seed) => {
    const values = seasonalSeries(72, seed).map((value, t) => (t === 60 ? 1000 * value : value));
    const result = forecastOf(history(values));
    expect(Math.max(...result.mean, ...result.quantiles)).toBeLessThan(0.5 * values[60]!);
  });

  it('expects two years of quarterly orders in their months', () => {
    const values = Array.from({ length: 24 }, (_, t) => (t % 3 === 0 ? 80 + ((t * 7) % 11) : 0));
    const result = forecastOf(history(values));
    expect(result.model).toBe('order_cycle');
    expect([...result.mean].map((mean) => mean > 70)).toEqual([...result.mean].map((_, k) => k % 3 === 0));
  });

  it('gives an item that was new half a year ago the season of its category', () => {
    const summer = (t: number): number => 100 * Math.exp(0.8 * Math.cos((2 * Math.PI * (t - 6)) / 12));
    const settings = { ...SETTINGS, horizon: 12, backtestWindows: 0 };
    const known = Array.from({ length: 8 }, (_, i) =>
      history(
        seasonalSeries(48, i).map((noise, t) => summer(t) * (noise / seasonalSeries(48, 99)[t]!) * (i + 1)),
        {
          id: `known ${i}`,
          category: 'garden',
        },
      ),
    );
    const young = history(
      Array.from({ length: 6 }, (_, t) => summer(t)),
      { id: 'young', category: 'garden' },
    );
    const result = forecastOf(young, poolWorkspace([...known, young], settings), settings);
    result.mean.forEach((mean, k) => expect(Math.abs(mean / summer(6 + k) - 1)).toBeLessThan(0.3));
  });

  it('gives an item with a missing year the season of its workspace', () => {
    const season = [60, 70, 90, 110, 140, 150, 140, 120, 100, 80, 70, 70];
    const items = Array.from({ length: 20 }, (_, i) =>
      history(
        season
          .concat(season, season.slice(0, 6))
          .map((share, t) => (5 + i) * share * (1 + 0.05 * Math.sin(3.7 * t + i))),
        { id: `item-${i}` },
      ),
    );
    const item = { ...items[3]!, values: items[3]!.values.map((value, t) => (t >= 14 && t < 26 ? NaN : value)) };
    const settings = { ...SETTINGS, horizon: 12, backtestWindows: 0 };
    const forecast = forecastOf(item, poolWorkspace(items.with(3, item), settings), settings);
    const expected = Array.from(forecast.mean, (_, k) => 8 * season[(6 + k) % 12]!);
    const error = expected.reduce((sum, demand, k) => sum + Math.abs(forecast.mean[k]! - demand), 0);
    expect(error / expected.reduce((sum, demand) => sum + demand, 0)).toBeLessThan(0.16); // .23 without bridging the gap
  });

  it('expects demand of about the usual size in the months that an item sells in, and none in others', () => {
    const summer = (t: number): number => ([5, 6, 7, 8].includes(t % 12) ? 80 + ((t * 7) % 11) : 0);
    const result = forecastOf(history(Array.from({ length: 48 }, (_, t) => summer(t))));
    expect(result.model).toBe('in_season');
    result.mean.forEach((mean, k) => {
      if (summer(k) === 0) expect([mean, result.quantiles[k * LEVELS + LEVELS - 1]]).toEqual([0, 0]);
      else expect(Math.abs(mean - 85)).toBeLessThan(15);
    });
  });

  it.each([
    ['months filled with zeros before a launch', () => 0],
    ['two years out of stock after years of sales', (t: number) => (t < 18 ? 100 : 0)],
  ])('forecasts a steady seller at its level in spite of %s', (_, before) => {
    const values = Array.from({ length: 48 }, (_month, t) => (t < 42 ? before(t) : 58 + ((t * 5) % 7)));
    const result = forecastOf(history(values));
    expect(result.pattern).toBe('short');
    for (const mean of result.mean) expect(Math.abs(mean - 60)).toBeLessThan(15);
  });

  it.each([
    ['intermittent', 1],
    ['category_shape', 2],
  ])('uses %s for %d months of demand after years without, when half of the items are rare', (model, months) => {
    const values = Array.from({ length: 48 }, (_, t) => (t < 48 - months ? 0 : 60));
    const result = forecastOf(history(values));
    expect(result.model).toBe(model);
    expect(result.quantiles[0]).toBe(0);
    expect(result.quantiles[LEVELS - 1]).toBeGreaterThan(40);
  });

  it('expects some demand when the median falls to zero but the high quantile does not', () => {
    const fall = (t: number): number => Math.max(300 * (1 - t / 46) + (((37 * t) % 11) - 5) * 8, 0);
    const falling = history(Array.from({ length: 48 }, (_, t) => fall(t)));
    const result = forecastOf(falling);
    const last = SETTINGS.horizon - 1;
    expect(result.quantiles[last * LEVELS + MEDIAN]).toBe(0);
    expect(result.quantiles[last * LEVELS + LEVELS - 1]).toBeGreaterThan(0);
    expect(result.mean[last]).toBeGreaterThan(0);
  });

  it('dampens an isolated outlier on request', () => {
    const values = seasonalSeries(60);
    const spiked = values.map((value, t) => (t === 57 ? 20 * value : value));
    const median = (v: Float64Array, outliers: 'keep' | 'dampen'): number =>
      forecastOf(history(v), POOLED, { ...SETTINGS, outliers }).quantiles[MEDIAN]!;
    const clean = median(values, 'keep');
    expect(Math.abs(median(spiked, 'dampen') - clean)).toBeLessThan(Math.abs(median(spiked, 'keep') - clean));
    expect(Math.abs(median(spiked, 'dampen') / clean - 1)).toBeLessThan(0.15);
  });
});

it('refuses a pooled model fitted for fewer backtest windows', () => {
  const settings: EngineSettings = { ...SETTINGS, backtestWindows: 3 };
  expect(() => forecastSeries(history(seasonalSeries(40)), POOLED, settings)).toThrow('backtest windows');
});

describe('forecastWith', () => {
  it('explains why a method cannot forecast', () => {
    expect(forecastWith('ces', history([1, 2, 3]), 6, 1)).toMatchObject({ reason: 'insufficient_history' });
    expect(forecastWith('ces', history([]), 6, 1)).toMatchObject({ reason: 'no_observations' });
    expect(forecastWith('ces', history([1, -Infinity]), 6, 1)).toMatchObject({ reason: 'not_finite' });
  });
});
