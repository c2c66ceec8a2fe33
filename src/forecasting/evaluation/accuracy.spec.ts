import { describe, expect, it } from '@jest/globals';
import { emptyAccuracy, finishAccuracy, mergeAccuracy, seriesAccuracy } from './accuracy.js';
import type { BacktestWindow } from '../types.js';

/** Two months, nine quantiles 1..9 each time; actual demand 5 and 10. */
function window(overrides: Partial<BacktestWindow> = {}): BacktestWindow {
  const row = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  return {
    firstMonth: 24000,
    actual: Float64Array.of(5, 10),
    mean: Float64Array.of(6, 6),
    quantiles: Float64Array.from([...row, ...row]),
    maseScale: 2,
    rmsseScale: 4,
    naive: Float64Array.of(9, 14),
    ...overrides,
  };
}

describe('accuracy', () => {
  it('computes each metric by its formula', () => {
    const metrics = finishAccuracy(seriesAccuracy([window()]));
    expect(metrics.wape).toBeCloseTo(5 / 15, 12);
    expect(metrics.mase).toBeCloseTo(2.5 / 2, 12);
    expect(metrics.rmsse).toBeCloseTo(Math.sqrt((1 + 16) / 2) / 4, 12);
    expect(metrics.bias).toBeCloseTo((1 - 4) / 15, 12);
    expect(metrics.coverage).toBeCloseTo(0.5, 12);
    expect(metrics.skill).toBeCloseTo(1 - 5 / 8, 12);
    // Month 1: 2/9 (.1 4 + .2 3 + .3 2 + .4 1 + 0 + .4 1 + .3 2 + .2 3 + .1 4) = 8/9. Month 2: 2/9 sum level (10 - quantile) = 2/9 16.5.
    expect(metrics.meanWeightedQuantileLoss).toBeCloseTo((8 / 9 + 33 / 9) / 15, 12);
  });

  it('averages scaled errors window by window, each in its own scale', () => {
    const windows = [window(), window({ maseScale: 5, rmsseScale: 2 })];
    const { mase, rmsse } = finishAccuracy(seriesAccuracy(windows));
    expect(mase).toBeCloseTo((2.5 / 2 + 2.5 / 5) / 2, 12);
    expect(rmsse).toBeCloseTo((Math.sqrt(8.5) / 4 + Math.sqrt(8.5) / 2) / 2, 12);
  });

  it.each([
    ['the scale of absolute errors', { maseScale: 0 }],
    ['the scale of squared errors', { rmsseScale: NaN }],
    ['an observed month', { actual: Float64Array.of(NaN, NaN) }],
  ])('has no scaled error for a window without %s', (_, overrides) => {
    expect(finishAccuracy(seriesAccuracy([window(overrides)]))).toMatchObject({ mase: null, rmsse: null });
    const beside = finishAccuracy(seriesAccuracy([window(overrides), window()]));
    expect([beside.mase, beside.rmsse]).toEqual([2.5 / 2, Math.sqrt(8.5) / 4]);
  });

  it('averages the scaled error over series, whatever their number of windows', () => {
    const long = seriesAccuracy([window(), window(), window()]);
    const short = seriesAccuracy([window({ maseScale: 1, rmsseScale: 1 })]);
    const { mase, rmsse } = finishAccuracy(mergeAccuracy(long, short));
    expect(mase).toBeCloseTo((2.5 / 2 + 2.5) / 2, 12);
    expect(rmsse).toBeCloseTo((Math.sqrt(8.5) / 4 + Math.sqrt(8.5)) / 2, 12);
  });

  it('skips missing months', () => {
    const metrics = finishAccuracy(seriesAccuracy([window({ actual: Float64Array.of(5, NaN) })]));
    expect(metrics.months).toBe(1);
    expect(metrics.wape).toBe(0);
  });

  it('is the same however the series are split into chunks', () => {
    const parts = [1, 2, 3, 4].map((k) => seriesAccuracy([window({ actual: Float64Array.of(k, 2 * k) })]));
    const chunked = mergeAccuracy(mergeAccuracy(parts[3]!, parts[1]!), mergeAccuracy(parts[2]!, parts[0]!));
    const whole = finishAccuracy(parts.reduce(mergeAccuracy, emptyAccuracy()));
    for (const [name, value] of Object.entries(finishAccuracy(chunked))) {
      expect(value).toBeCloseTo(whole[name as keyof typeof whole]!, 12);
    }
  });

  it('has no metrics when there is nothing to measure', () => {
    expect(finishAccuracy(emptyAccuracy())).toMatchObject({ wape: null, mase: null, coverage: null, skill: null });
    expect(finishAccuracy(seriesAccuracy([window({ maseScale: NaN, rmsseScale: NaN })])).mase).toBeNull();
  });
});
