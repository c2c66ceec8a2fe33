import { beforeAll, describe, expect, it } from '@jest/globals';
import { explainChange, type ExplainedMonth, type ExplainedRun } from './explain-change.js';
import { MonthlyChangeSums, summarizeChange, sumChanges } from './summarize-change.js';
import { splitByState } from './split-by-state.js';
import { forecastSeries } from '../forecast-series.js';
import { normalQuantile } from '../../numeric/normal.js';
import { createRandom } from '../../numeric/random.js';
import { poolWorkspace } from '../pool-workspace.js';
import { DEFAULT_SETTINGS } from '../settings.js';
import type { DemandHistory, EngineSettings } from '../types.js';

const START = 24_240;
const SETTINGS: EngineSettings = { ...DEFAULT_SETTINGS, horizon: 12, backtestWindows: 0 };

function history(
  id: number,
  months: number,
  change: (t: number, value: number) => number = (_, value) => value,
): DemandHistory {
  const random = createRandom(100 + id);
  const values = Float64Array.from({ length: months }, (_, t) => {
    const expected = (200 + 40 * id) * (1 + 0.3 * Math.sin((2 * Math.PI * (t + id)) / 12));
    return change(t, expected * (1 + 0.08 * normalQuantile(random())));
  });
  return { id: String(id), startMonth: START, values };
}

/** An order of a few pieces every seven months, and in every month from the sixtieth on for the first series. */
function rareOrders(id: number, months: number): DemandHistory {
  const values = Float64Array.from({ length: months }, (_, t) =>
    (id === 0 && t >= 60) || (t + id) % 7 === 0 ? 2 + ((t + id) % 4) : 0,
  );
  return { id: `rare ${id}`, startMonth: START, values };
}

/** A run over six series, the last of which can be changed. */
function run(months: number, settings = SETTINGS, change?: (t: number, value: number) => number): ExplainedRun {
  const histories = [6, 7, 8, 9, 10].map((id) => history(id, months));
  const last = history(11, months, change);
  const pooled = poolWorkspace([...histories, last], settings);
  const forecast = forecastSeries(last, pooled, settings);
  if (forecast.kind === 'skipped') throw new Error(forecast.detail);
  return { history: last, pooled, settings, forecast };
}

function partsOf(month: ExplainedMonth): number {
  return (
    month.dataRevision +
    month.newActualsLevel +
    month.newActualsTrend +
    month.newActualsSeason +
    month.reestimation +
    month.modelChange +
    month.overrides
  );
}

function expectExact(months: readonly ExplainedMonth[]): void {
  for (const month of months) {
    expect(Math.abs(partsOf(month) - month.total)).toBeLessThan(1e-9 * Math.max(1, month.prior, month.current));
    expect(month.total).toBe(month.current - month.prior);
  }
}

/** Medians of a series without a unit. */
const MEDIAN = { measure: 'median', unit: '' } as const;

describe('explainChange', () => {
  let prior: ExplainedRun;
  beforeAll(() => {
    prior = run(60);
  });

  it('finds no change between a run and itself', () => {
    const { months } = explainChange(prior, prior);
    expect(months).toHaveLength(12);
    for (const month of months) {
      expect(partsOf(month)).toBeCloseTo(0, 9);
      expect(month.dataRevision).toBe(0);
      expect(month.modelChange).toBe(0);
    }
    expect(summarizeChange(months, MEDIAN)).toMatch(/ hardly changed \([\d,]+\)\.$/);
  });

  it('finds no change between a run and itself even if the engine no longer reproduces it', () => {
    const published = { ...prior.forecast, quantiles: prior.forecast.quantiles.map((value) => value + 1.099) };
    const { months } = explainChange({ ...prior, forecast: published }, { ...prior, forecast: published });
    for (const month of months) expect(month).toMatchObject({ total: 0, dataRevision: 0, modelChange: 0 });
  });

  it('attributes what the engine no longer reproduces of the prior run to the model change', () => {
    const published = { ...prior.forecast, quantiles: prior.forecast.quantiles.map((value) => value + 1.099) };
    const { months } = explainChange({ ...prior, forecast: published }, prior);
    expectExact(months);
    for (const month of months) {
      expect(month.dataRevision).toBe(0);
      expect(month.modelChange).toBeCloseTo(-1.099, 9);
    }
  });

  it('attributes two months of double demand to new actuals, mainly the level', () => {
    const current = run(62, SETTINGS, (t, value) => (t >= 60 ? 2 * value : value));
    const { months } = explainChange(prior, current);
    expect(months).toHaveLength(10);
    expect(months[0]!.month).toBe(START + 62);
    expectExact(months);
    const sum = sumChanges(months);
    expect(sum.total).toBeGreaterThan(0);
    expect(sum.newActualsLevel + sum.newActualsTrend + sum.newActualsSeason).toBeGreaterThan(0.7 * sum.total);
    expect(sum.dataRevision).toBeCloseTo(0, 9);
    expect(summarizeChange(months, { measure: 'median', unit: 'pieces' })).toMatch(
      /rose from [\d,]+ to [\d,]+ pieces, \d+(\.\d+)? %: new actuals moving the/,
    );
  });

  it('attributes a corrected year to the data revision', () => {
    const current = run(60, SETTINGS, (t, value) => (t >= 48 ? 1.5 * value : value));
    const { months } = explainChange(prior, current);
    expectExact(months);
    const sum = sumChanges(months);
    expect(Math.abs(sum.dataRevision)).toBeGreaterThan(0.7 * Math.abs(sum.total));
    expect(sum.newActualsLevel).toBe(0);
  });

  it('attributes another method to the model change', () => {
    const current = run(60, { ...SETTINGS, models: ['seasonal_naive'] });
    const { months } = explainChange(prior, current);
    expectExact(months);
    for (const month of months) expect(month.modelChange).toBeCloseTo(month.total, 9);
  });

  it('does not mistake rounding of stored forecasts for a change', () => {
    const million = (value: number) => 1e4 * value;
    const rounded = (of: ExplainedRun): ExplainedRun => {
      const quantiles = of.forecast.quantiles.map((value) => Number(value.toPrecision(7)));
      return { ...of, forecast: { ...of.forecast, quantiles } };
    };
    const before = rounded(run(60, SETTINGS, (_, value) => million(value)));
    const { months } = explainChange(before, rounded(run(61, SETTINGS, (_, value) => million(value))));
    expectExact(months);
    for (const month of months) expect(month).toMatchObject({ dataRevision: 0, modelChange: 0 });
  });

  describe('of rare orders', () => {
    const settings = { ...SETTINGS, horizon: 6 };
    const rare = (months: number): ExplainedRun => {
      const histories = Array.from({ length: 12 }, (_, id) => rareOrders(id, months));
      const pooled = poolWorkspace(histories, settings);
      const forecast = forecastSeries(histories[0]!, pooled, settings);
      if (forecast.kind === 'skipped') throw new Error(forecast.detail);
      return { history: histories[0]!, pooled, settings, forecast };
    };
    /** The run with medians that hide nothing. */
    const plain = (of: ExplainedRun): ExplainedRun => {
      const quantiles = of.forecast.quantiles.map((_, i) => of.forecast.mean[Math.floor(i / 9)]!);
      return { ...of, forecast: { ...of.forecast, quantiles } };
    };
    let before: ExplainedRun;
    let after: ExplainedRun;
    beforeAll(() => {
      [before, after] = [rare(60), rare(63)];
    });

    it('explains the expected demand, since the medians are zero', () => {
      expect(before.forecast.quantiles[4]).toBe(0);
      const { measure, months, medians } = explainChange(before, after);
      expect(measure).toBe('mean');
      expectExact(months);
      expect(months.map(({ prior: mean }) => mean)).toEqual([...before.forecast.mean.slice(3)]);
      expect(months.map(({ current: mean }) => mean)).toEqual([...after.forecast.mean.slice(0, 3)]);
      expect(medians).toEqual(months.map(() => ({ prior: 0, current: 0 })));
      expect(summarizeChange(months, { measure, unit: 'pcs' })).toMatch(
        /^The expected demand for April 2025 to June 2025 rose from [\d.]+ to [\d.]+ pcs, /,
      );
    });

    it('explains it where the medians of only one run are zero', () => {
      expect(explainChange(before, plain(after)).measure).toBe('mean');
      expect(explainChange(plain(before), after).measure).toBe('mean');
    });

    it('explains it where only the medians between the runs are zero: they would fall and come back without a change', () => {
      const { measure, months } = explainChange(plain(before), plain(after));
      expect(measure).toBe('mean');
      expectExact(months);
    });

    it('explains the median of runs without a month in common, which leave nothing to replay', () => {
      expect(explainChange(plain(before), plain(rare(66)))).toMatchObject({ measure: 'median', months: [] });
    });
  });

  it('names the three largest parts of a change, each at least a tenth of the largest', () => {
    const told = (parts: Partial<ExplainedMonth>, total = 17) => {
      const none = { newActualsLevel: 0, newActualsTrend: 0, newActualsSeason: 0, dataRevision: 0, overrides: 0 };
      const month = { month: START, prior: 100, current: 100 + total, total, reestimation: 0, modelChange: 0, ...none };
      return summarizeChange([{ ...month, ...parts }], MEDIAN);
    };
    expect(told({ newActualsLevel: 5, newActualsTrend: 4, newActualsSeason: -8, reestimation: 20 })).toBe(
      'The forecast for January 2020 rose from 100 to 117, 17 %: ' +
        'what was learned from all series (+20), new actuals moving the season (-8), new actuals moving the level (+5).',
    );
    expect(told({ overrides: 20, dataRevision: -2, modelChange: -1.9 })).toMatch(
      /: overrides \(\+20\), revised history \(-2\)\.$/,
    );
    expect(told({ prior: 1000, current: 1004, reestimation: 4 }, 4)).toBe(
      'The forecast for January 2020 hardly changed (from 1,000 to 1,004).',
    );
    expect(told({ prior: 0, current: 0 }, 0)).toBe('The forecast for January 2020 hardly changed (0).');
    expect(told({ newActualsLevel: 50, reestimation: -50 }, 0)).toBe(
      'The forecast for January 2020 hardly changed (100). Its parts nearly cancel out: ' +
        'new actuals moving the level (+50), what was learned from all series (-50).',
    );
  });

  it('adds up the months of series that start and end at different times, in order', () => {
    const series = (months: readonly number[], total: number): ExplainedMonth[] =>
      months.map((month) => ({
        ...{ dataRevision: total, newActualsLevel: 0, newActualsTrend: 0, newActualsSeason: 0, overrides: 0 },
        ...{ month, prior: 1, current: 1 + total, total, reestimation: 0, modelChange: 0 },
      }));
    const sums = new MonthlyChangeSums();
    for (const months of [series([5, 6], 2), series([3, 4, 5], 1)]) sums.add(months);
    expect(sums.months().map(({ month, prior, total, dataRevision }) => [month, prior, total, dataRevision])).toEqual([
      [3, 1, 1, 1],
      [4, 1, 1, 1],
      [5, 2, 3, 3],
      [6, 1, 2, 2],
    ]);
  });

  it('names the parts of a change that are each too small to count on their own', () => {
    const parts = { newActualsLevel: -9, newActualsTrend: -5, newActualsSeason: -3, dataRevision: 0, overrides: 0 };
    const month = { month: START, prior: 3121, current: 3104, total: -17, reestimation: 0, modelChange: 0, ...parts };
    expect(summarizeChange([month], { measure: 'median', unit: 'pcs' })).toBe(
      'The forecast for January 2020 fell from 3,121 to 3,104 pcs, 0.54 %: ' +
        'new actuals moving the level (-9), new actuals moving the trend (-5), new actuals moving the season (-3).',
    );
  });

  const parts = { newActualsLevel: 1, newActualsTrend: 0, newActualsSeason: 0, dataRevision: 0, overrides: 0 };
  const change = (prior: number, current: number) =>
    summarizeChange(
      [{ month: START, prior, current, total: current - prior, reestimation: 0, modelChange: 0, ...parts }],
      MEDIAN,
    );

  it.each([
    [1.06, 1.14, 'from 1.06 to 1.14, 7.5 %'],
    [100.6, 101.2, 'from 100.6 to 101.2, 0.6 %'],
    [1, 1.04, 'from 1 to 1.04, 4 %'],
    [20.01, 20.12, 'from 20 to 20.1, 0.55 %'],
  ])('describes a rise from %d to %d in distinguishable numbers', (before, after, told) => {
    expect(change(before, after)).toContain(`rose ${told}:`);
  });

  it('gives no percentage relative to almost nothing', () => {
    expect(change(0.001, 500)).toContain('rose from 0.001 to 500:');
    expect(change(5, 500)).toContain('rose from 5 to 500, 9,900 %:');
  });

  it('explains every common month when the history now ends earlier and the forecast reaches further', () => {
    const current = run(57, { ...SETTINGS, horizon: 24 }, (t, value) => (t >= 48 ? 1.5 * value : value));
    const { months } = explainChange(prior, current);
    expect(months).toHaveLength(12);
    expectExact(months);
    const last = months.at(-1)!;
    expect(Math.abs(last.dataRevision)).toBeGreaterThan(0.5 * Math.abs(last.total));
  });

  it('counts months unknown to the current run as new actuals, and those removed from it as a revision', () => {
    const earlier = run(57, { ...SETTINGS, horizon: 24 });
    const newestMonth = START + 56;
    const unknown = explainChange(prior, { ...earlier, newestMonth }).months;
    expectExact(unknown);
    expect(unknown.map(({ dataRevision }) => dataRevision)).toEqual(unknown.map(() => 0));
    expect(unknown.some(({ newActualsLevel }) => newActualsLevel !== 0)).toBe(true);
    const lacking = explainChange(prior, { ...earlier, newestMonth: START + 59 }).months;
    expect(lacking.some(({ dataRevision }) => dataRevision !== 0)).toBe(true);
    expect(lacking.map(({ newActualsLevel }) => newActualsLevel)).toEqual(lacking.map(() => 0));
  });

  it('counts a corrected year as a revision even when the current run knew fewer months', () => {
    const corrected = run(57, { ...SETTINGS, horizon: 24 }, (t, value) => (t >= 36 && t < 48 ? 2 * value : value));
    const { months } = explainChange(prior, { ...corrected, newestMonth: START + 56 });
    const alone = explainChange(
      prior,
      run(60, SETTINGS, (t, value) => (t >= 36 && t < 48 ? 2 * value : value)),
    ).months;
    expectExact(months);
    expect(months.map(({ dataRevision }) => dataRevision)).toEqual(alone.map(({ dataRevision }) => dataRevision));
  });

  it('leaves the forecast as it was where the history without the removed months is too short for one', () => {
    const { history: whole, ...others } = run(63);
    const rest = { ...whole, startMonth: START + 60, values: whole.values.subarray(60) };
    const { months } = explainChange(prior, { ...others, history: rest });
    expectExact(months);
    expect(months.map(({ dataRevision }) => dataRevision)).toEqual(months.map(() => 0));
  });

  it('explains the months that both runs forecast, whichever starts or ends first', () => {
    const [short, later] = [run(60, { ...SETTINGS, horizon: 6 }), run(63)];
    const explained = (a: ExplainedRun, b: ExplainedRun) => {
      const { months } = explainChange(a, b);
      return [months[0]!.month - START, months.at(-1)!.month - START];
    };
    for (const other of [prior, later]) {
      expect(explained(short, other)).toEqual([other === later ? 63 : 60, 65]);
      expect(explained(other, short)).toEqual(explained(short, other));
    }
  });

  it('replays a run of several methods with the chosen one', () => {
    const several = run(60, { ...SETTINGS, models: ['theta', 'seasonal_naive'] });
    const chosen = { ...several, settings: { ...several.settings, models: ['seasonal_naive', 'theta'] as const } };
    const { months } = explainChange(chosen, chosen);
    const { months: again } = explainChange(chosen, run(60, { ...SETTINGS, models: ['theta'] }));
    expect(several.forecast.model).toBe('theta');
    for (const month of [...months, ...again]) expect(month).toMatchObject({ reestimation: 0, modelChange: 0 });
  });

  it('explains nothing when the runs have no month in common', () => {
    expect(explainChange(prior, run(73)).months).toEqual([]);
    expect(summarizeChange([], MEDIAN)).toMatch(/no forecast month in common/);
  });
});

describe('splitByState', () => {
  const before = Float64Array.from({ length: 12 }, (_, k) => 100 + 30 * Math.sin((2 * Math.PI * k) / 12));

  it('counts a proportional change as level', () => {
    const { level, trend, season } = splitByState(
      before,
      before.map((value) => 1.1 * value),
    );
    for (let k = 0; k < 12; k++) {
      expect(level[k]).toBeCloseTo(0.1 * before[k]!, 9);
      expect(trend[k]).toBeCloseTo(0, 9);
      expect(season[k]).toBeCloseTo(0, 9);
    }
  });

  it('counts a change that grows along the path as trend', () => {
    const { level, trend } = splitByState(
      before,
      before.map((value, k) => value * (1 + 0.02 * k)),
    );
    expect(level[5]).toBeCloseTo(0, 9);
    expect(trend[5]).toBeCloseTo(0.1 * before[5]!, 9);
  });

  it('identifies no trend in fewer than six months', () => {
    const growing = (months: number) => {
      const path = before.slice(0, months);
      return splitByState(
        path,
        path.map((value, k) => value * (1 + 0.02 * k)),
      );
    };
    expect([...growing(5).trend]).toEqual([0, 0, 0, 0, 0]);
    expect(growing(6).trend[5]).toBeCloseTo(0.1 * before[5]!, 9);
  });

  it('counts demand where none was forecast as level', () => {
    const { level, season } = splitByState(new Float64Array(3), Float64Array.of(2, 2, 5));
    expect([...level]).toEqual([3, 3, 3]);
    expect([...season]).toEqual([-1, -1, 2]);
  });

  it('identifies no trend from a single month with a forecast', () => {
    const path = Float64Array.of(0, 0, 0, 6, 0, 0, 0, 0);
    const { level, trend, season } = splitByState(
      path,
      path.map((value) => 2 * value),
    );
    expect([...level]).toEqual([...path]);
    expect([...trend, ...season]).toEqual(new Array(16).fill(0));
  });
});
