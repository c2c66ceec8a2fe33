import { describe, expect, it } from '@jest/globals';
import { LEVELS } from '../types.js';
import { finishAccuracy, monthAccuracy, seriesAccuracy } from './accuracy.js';
import { outcomeWindow } from './outcome.js';

/** A forecast of three months, 10, 20 and 30, each with nine quantiles one unit apart. */
const forecast = {
  firstMonth: 24_300,
  mean: Float64Array.of(10, 20, 30),
  quantiles: Float64Array.from(
    { length: 3 * LEVELS },
    (_, at) => 10 * (Math.floor(at / LEVELS) + 1) + (at % LEVELS) - 4,
  ),
};
const known = Float64Array.from({ length: 24 }, (_, month) => 8 + Math.floor(month / 12) * 2); // a year of 8, one of 10

describe('a forecast compared with actual demand', () => {
  it('is measured over the months known so far, like a backtest', () => {
    const window = outcomeWindow(forecast, known, Float64Array.of(12, NaN))!;
    expect(window).toMatchObject({ firstMonth: 24_300, maseScale: 2, rmsseScale: 2 });
    expect([...window.naive]).toEqual([10, 10]);
    expect(finishAccuracy(seriesAccuracy([window]))).toMatchObject({
      months: 1,
      wape: 2 / 12,
      bias: -2 / 12,
      mase: 1,
      rmsse: 1,
      coverage: 1,
      skill: 0,
    });
  });

  it('ignores demand beyond its horizon', () => {
    const window = outcomeWindow(forecast, known, Float64Array.of(10, 20, 30, 999))!;
    expect(finishAccuracy(seriesAccuracy([window]))).toMatchObject({ months: 3, wape: 0, skill: 1 });
  });

  it('counts months of more returns than demand as months without demand, like a backtest', () => {
    const returned = known.with(5, -40);
    const window = outcomeWindow(forecast, returned, Float64Array.of(12, -35))!;
    const asZero = outcomeWindow(forecast, known.with(5, 0), Float64Array.of(12, 0))!;
    expect(window).toEqual(asZero);
    expect(finishAccuracy(seriesAccuracy([window]))).toMatchObject({ months: 2, wape: (2 + 20) / 12 });
  });

  it('is undefined until there is any demand', () => {
    expect(outcomeWindow(forecast, known, Float64Array.of())).toBeUndefined();
    expect(outcomeWindow(forecast, known, Float64Array.of(NaN, NaN, NaN, 40))).toBeUndefined();
  });

  it('splits into months that add up to it', () => {
    const window = outcomeWindow(forecast, known, Float64Array.of(12, 25, 24))!;
    const whole = seriesAccuracy([window]);
    const parts = [0, 1, 2].map((step) => monthAccuracy(window, step));
    expect(parts.map(({ demand }) => demand)).toEqual([12, 25, 24]);
    expect(parts.map(({ scaledError }) => scaledError)).toEqual([2 / 2, 5 / 2, 6 / 2]); // in the scale of the whole window
    for (const sum of ['months', 'demand', 'absoluteError', 'error', 'quantileLoss', 'covered'] as const) {
      expect(parts.reduce((total, part) => total + part[sum], 0)).toBeCloseTo(whole[sum], 12);
    }
  });
});
