import { describe, expect, it } from '@jest/globals';
import { createRandom } from '../../numeric/random.js';
import { AIR_PASSENGERS, NILE } from '../testing/series.js';
import { LEVELS, type QuantileForecast } from '../types.js';
import { averagedEts } from './ets/averaged-ets.js';
import { emptyForecast, type Forecaster, makeFiniteAndOrdered, runForecaster } from './forecaster.js';
import { fewestMonths } from './registry.js';
import { rescaleMonth } from './rescale.js';
import { ridgeFourier } from './ridge-fourier.js';

/** Forecasts the number of months and the first value passed to it. */
const telling: Forecaster = {
  minObservations: 3,
  forecast(values, horizon) {
    const forecast = emptyForecast(horizon);
    forecast.mean.fill(values.length);
    forecast.quantiles.fill(values[0]!);
    return forecast;
  },
};

describe('runForecaster', () => {
  it('trims leading missing months, and scales the series close to one and back', () => {
    const { mean, quantiles } = runForecaster(telling, Float64Array.of(NaN, 4096, NaN, 2048, 1024), 2, 1)!;
    expect([...mean]).toEqual([4 * 2048, 4 * 2048]);
    expect(quantiles[0]).toBe(4096);
  });

  it('returns null for fewer months than the method needs, and a constant for a constant series', () => {
    expect(runForecaster(telling, Float64Array.of(4, NaN, 2), 2, 1)).toBeNull();
    expect(runForecaster(telling, Float64Array.of(NaN, NaN), 2, 1)).toBeNull();
    expect([...runForecaster(telling, Float64Array.of(7, NaN, 7), 2, 1)!.mean]).toEqual([7, 7]);
  });
});

describe('makeFiniteAndOrdered', () => {
  it('replaces NaN, bounds explosive values and sorts each month separately', () => {
    const forecast: QuantileForecast = {
      mean: Float64Array.of(NaN, 1e9),
      quantiles: Float64Array.of(9, 8, 7, 6, 5, 4, 3, 2, 1, 2, -Infinity, 0, NaN, Infinity, 4, 4, 3, 1),
    };
    makeFiniteAndOrdered(forecast, 5);
    expect([...forecast.mean]).toEqual([5, 1e6]);
    expect([...forecast.quantiles]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, -1e6, 0, 1, 2, 3, 4, 4, 5, 1e6]);
  });
});

describe('rescaleMonth', () => {
  it('scales and then shifts a single month', () => {
    const forecast = { mean: Float64Array.of(1, 2), quantiles: Float64Array.from({ length: 2 * LEVELS }, (_, i) => i) };
    rescaleMonth(forecast, 1, 2, 10);
    expect([...forecast.mean]).toEqual([1, 14]);
    expect([...forecast.quantiles.subarray(LEVELS - 1, LEVELS + 2)]).toEqual([8, 28, 30]);
    expect(forecast.quantiles[2 * LEVELS - 1]).toBe(44);
  });
});

describe('fewestMonths', () => {
  it('is the minimum of the least demanding model', () => {
    expect(fewestMonths(['ridge_fourier'])).toBe(13);
    expect(fewestMonths(['ridge_fourier', 'theta'])).toBe(3);
    expect(fewestMonths(['ridge_fourier', 'auto'])).toBe(1);
  });
});

describe('averaged_ets', () => {
  it('is close to the form that statsforecast 2.1.1 selects on the Nile (MNN), interval included', () => {
    const { mean, quantiles } = runForecaster(averagedEts, NILE, 2, 1)!;
    expect(Math.abs(mean[0]! / 839.147 - 1)).toBeLessThan(0.03);
    expect(Math.abs(quantiles[0]! / 670.98 - 1)).toBeLessThan(0.05);
    expect(Math.abs(quantiles[LEVELS - 1]! / 1007.31 - 1)).toBeLessThan(0.05);
  });
});

describe('ridge_fourier', () => {
  const shifted = AIR_PASSENGERS.map((value) => value - 300);

  it('finds an additive season when demand is not positive throughout', () => {
    const { mean } = runForecaster(ridgeFourier, shifted, 12, 1)!;
    const lastYear = shifted.subarray(132);
    expect(mean.indexOf(Math.max(...mean))).toBe(6);
    mean.forEach((value, month) => expect(Math.abs(value - lastYear[month]!)).toBeLessThan(100));
  });

  it('treats a month of almost no demand as one without demand', () => {
    const random = createRandom(9);
    const demand = Array.from({ length: 20 }, () => 100 * (1 + 0.3 * (random() - 0.5)));
    const [none, little] = [0, 0.01].map((low) => {
      const values = Float64Array.from(demand, (value, t) => (t % 12 === 4 ? low : value));
      return runForecaster(ridgeFourier, values, 12, 1)!.mean;
    });
    none!.forEach((value, month) => expect(Math.abs(little![month]! - value)).toBeLessThan(0.1));
  });

  it('hardly changes with a few missing months', () => {
    const gaps = AIR_PASSENGERS.map((value, t) => (t % 17 === 5 ? NaN : value));
    const [whole, part] = [AIR_PASSENGERS, gaps].map((values) => runForecaster(ridgeFourier, values, 12, 1)!.mean);
    whole!.forEach((value, month) => expect(Math.abs(part![month]! / value - 1)).toBeLessThan(0.05));
  });
});
