import { describe, expect, it } from '@jest/globals';
import { LEVELS, type QuantileForecast } from '../types.js';
import { mixForecasts } from './mixture.js';

/** A forecast given by nine quantiles per month. */
const forecast = (...months: readonly (readonly number[])[]): QuantileForecast => ({
  mean: Float64Array.from(months, (month) => month.reduce((sum, value) => sum + value / LEVELS, 0)),
  quantiles: Float64Array.from(months.flat()),
});
const RISING = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const RARE = [0, 0, 0, 0, 0, 0, 0, 1, 2];
const HIGH = [10, 11, 12, 13, 14, 15, 16, 17, 18];

describe('mixForecasts', () => {
  it.each([
    [1, [...RISING, ...RARE]],
    [0, [...HIGH, ...RISING]],
  ])('equals one of the two for a share of %p', (share, expected) => {
    const mixture = mixForecasts(forecast(RISING, RARE), forecast(HIGH, RISING), share);
    expect([...mixture.quantiles]).toEqual(expected);
  });

  it('of a forecast with itself is that forecast, whatever the share', () => {
    for (const share of [0.1, 1 / 3, 0.5, 0.77]) {
      expect([...mixForecasts(forecast(RISING), forecast(RISING), share).quantiles]).toEqual(RISING);
    }
  });

  it('keeps outcomes that only one of both considers possible, which averaged quantiles would not', () => {
    const half = mixForecasts(forecast(RARE), forecast(HIGH), 0.5);
    expect([...half.quantiles]).toEqual([0, 0, 0, 0, 2, 11, 13, 15, 17]);
    const mostlyRare = mixForecasts(forecast(RARE), forecast(HIGH), 0.9);
    expect(mostlyRare.quantiles[0]).toBe(0);
    expect(mostlyRare.quantiles[LEVELS - 1]).toBeGreaterThanOrEqual(10);
  });

  it('has the weighted mean of both', () => {
    expect(mixForecasts(forecast(RISING), forecast(HIGH), 0.25).mean[0]).toBeCloseTo(0.25 * 5 + 0.75 * 14, 12);
  });
});
