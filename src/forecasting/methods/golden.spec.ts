import { describe, expect, it } from '@jest/globals';
import { forecastWith } from '../forecast-series.js';
import { AIR_PASSENGERS, history, NILE } from '../testing/series.js';
import type { QuantileForecast } from '../types.js';
import type { ClassicalName } from './registry.js';
import { seasonalNaivePoints } from './seasonal-naive.js';

/**
 * Values of independent implementations: Python statsforecast 2.1.1 on the series named. Optimizers and initial states differ,
 * so each comparison states the share of the value within which it must agree.
 */
function forecast(name: ClassicalName, values: Float64Array | readonly number[], horizon: number): QuantileForecast {
  const result = forecastWith(name, history(values), horizon, 1);
  if ('kind' in result) throw new Error(result.detail);
  return result;
}

function expectWithin(actual: Float64Array, expected: readonly number[], share: number): void {
  expect(actual.length).toBe(expected.length);
  expected.forEach((value, k) => expect(Math.abs(actual[k]! / value - 1)).toBeLessThan(share));
}

describe('seasonal_naive', () => {
  it('equals statsforecast SeasonalNaive on the airline series, intervals included', () => {
    const { mean, quantiles } = forecast('seasonal_naive', AIR_PASSENGERS, 12);
    expect(Array.from(mean)).toEqual([417, 391, 419, 461, 472, 535, 622, 606, 508, 461, 390, 432]);
    expect(quantiles[0]).toBeCloseTo(370.46, 2);
    expect(quantiles[8]).toBeCloseTo(463.54, 2);
  });

  it('has the intervals of a random walk when no two months a season apart are observed', () => {
    // Every second month: 10, 14, 9, 12. A one-month step has half the variance of a two-month step.
    const { mean, quantiles } = forecast('seasonal_naive', [10, NaN, 14, NaN, 9, NaN, 12], 2);
    const deviation = Math.sqrt((4 ** 2 + 5 ** 2 + 3 ** 2) / 2 / 3);
    expect(Array.from(mean)).toEqual([12, 12]);
    expect(quantiles[8]! - 12).toBeCloseTo(1.2815515655446004 * deviation, 9);
    expect(quantiles[17]! - 12).toBeCloseTo(1.2815515655446004 * deviation * Math.SQRT2, 9);
  });

  it('repeats the only year of a history of twelve months', () => {
    const year = AIR_PASSENGERS.slice(0, 12);
    expect(forecast('seasonal_naive', year, 12).mean).toEqual(year);
    expect(seasonalNaivePoints(year, 12)).toEqual(year);
  });

  it('repeats the last month of a shorter history for a year and more', () => {
    expect([...forecast('seasonal_naive', AIR_PASSENGERS.slice(0, 7), 18).mean]).toEqual(new Array(18).fill(148));
  });
});

describe('theta', () => {
  it('agrees with statsforecast Theta on the airline series', () => {
    const expected = [440.969, 429.249, 490.693, 476.66, 480.631, 546.456, 603.953, 602.295, 524.99, 457.529];
    expectWithin(forecast('theta', AIR_PASSENGERS, 10).mean, expected, 0.003);
  });

  it.each([
    ['the airline series', AIR_PASSENGERS, [13.17, 15.54, 22.33, 35]],
    ['the Nile', NILE, [195.3, 187.4, 213.3, 242.7]],
  ])(
    'has 80 %% intervals within a tenth of the width of those that statsforecast simulates for %s',
    (_, values, halves) => {
      const { quantiles } = forecast('theta', values, 12);
      [0, 1, 2, 11].forEach((k, i) => {
        const half = (quantiles[9 * k + 8]! - quantiles[9 * k]!) / 2;
        expect(Math.abs(half / halves[i]! - 1)).toBeLessThan(0.1);
      });
    },
  );

  it('agrees with statsforecast Theta on the Nile', () => {
    expectWithin(forecast('theta', NILE, 3).mean, [800.885, 799.528, 798.171], 0.002);
  });
});

describe('dynamic_theta', () => {
  it('agrees with statsforecast DynamicOptimizedTheta on the airline series', () => {
    const expected = [442.927, 432.298, 495.482, 482.575, 487.866, 556.122, 616.223, 616.11, 538.403, 470.411];
    const { mean, quantiles } = forecast('dynamic_theta', AIR_PASSENGERS, 10);
    expectWithin(mean, expected, 0.002);
    expect(Math.abs(quantiles[0]! / 430.57 - 1)).toBeLessThan(0.005);
    expect(Math.abs(quantiles[8]! / 455.7 - 1)).toBeLessThan(0.005);
  });
});

describe('auto_ets', () => {
  it('agrees with the form that statsforecast selects on the Nile (MNN)', () => {
    const { mean, quantiles } = forecast('auto_ets', NILE, 2);
    expectWithin(mean, [839.147, 839.147], 0.001);
    expect(Math.abs(quantiles[0]! / 670.98 - 1)).toBeLessThan(0.02);
    expect(Math.abs(quantiles[8]! / 1007.31 - 1)).toBeLessThan(0.02);
  });

  it('is close to statsforecast AutoETS on the airline series', () => {
    const expected = [442.357, 428.267, 492.975, 477.37, 477.603, 535.858, 600.832, 594.768];
    expectWithin(forecast('auto_ets', AIR_PASSENGERS, 8).mean, expected, 0.05);
  });
});

describe('ces', () => {
  it('agrees with statsforecast AutoCES without season on the Nile', () => {
    expectWithin(forecast('ces', NILE, 3).mean, [800.128, 797.51, 794.192], 0.005);
  });
});

describe('ridge_fourier and stl_ets', () => {
  it.each(['ridge_fourier', 'stl_ets'] as const)('%s continues a pure season exactly', (name) => {
    const wave = (t: number): number => Math.exp(4 + 0.3 * Math.cos((2 * Math.PI * t) / 12));
    const values = Float64Array.from({ length: 72 }, (_, t) => wave(t));
    const { mean } = forecast(name, values, 12);
    mean.forEach((value, k) => expect(Math.abs(value / wave(72 + k) - 1)).toBeLessThan(0.02));
  });
});

describe('intermittent methods', () => {
  const demand = [0, 2, 0, 1, 0, 0, 3, 0, 0, 1, 0, 0, 0, 2, 0, 4, 0, 0, 1, 0];

  it('croston equals statsforecast CrostonClassic', () => {
    expect(forecast('croston', demand, 1).mean[0]).toBeCloseTo(0.838847, 6);
  });

  it('sba equals statsforecast CrostonSBA', () => {
    expect(forecast('sba', demand, 1).mean[0]).toBeCloseTo(0.796905, 6);
  });

  it.each(['croston', 'adida'] as const)('%s finds the rate of perfectly regular demand', (name) => {
    // 6 pieces every third month: 2 a month, whatever the smoothing.
    const regular = Array.from({ length: 30 }, (_, t) => (t % 3 === 2 ? 6 : 0));
    expect(forecast(name, regular, 1).mean[0]).toBeCloseTo(2, 9);
  });

  it('tsb lets the rate decay when demand stops, croston does not', () => {
    const stopped = [...demand, ...new Array<number>(12).fill(0)];
    expect(forecast('tsb', stopped, 1).mean[0]!).toBeLessThan(0.7 * forecast('tsb', demand, 1).mean[0]!);
    expect(forecast('croston', stopped, 1).mean[0]).toBeCloseTo(0.838847, 6);
  });

  it('imapa lies between the rates of its aggregation levels', () => {
    // Levels 1, 2, 3 of statsforecast IMAPA average to .674 with its own smoothing; ours searches a wider range.
    const rate = forecast('imapa', demand, 1).mean[0]!;
    expect(rate).toBeGreaterThan(0.5);
    expect(rate).toBeLessThan(0.9);
  });
});
