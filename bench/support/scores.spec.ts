import { describe, expect, it } from '@jest/globals';
import { LEVELS, type QuantileForecast } from '../../src/forecasting/index.js';
import { scoreSet } from './scores.js';

/** The same nine quantiles, 6 to 14, and mean 10 in each month. */
function around10(months: number): QuantileForecast {
  return {
    mean: new Float64Array(months).fill(10),
    quantiles: Float64Array.from({ length: months * LEVELS }, (_, i) => 6 + (i % LEVELS)),
  };
}

describe('scores of a benchmark set', () => {
  const history = Float64Array.from({ length: 24 }, (_, t) => (t < 12 ? 8 : 10));

  it('are errors in units of the seasonal naive, and shares of months inside the intervals', () => {
    const scores = scoreSet([{ id: 'A', history, actual: Float64Array.of(9, 20, 11), forecast: around10(3) }]);
    expect(scores.mase).toBeCloseTo((1 + 10 + 1) / 3 / 2, 12);
    expect(scores.coverage).toBeCloseTo(2 / 3, 12);
    expect(scores.coverage_by_third).toEqual([1, 0, 1]);
  });

  it('skip missing months', () => {
    const observed = scoreSet([{ id: 'A', history, actual: Float64Array.of(9, 20), forecast: around10(2) }]);
    const missing = scoreSet([{ id: 'A', history, actual: Float64Array.of(9, 20, NaN), forecast: around10(3) }]);
    expect(missing.mase).toBe(observed.mase);
    expect(missing.owa).toBe(observed.owa);
    expect(missing.wql9).toBe(observed.wql9);
    expect(missing.coverage).toBe(observed.coverage);
  });
});
