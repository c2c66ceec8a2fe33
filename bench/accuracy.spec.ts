import { describe, expect, it } from '@jest/globals';
import {
  DEFAULT_SETTINGS,
  type DemandHistory,
  forecastSeries,
  forecastWith,
  poolWorkspace,
  type QuantileForecast,
  type SeriesResult,
} from '../src/forecasting/index.js';
import type { ClassicalName } from '../src/forecasting/methods/registry.js';
import { type BenchmarkSet, type BundledSet, readSet, shorten } from './support/data-sets.js';
import { scoreSet } from './support/scores.js';

/** The first series of a bundled set and every `stride`-th after it. */
function sampleOf(name: BundledSet, stride: number): BenchmarkSet {
  const set = readSet(name);
  return { ...set, series: set.series.filter((_, i) => i % stride === 0) };
}

/** A set of which every third series is young: only so many of its last months are known, `months` in turn. */
function withYoung(set: BenchmarkSet, months: readonly number[]): BenchmarkSet {
  const series = set.series.map((one, i) =>
    i % 3 === 0 ? shorten({ ...set, series: [one] }, months[(i / 3) % months.length]!).series[0]! : one,
  );
  return { ...set, series };
}

/** MASE of the medians, MASE of the means and WQL9, to six digits. */
function scoresOf(
  { series }: BenchmarkSet,
  forecastOf: (history: DemandHistory) => QuantileForecast | SeriesResult,
): readonly number[] {
  const cases = series.map(({ history, actual }) => {
    const forecast = forecastOf(history);
    if ('kind' in forecast && forecast.kind === 'skipped') throw new Error(forecast.detail);
    return { id: history.id, history: history.values, actual, forecast };
  });
  const { mase, mase_of_mean: maseOfMean, wql9 } = scoreSet(cases);
  return [mase, maseOfMean, wql9].map((score) => Number(score.toPrecision(6)));
}

/**
 * A change of a method that its own specs do not notice is noticed here. The figures are those of an earlier run, and no bar: where
 * forecasts are to change, `npm run bench -- accuracy` tells for whole sets whether that is for the better, and these are recorded anew.
 */
describe('the accuracy of forecasts stays as recorded', () => {
  it.each([
    ['m3', withYoung(sampleOf('m3', 20), [1, 2, 3, 5, 7, 9, 12, 15, 20]), [0.761907, 0.764927, 0.107347]],
    ['hospital', sampleOf('hospital', 13), [0.716695, 0.716353, 0.034596]],
    ['car parts', withYoung(sampleOf('carparts2509', 15), [2, 4, 6, 8, 11, 16]), [0.825188, 1.30296, 0.853545]],
  ])('on a sample of %s', (_, set, recorded) => {
    const settings = { ...DEFAULT_SETTINGS, horizon: set.horizon, backtestWindows: 0 };
    const pooled = poolWorkspace(
      set.series.map(({ history }) => history),
      settings,
    );
    expect(scoresOf(set, (history) => forecastSeries(history, pooled, settings))).toEqual(recorded);
  });

  it.each<[ClassicalName, readonly number[]]>([
    ['seasonal_naive', [0.989109, 0.989109, 0.122913]],
    ['auto_ets', [0.866972, 0.864612, 0.110863]],
    ['theta', [0.85171, 0.85171, 0.104844]],
    ['dynamic_theta', [0.828766, 0.828766, 0.10187]],
    ['ces', [0.860989, 0.860989, 0.104575]],
    ['stl_ets', [0.904954, 0.920986, 0.122387]],
    ['ridge_fourier', [0.8778, 0.8778, 0.104611]],
  ])('of regular demand by %s', (method, recorded) => {
    const set = sampleOf('m3', 24);
    expect(scoresOf(set, (history) => forecastWith(method, history, set.horizon, DEFAULT_SETTINGS.seed))).toEqual(
      recorded,
    );
  });

  it.each<[ClassicalName, readonly number[]]>([
    ['croston', [0.991854, 1.39122, 1.14174]],
    ['sba', [0.976349, 1.3595, 1.12285]],
    ['tsb', [0.884056, 1.13354, 0.965071]],
    ['adida', [0.89938, 1.10673, 0.962675]],
    ['imapa', [0.882763, 1.08788, 0.954808]],
  ])('of infrequent demand by %s', (method, recorded) => {
    const set = sampleOf('carparts2509', 12);
    expect(scoresOf(set, (history) => forecastWith(method, history, set.horizon, DEFAULT_SETTINGS.seed))).toEqual(
      recorded,
    );
  });
});
