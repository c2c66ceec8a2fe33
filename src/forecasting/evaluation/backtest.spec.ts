import { describe, expect, it } from '@jest/globals';
import { constantForecast } from '../methods/forecaster.js';
import { DEFAULT_SETTINGS } from '../settings.js';
import { history } from '../testing/series.js';
import { backtest, type OriginForecaster } from './backtest.js';
import { naiveScale } from './naive-scale.js';

const SETTINGS = { ...DEFAULT_SETTINGS, horizon: 6, backtestWindows: 3 };
const months = (count: number) => Array.from({ length: count }, (_, t) => t + 1);

/** Forecasts the number of known months. */
const knownMonths: OriginForecaster = ({ values }, _, steps) => constantForecast(values.length, steps);

describe('backtest', () => {
  it('forecasts each window from the months before it, oldest first, with the last one ending with the history', () => {
    const series = history(months(30));
    const windows = backtest(series, SETTINGS, knownMonths);
    expect(windows.map(({ firstMonth }) => firstMonth - series.startMonth)).toEqual([12, 18, 24]);
    expect(windows.map(({ mean }) => mean[0])).toEqual([12, 18, 24]);
    expect(windows.map(({ actual }) => [...actual])).toEqual([
      [13, 14, 15, 16, 17, 18],
      [19, 20, 21, 22, 23, 24],
      [25, 26, 27, 28, 29, 30],
    ]);
    expect([...windows[2]!.naive]).toEqual([13, 14, 15, 16, 17, 18]);
    // Every month is twelve more than a year earlier.
    expect(windows.map(({ maseScale }) => maseScale)).toEqual([NaN, 12, 12]);
    expect(windows[2]!.rmsseScale).toBe(12);
  });

  it('limits windows to a year', () => {
    const windows = backtest(history(months(60)), { ...SETTINGS, horizon: 24, backtestWindows: 2 }, knownMonths);
    expect(windows.map(({ actual }) => actual.length)).toEqual([12, 12]);
  });

  it('skips origins with fewer than four observed months and windows without any', () => {
    const early = backtest(history(months(15)), SETTINGS, knownMonths);
    expect(early.map(({ mean }) => mean[0])).toEqual([9]);
    expect(backtest(history(months(16)), SETTINGS, knownMonths)).toHaveLength(2);
    const silent = months(30).map((value, t) => (t >= 18 && t < 24 ? NaN : value));
    expect(backtest(history(silent), SETTINGS, knownMonths).map(({ mean }) => mean[0])).toEqual([12, 24]);
  });

  it('skips windows that a method cannot forecast, and passes it the number of each origin', () => {
    const origins: number[] = [];
    const windows = backtest(history(months(30)), SETTINGS, (known, origin, steps) => {
      origins.push(origin);
      return origin === 2 ? null : knownMonths(known, origin, steps);
    });
    expect(origins).toEqual([3, 2, 1]);
    expect(windows.map(({ mean }) => mean[0])).toEqual([12, 24]);
  });
});

describe('naiveScale', () => {
  const year = new Array<number>(12).fill(10);

  it('is the mean and root mean square difference from the year before, over months observed in both', () => {
    const { absolute, squared } = naiveScale(Float64Array.of(...year, 13, NaN, 6));
    expect(absolute).toBe(3.5);
    expect(squared).toBeCloseTo(Math.sqrt((9 + 16) / 2), 12);
  });

  it('is undefined for a single year, or when every month equals the year before', () => {
    expect(naiveScale(Float64Array.from(year))).toEqual({ absolute: NaN, squared: NaN });
    expect(naiveScale(Float64Array.of(...year, ...year))).toEqual({ absolute: NaN, squared: NaN });
  });

  it('is undefined when months differ from the year before by rounding only', () => {
    const rounded = year.map((value, t) => (t === 3 ? value + 1e-9 : value));
    expect(naiveScale(Float64Array.of(...year, ...rounded))).toEqual({ absolute: NaN, squared: NaN });
    expect(naiveScale(Float64Array.of(...year, ...year.map((value) => value + 1e-3))).absolute).toBeCloseTo(1e-3, 9);
  });
});
