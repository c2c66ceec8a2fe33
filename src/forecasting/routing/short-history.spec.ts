import { describe, expect, it } from '@jest/globals';
import { monthNumber } from '../calendar.js';
import { history, seasonalSeries } from '../testing/series.js';
import { LEVELS, type QuantileForecast } from '../types.js';
import { borrowedShape, poolShapes, type ShapeDonor } from './category-shape.js';
import { forecastWithShape } from './short-history.js';

const JANUARY = monthNumber(2020, 1);
const HORIZON = 12;
const lastMonth = (values: Float64Array): QuantileForecast => ({
  mean: new Float64Array(HORIZON).fill(values.at(-1)!),
  quantiles: new Float64Array(HORIZON * LEVELS).fill(values.at(-1)!),
});
/** Five series whose log effects are a wave, of which each is shifted by `apart` months more than the one before. */
const waves = (apart: number): ShapeDonor[] =>
  Array.from({ length: 5 }, (_, i) => ({
    category: 'garden',
    seasonal: Float64Array.from(
      { length: 12 },
      (_month, m) => 0.7 * Math.cos((2 * Math.PI * (m - 6 - i * apart)) / 12),
    ),
    values: seasonalSeries(36, i),
    startMonth: JANUARY,
  }));
const shapeOf = (apart: number) => borrowedShape(poolShapes(waves(apart)), 'garden');

describe('the season that forecastWithShape borrows', () => {
  it('counts as much as the series that it comes from agree on it', () => {
    expect(shapeOf(0).agreement).toBeCloseTo(5 / 6, 9);
    expect(shapeOf(1).agreement).toBeGreaterThan(0.5);
    expect(shapeOf(1).agreement).toBeLessThan(0.8);
    expect(shapeOf(12 / 5).agreement).toBeLessThan(0.3);
  });

  it('is taken out of a history of less than a year, and put into its forecast', () => {
    const shape = shapeOf(0);
    const values = Array.from({ length: 6 }, (_, t) => 50 * shape.factors[t]!);
    const { mean, quantiles } = forecastWithShape(history(values, { startMonth: JANUARY }), shape, lastMonth);
    mean.forEach((expected, k) => {
      expect(expected / (50 * shape.factors[(6 + k) % 12]!)).toBeCloseTo(1, 2);
      expect(quantiles[k * LEVELS]).toBeCloseTo(expected, 9);
    });
  });

  it('is left out where the months of the history speak against it', () => {
    const forecast = forecastWithShape(
      history([50, 51, 49, 50, 51, 50], { startMonth: JANUARY }),
      shapeOf(0),
      lastMonth,
    );
    for (const expected of forecast.mean) expect(Math.abs(expected - 50)).toBeLessThan(1);
  });

  it('leaves less to be unsure of: the wider spread is that of the history as it is', () => {
    const shape = shapeOf(0);
    const around = (values: Float64Array): QuantileForecast => {
      const forecast = lastMonth(values);
      return { ...forecast, quantiles: forecast.quantiles.map((value, i) => value * (0.6 + (i % LEVELS) / 10)) };
    };
    const spreadOf = (values: number[], spread: number): number => {
      const past = history(values, { startMonth: JANUARY });
      const { quantiles } = forecastWithShape(past, shape, around, spread);
      return quantiles[LEVELS - 1]! - quantiles[0]!;
    };
    const ofTheSeason = Array.from({ length: 6 }, (_, t) => 50 * shape.factors[t]!);
    expect(spreadOf(ofTheSeason, 1.5) / spreadOf(ofTheSeason, 1)).toBeCloseTo(1, 1);
    const ofNone = [50, 51, 49, 50, 51, 50];
    expect(spreadOf(ofNone, 1.5) / spreadOf(ofNone, 1)).toBeCloseTo(1.5, 1);
  });

  it('is left alone where nothing is known of how far it is shared', () => {
    const { agreement: _, ...stored } = shapeOf(0);
    const forecast = forecastWithShape(history([3, 9, 20], { startMonth: JANUARY }), stored, lastMonth);
    expect([...forecast.mean]).toEqual(new Array(HORIZON).fill(20));
  });
});
