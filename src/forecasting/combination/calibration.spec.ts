import { describe, expect, it } from '@jest/globals';
import { normalForecast } from '../testing/forecasts.js';
import { createRandom } from '../../numeric/random.js';
import { LEVELS } from '../types.js';
import { applyCalibration, learnCalibration } from './calibration.js';

describe('calibration', () => {
  const cases = (deviation: number, months = 60, window = 0) => {
    const random = createRandom(2);
    return Array.from({ length: 300 }, () => ({
      window,
      months,
      forecast: normalForecast(100, deviation, 6),
      actual: Float64Array.from({ length: 6 }, () => {
        const radius = Math.sqrt(-2 * Math.log(1 - random()));
        return 100 + 10 * radius * Math.cos(2 * Math.PI * random());
      }),
    }));
  };

  it('leaves a forecast with the right spread unchanged', () => {
    for (const factor of learnCalibration(cases(10), 6)) expect(Math.abs(factor - 1)).toBeLessThan(0.06);
  });

  it('moves closer to the right spread, on a logarithmic scale, the more windows agree', () => {
    const windows = (...deviations: number[]) => deviations.flatMap((deviation, w) => cases(deviation, 60, w));
    const way = (learned: readonly number[]): number => Math.log2(learned[0]!);
    expect(way(learnCalibration(windows(5), 6))).toBeCloseTo(0.45, 1);
    expect(way(learnCalibration(windows(5, 5, 5, 5), 6))).toBeCloseTo(0.93, 1);
    expect(way(learnCalibration(windows(2.5, 10, 2.5, 10), 6))).toBeLessThan(0.5);
  });

  it('at most multiplies or divides the spread by a bounded factor, however wrong the forecasts were', () => {
    const windows = (deviation: number) => Array.from({ length: 6 }, (_, w) => cases(deviation, 60, w)).flat();
    for (const factor of learnCalibration(windows(0.1), 6)) {
      expect(factor).toBeGreaterThan(2);
      expect(factor).toBeLessThan(2.5);
    }
    for (const factor of learnCalibration(windows(1000), 6)) {
      expect(factor).toBeGreaterThan(0.5);
      expect(factor).toBeLessThan(0.6);
    }
  });

  it('learns from observed months only', () => {
    const observed = cases(5).map((one) => ({ ...one, actual: one.actual.subarray(0, 4) }));
    const missing = observed.map((one) => ({ ...one, actual: Float64Array.of(...one.actual, NaN, NaN) }));
    expect(learnCalibration(missing, 6)).toEqual(learnCalibration(observed, 6));
  });

  it('learns from short histories only when there are few long ones', () => {
    const [long, short] = [cases(10), cases(5, 30)];
    expect(learnCalibration([...long, ...short], 6)).toEqual(learnCalibration(long, 6));
    expect(learnCalibration([...long.slice(0, 20), ...short], 6)[0]).toBeGreaterThan(1.15);
  });

  it('scales around the median by thirds of the horizon', () => {
    const forecast = normalForecast(100, 10, 6);
    const before = forecast.quantiles.slice();
    applyCalibration(forecast, [1, 2, 3], 3);
    [1, 2, 3, 3, 3, 3].forEach((factor, k) => {
      for (let j = 0; j < LEVELS; j++) {
        expect(forecast.quantiles[k * LEVELS + j]! - 100).toBeCloseTo(factor * (before[k * LEVELS + j]! - 100), 9);
      }
    });
  });
});
