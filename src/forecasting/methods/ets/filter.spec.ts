import { describe, expect, it } from '@jest/globals';
import { AIR_PASSENGERS } from '../../testing/series.js';
import { type EtsParameters, type FilterEnd, filterNonSeasonal, filterSeasonal } from './filter.js';
import type { EtsForm } from './form.js';

/** What R `forecast` reports: minus twice the log-likelihood up to a constant, sum of squares, last states. */
interface Expected {
  readonly criterion: number;
  readonly squares: number;
  readonly level: number;
  readonly slope: number;
}

/**
 * The recursions of R forecast 8.20 on the airline series, run with the parameters and first states of its own fits,
 * `ets(AirPassengers, model, damped)`, rounded to four digits. Its seasonal states come latest month first.
 */
const CASES: readonly (readonly [string, EtsForm, EtsParameters, readonly number[], Expected])[] = [
  [
    'multiplicative error, damped trend',
    { error: 'multiplicative', trend: 'damped', season: 'none' },
    { alpha: 0.9999, beta: 0.0001, gamma: 0, phi: 0.98, level: 118.4303, slope: 1.9823 },
    [],
    { criterion: 1666.8233849995, squares: 1.65096369508, level: 431.9958118, slope: 0.1146966157 },
  ],
  [
    'additive error, trend and season',
    { error: 'additive', trend: 'additive', season: 'additive' },
    { alpha: 0.9935, beta: 0.0002, gamma: 0.0006, phi: 1, level: 120.9608, slope: 1.3934 },
    [-29.1816, -54.3842, -20.7169, 15.0727, 65.1554, 66.1846, 33.5822, -4.232, -8.0946, -3.8205, -34.3364, -25.2288],
    { criterion: 1531.8732293596, squares: 41689.6650783, level: 461.0749375, slope: 1.421143043 },
  ],
  [
    'multiplicative error, damped trend, multiplicative season',
    { error: 'multiplicative', trend: 'damped', season: 'multiplicative' },
    { alpha: 0.7096, beta: 0.0204, gamma: 0.0001, phi: 0.98, level: 120.9939, slope: 1.7705 },
    [0.8944, 0.7993, 0.9217, 1.0592, 1.2203, 1.2318, 1.1105, 0.9786, 0.9804, 1.011, 0.8869, 0.9059],
    { criterion: 1359.1630723453, squares: 0.194823633027, level: 485.9314036, slope: 1.801397189 },
  ],
];

function run(
  values: Float64Array,
  form: EtsForm,
  parameters: EtsParameters,
  latestFirst: readonly number[],
): { readonly criterion: number; readonly end: FilterEnd; readonly seasonal: Float64Array } {
  const seasonal = Float64Array.from(latestFirst).reverse();
  const end: FilterEnd = { level: NaN, slope: NaN, squares: NaN };
  const criterion =
    form.season === 'none'
      ? filterNonSeasonal(values, form, parameters, end)
      : filterSeasonal(values, form, parameters, seasonal, end);
  return { criterion, end, seasonal };
}

describe.each(CASES)('exponential smoothing, %s', (_label, form, parameters, latestFirst, expected) => {
  it('has the likelihood and final states of the R package forecast', () => {
    const { criterion, end } = run(AIR_PASSENGERS, form, parameters, latestFirst);
    expect(criterion).toBeCloseTo(expected.criterion, 8);
    expect(end.squares / expected.squares).toBeCloseTo(1, 9);
    expect(end.level).toBeCloseTo(expected.level, 6);
    expect(end.slope).toBeCloseTo(expected.slope, 8);
  });

  it('continues with its own forecast over a missing month', () => {
    const gap = Float64Array.from([...AIR_PASSENGERS, NaN]);
    const before = run(AIR_PASSENGERS, form, parameters, latestFirst);
    const after = run(gap, form, parameters, latestFirst);
    expect(after.criterion).toBe(before.criterion);
    expect(after.end.squares).toBe(before.end.squares);
    expect(after.seasonal).toEqual(before.seasonal);
    expect(after.end.slope).toBeCloseTo(parameters.phi * before.end.slope, 12);
    expect(after.end.level).toBeCloseTo(before.end.level + after.end.slope, 9);
  });
});
