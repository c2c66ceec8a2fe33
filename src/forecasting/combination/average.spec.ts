import { describe, expect, it } from '@jest/globals';
import { constantForecast } from '../methods/forecaster.js';
import { averageForecasts } from './average.js';

describe('averageForecasts', () => {
  it('averages quantile by quantile and redistributes the weight of absent members', () => {
    const average = averageForecasts([constantForecast(2, 3), null, constantForecast(8, 3)], [0.25, 0.5, 0.25]);
    expect(average.quantiles.every((value) => value === 5)).toBe(true);
  });
});
