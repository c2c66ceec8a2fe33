import { describe, expect, it } from '@jest/globals';
import { monthNumber } from './calendar.js';
import { weekdayExcess } from './calendar-regression/regressors.js';
import { weightsFor } from './combination/weights.js';
import { forecastSeries } from './forecast-series.js';
import { poolWorkspace } from './pool-workspace.js';
import { DEFAULT_SETTINGS } from './settings.js';
import { history, intermittentSeries, seasonalSeries } from './testing/series.js';
import type { DemandHistory, EngineSettings } from './types.js';

const SETTINGS: EngineSettings = { ...DEFAULT_SETTINGS, horizon: 6, backtestWindows: 1 };

function workspace(): DemandHistory[] {
  return Array.from({ length: 15 }, (_, i) =>
    history(i % 3 === 0 ? intermittentSeries(60, i + 1) : seasonalSeries(60, i + 1), { id: `s${i}` }),
  );
}

describe('poolWorkspace', () => {
  const pooled = poolWorkspace(workspace(), SETTINGS);
  const forecasts = workspace().map((one) => forecastSeries(one, pooled, SETTINGS));

  it('is plain JSON that, stored and read back, gives bit-identical forecasts', () => {
    const stored = JSON.parse(JSON.stringify(pooled)) as typeof pooled;
    expect(stored).toEqual(pooled);
    expect(workspace().map((one) => forecastSeries(one, stored, SETTINGS))).toEqual(forecasts);
  });

  it('gives forecasts that do not depend on the order in which series are computed', () => {
    const backward = workspace()
      .reverse()
      .map((one) => forecastSeries(one, pooled, SETTINGS))
      .reverse();
    expect(backward).toEqual(forecasts);
  });

  it('has one part for the present and one per backtest origin', () => {
    expect(pooled.origins).toHaveLength(2);
    expect(poolWorkspace([], { ...SETTINGS, backtestWindows: 0 }).origins).toHaveLength(1);
  });

  it('learns the part of an origin only from months before it', () => {
    const revised = workspace().map((one) => ({
      ...one,
      values: one.values.map((value, t) => (t >= 54 ? 3 * value + 1 : value)),
    }));
    const [present, first] = pooled.origins;
    const [presentRevised, firstRevised] = poolWorkspace(revised, SETTINGS).origins;
    expect(presentRevised).not.toEqual(present);
    expect(firstRevised).toEqual(first);
  });

  it('ignores the ids of the series', () => {
    const nameless = workspace().map((one) => ({ ...one, id: '' }));
    expect(poolWorkspace(nameless, SETTINGS)).toEqual(pooled);
  });

  it('does not let one nearly constant item decide the weights of all', () => {
    const others = Array.from({ length: 8 }, (_, i) => history(seasonalSeries(60, i + 1), { id: `s${i}` }));
    const same = (odd: number): DemandHistory =>
      history(
        Float64Array.from({ length: 60 }, (_, t) => 1000 + (t === 20 ? odd : 0)),
        { id: 'same' },
      );
    const weightsOf = (workspace: DemandHistory[]) =>
      weightsFor(60, poolWorkspace(workspace, { ...SETTINGS, backtestWindows: 0 }).origins[0]!.gains);
    const without = weightsOf(others);
    for (const odd of [1e-10, 1]) {
      const weights = weightsOf([...others, same(odd)]);
      weights.forEach((weight, m) => expect(Math.abs(weight - without[m]!)).toBeLessThan(0.1));
    }
  });

  it('learns no weights from an item that is the same each year', () => {
    const steady = Array.from({ length: 8 }, (_, i) => history(new Float64Array(60).fill(100 + i), { id: `s${i}` }));
    const others = Array.from({ length: 8 }, (_, i) => history(seasonalSeries(60, i + 1), { id: `o${i}` }));
    const gainsOf = (workspace: DemandHistory[]) =>
      poolWorkspace(workspace, { ...SETTINGS, backtestWindows: 0 }).origins[0]!.gains;
    expect(gainsOf(steady)).toEqual(gainsOf([]));
    for (const gain of gainsOf([...others, ...steady])) expect(gain).toBeGreaterThan(0);
  });

  it('learns the same whether or not a history without any value is among the others', () => {
    expect(poolWorkspace([history([NaN, NaN]), ...workspace()], SETTINGS)).toEqual(pooled);
  });

  it('lends no season of demand with a month of none, of which there are no logarithms', () => {
    const closed = Array.from({ length: 15 }, (_, i) =>
      history(
        seasonalSeries(60, i + 1).map((value, t) => (t === 50 ? 0 : value)),
        { id: `s${i}` },
      ),
    );
    const kept: EngineSettings = { ...SETTINGS, outliers: 'keep' };
    expect(poolWorkspace(closed, kept).origins[0]!.shapes.workspace).toEqual({ series: 0 });
  });

  it('finds the season shared by the series of a workspace', () => {
    const { workspace: shape } = pooled.origins[0]!.shapes;
    for (const effects of shape.effects!) expect(effects[3]! - effects[9]!).toBeGreaterThan(Math.log(1.5));
  });

  it('learns short-history spreads only when there is a short history', () => {
    expect(pooled.origins[0]!.shortSpreads).toBeUndefined();
    const launched = history(seasonalSeries(5), { id: 'launched' });
    const young = poolWorkspace([...workspace(), launched], { ...SETTINGS, backtestWindows: 0 });
    expect(young.origins[0]!.shortSpreads!.calibrations).toHaveLength(2);
    expect(JSON.parse(JSON.stringify(young))).toEqual(young);
  });

  it('learns short-history spreads for a product whose export fills the months before its launch with zeros', () => {
    const launched = history([...new Array<number>(40).fill(0), ...seasonalSeries(5)], { id: 'launched' });
    const { origins } = poolWorkspace([...workspace(), launched], { ...SETTINGS, backtestWindows: 0 });
    expect(origins[0]!.shortSpreads).toBeDefined();
  });

  it('learns short-history spreads without shared working days, which young items are forecast without', () => {
    const start = monthNumber(2020, 1);
    const spreads = [0, 0.06].map((effect) => {
      const shops = Array.from({ length: 20 }, (_, i) => {
        const values = seasonalSeries(i === 0 ? 5 : 40, i + 1);
        const worked = values.map((value, t) => value * Math.exp(effect * weekdayExcess(start + t)));
        return history(worked, { id: `s${i}`, startMonth: start });
      });
      const { ratios, calibrations } = poolWorkspace(shops, { ...SETTINGS, backtestWindows: 0 }).origins[0]!
        .shortSpreads!;
      return [...ratios.flat(), ...calibrations.flat()];
    });
    spreads[0]!.forEach((number, i) => expect(Math.abs(spreads[1]![i]! / number - 1)).toBeLessThan(0.1));
  });

  it.each([1e120, 1e160, 1e300])('is not affected by series of about %p', (size) => {
    const large = [seasonalSeries(60), intermittentSeries(60)].map((values) =>
      history(values.map((one) => size * one)),
    );
    expect(poolWorkspace([...workspace(), ...large], SETTINGS)).toEqual(pooled);
  });

  it('handles an empty workspace and unusable series', () => {
    const useless = [history([]), history([NaN]), history([Infinity, 1]), history(new Float64Array(50))];
    const learned = poolWorkspace(useless, SETTINGS);
    expect(JSON.parse(JSON.stringify(learned))).toEqual(learned);
    expect(forecastSeries(history(seasonalSeries(40)), learned, SETTINGS).kind).toBe('forecast');
  });

  it.each([
    ['horizon', { horizon: 0 }],
    ['horizon', { horizon: 37 }],
    ['backtestWindows', { backtestWindows: 7 }],
    ['minHistory', { minHistory: 1.5 }],
    ['seed', { seed: -1 }],
    ['models', { models: [] }],
  ])('refuses an invalid setting by name: %s', (name, overrides) => {
    expect(() => poolWorkspace([], { ...SETTINGS, ...overrides })).toThrow(name);
  });
});
