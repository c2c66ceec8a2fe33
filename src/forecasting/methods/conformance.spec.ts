import { describe, expect, it } from '@jest/globals';
import { createRandom } from '../../numeric/random.js';
import { AIR_PASSENGERS, intermittentSeries, seasonalSeries, spikedNoise } from '../testing/series.js';
import { LEVELS, MEDIAN, type QuantileForecast } from '../types.js';
import { dynamicThetaNonSeasonal } from './dynamic-theta.js';
import { averagedEts } from './ets/averaged-ets.js';
import { runForecaster, type Forecaster } from './forecaster.js';
import { METHODS } from './registry.js';
import { thetaNonSeasonal } from './theta.js';

const HORIZON = 18;
const ALL: Readonly<Record<string, Forecaster>> = {
  ...METHODS,
  averaged_ets: averagedEts,
  dynamic_theta_non_seasonal: dynamicThetaNonSeasonal,
  theta_non_seasonal: thetaNonSeasonal,
};

function expectProper(forecast: QuantileForecast): void {
  expect(forecast.mean.length).toBe(HORIZON);
  expect(forecast.quantiles.length).toBe(HORIZON * LEVELS);
  expect(forecast.mean.every(Number.isFinite)).toBe(true);
  expect(forecast.quantiles.every(Number.isFinite)).toBe(true);
  const ordered = forecast.quantiles.every((q, i) => i % LEVELS === 0 || q >= forecast.quantiles[i - 1]!);
  expect(ordered).toBe(true);
}

/** Every method must return a valid forecast for each of these or, when too short, null. */
const HISTORIES: readonly (readonly [string, Float64Array])[] = [
  ...[0, 1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 23, 24, 25, 26, 27, 36, 61, 400].map(
    (n) => [`${n} months`, seasonalSeries(n)] as const,
  ),
  ['zeros', new Float64Array(40)],
  ['a constant', new Float64Array(40).fill(7)],
  ['one change', Float64Array.from({ length: 40 }, (_, t) => (t < 39 ? 5 : 6))],
  ['intermittent demand', intermittentSeries(60)],
  ['a single demand', Float64Array.from({ length: 40 }, (_, t) => (t === 20 ? 9 : 0))],
  ['returns', seasonalSeries(60).map((value, t) => (t % 7 === 0 ? -value : value))],
  ['only negatives', seasonalSeries(60).map((value) => -value)],
  ['nothing observed', new Float64Array(40).fill(NaN)],
  ['one observation among gaps', Float64Array.from({ length: 40 }, (_, t) => (t === 17 ? 3 : NaN))],
  ['gaps everywhere', seasonalSeries(80).map((value, t) => (t % 3 === 1 ? NaN : value))],
  ['a year of gaps at the end', seasonalSeries(80).map((value, t) => (t >= 68 ? NaN : value))],
  ['a huge outlier', seasonalSeries(60).map((value, t) => (t === 30 ? 1e9 : value))],
  ['a decline to nothing', Float64Array.from({ length: 60 }, (_, t) => Math.exp(-t / 2))],
  ['exponential growth', Float64Array.from({ length: 60 }, (_, t) => Math.exp(t / 3))],
  ['scale 1e-12', seasonalSeries(60).map((value) => value * 1e-12)],
  ['scale 1e12', seasonalSeries(60).map((value) => value * 1e12)],
];

describe.each(Object.entries(ALL))('%s', (_name, method) => {
  it.each(HISTORIES)('forecasts %s or declines to', (_label, values) => {
    const observed = values.filter((value) => !Number.isNaN(value));
    const forecast = runForecaster(method, values, HORIZON, 1);
    if (forecast) expectProper(forecast);
    else expect(observed.length).toBeLessThan(Math.max(1, method.minObservations));
  });

  it('does not change its input', () => {
    const values = AIR_PASSENGERS.slice();
    runForecaster(method, values, HORIZON, 1);
    expect(values).toEqual(AIR_PASSENGERS);
  });

  it('is deterministic to the bit, whatever was forecast in between', () => {
    const first = runForecaster(method, AIR_PASSENGERS, HORIZON, 9)!;
    runForecaster(method, seasonalSeries(50), HORIZON, 4);
    expect(runForecaster(method, AIR_PASSENGERS, HORIZON, 9)).toEqual(first);
  });

  it('scales with its input', () => {
    const small = runForecaster(method, AIR_PASSENGERS, HORIZON, 1)!;
    const large = runForecaster(
      method,
      AIR_PASSENGERS.map((value) => value * 3),
      HORIZON,
      1,
    )!;
    large.quantiles.forEach((value, i) => expect(value / 3).toBeCloseTo(small.quantiles[i]!, 6));
  });

  it('ignores missing months before the first observation', () => {
    const padded = Float64Array.from([NaN, NaN, NaN, ...AIR_PASSENGERS]);
    expect(runForecaster(method, padded, HORIZON, 1)).toEqual(runForecaster(method, AIR_PASSENGERS, HORIZON, 1));
  });

  it('keeps a constant history constant', () => {
    const forecast = runForecaster(method, new Float64Array(30).fill(12), HORIZON, 1)!;
    expect(forecast.quantiles.every((value) => value === 12)).toBe(true);
  });

  it('stays close to noise around a level', () => {
    const random = createRandom(2);
    const values = Float64Array.from({ length: 60 }, () => 100 + 10 * (random() - 0.5));
    const forecast = runForecaster(method, values, HORIZON, 1)!;
    expect(forecast.mean.every((value) => value > 80 && value < 120)).toBe(true);
  });

  it.each([20, 30, 50, 55])(
    'does not go beyond a month that was entered a thousand times too large (month %p)',
    (at) => {
      const values = spikedNoise(1)
        .subarray(0, 57)
        .map((value, t) => (t === at ? 1000 * value : value));
      const { quantiles } = runForecaster(method, values, 12, 1)!;
      for (let k = 0; k < 12; k++) expect(Math.abs(quantiles[k * LEVELS + MEDIAN]!)).toBeLessThanOrEqual(values[at]!);
    },
  );

  it.each([1, 2, 3, 4, 5])('does not extrapolate an outlier in the last month (noise %p)', (seed) => {
    const { quantiles } = runForecaster(method, spikedNoise(seed), 12, 1)!;
    for (let k = 0; k < 12; k++) expect(quantiles[k * LEVELS + MEDIAN]!).toBeLessThan(2 * 906);
  });
});
