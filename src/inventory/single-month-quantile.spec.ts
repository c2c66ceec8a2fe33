import { describe, expect, it } from '@jest/globals';
import { singleMonthQuantile } from './single-month-quantile.js';
import type { DemandForecast } from './types.js';

/** Three months with their quantiles at .5 and .9. */
const FORECAST: DemandForecast = {
  mean: [10, 20, 5],
  quantiles: [9, 15, 19, 30, 4, 8],
  levels: [0.5, 0.9],
  backtest: [],
  demandPattern: 'smooth',
  wholeUnits: false,
};

describe('singleMonthQuantile', () => {
  it('is the largest over the whole months at the next lower level', () => {
    expect(singleMonthQuantile(FORECAST, { whole: 3, fraction: 0 }, 0.95)).toEqual({ level: 0.9, quantile: 30 });
    expect(singleMonthQuantile(FORECAST, { whole: 1, fraction: 0.5 }, 0.95)).toEqual({ level: 0.9, quantile: 15 });
    expect(singleMonthQuantile(FORECAST, { whole: 3, fraction: 0 }, 0.9)).toEqual({ level: 0.5, quantile: 19 });
  });

  it('is undefined without a whole month or a lower level', () => {
    expect(singleMonthQuantile(FORECAST, { whole: 0, fraction: 0.5 }, 0.95)).toBeUndefined();
    expect(singleMonthQuantile(FORECAST, { whole: 2, fraction: 0 }, 0.5)).toBeUndefined();
  });
});
