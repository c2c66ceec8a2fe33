import { describe, expect, it } from '@jest/globals';
import { monthNumber } from '../../calendar.js';
import { history } from '../../testing/series.js';
import { LEVELS } from '../../types.js';
import { forecastNewItem } from './new-item.js';

describe('forecastNewItem', () => {
  const factors = Float64Array.from({ length: 12 }, (_, month) => 1 + month / 10);
  const season = { factors, strays: new Float64Array(12 * LEVELS), probability: 1 };
  /** For the thirds of a year: 1, 2 and 3 times .6 to 1.4. */
  const ratios = [1, 2, 3].flatMap((third) => Array.from({ length: LEVELS }, (_, j) => third * (0.6 + j / 10)));
  const JANUARY = monthNumber(2020, 1);

  it('projects the mean of deseasonalized months by the season, with the spread of each third of a year', () => {
    // January 10 / 1, March 36 / 1.2; February is missing, April without demand: (10 + 30 + 0) / 3.
    const values = Float64Array.of(10, NaN, 36, 0);
    const level = 40 / 3;
    const { mean, quantiles } = forecastNewItem(history(values, { startMonth: JANUARY }), season, ratios, 14);
    for (const [k, third] of [...[0, 0, 0, 0], ...[1, 1, 1, 1], ...[2, 2, 2, 2, 2, 2]].entries()) {
      const expected = level * factors[(4 + k) % 12]! * (third + 1);
      expect(mean[k]).toBeCloseTo(expected, 9);
      expect(quantiles[k * LEVELS]).toBeCloseTo(0.6 * expected, 9);
      expect(quantiles[k * LEVELS + LEVELS - 1]).toBeCloseTo(1.4 * expected, 9);
    }
  });

  it('blends with a flat forecast when the season is uncertain', () => {
    const unsure = { ...season, probability: 0.75 };
    const { mean } = forecastNewItem(history([10, 36], { startMonth: JANUARY }), unsure, ratios, 1);
    const level = (10 + 36 / factors[1]!) / 2;
    expect(mean[0]).toBeCloseTo(0.75 * level * factors[2]! + 0.25 * 23, 9);
  });

  it('continues the mean when no season is known', () => {
    const { mean } = forecastNewItem(history([10, 30], { startMonth: JANUARY }), null, ratios, 3);
    expect([...mean]).toEqual([20, 20, 20].map((level) => expect.closeTo(level, 9)));
  });
});
