import { describe, expect, it } from '@jest/globals';
import { LEVELS, MEDIAN, type QuantileForecast, SEASON } from '../types.js';
import { continueForecast } from './continue-forecast.js';
import { OUTPUT_MONTHS } from './shape.js';

const HORIZON = OUTPUT_MONTHS + SEASON + 6;

/** A forecast whose quantiles lie `step(k)` apart, around 100 + k in month k. */
function forecastWith(months: number, step: (k: number) => number, level = 100): QuantileForecast {
  const center = (k: number): number => level + k;
  return {
    mean: Float64Array.from({ length: months }, (_, k) => center(k)),
    quantiles: Float64Array.from({ length: months * LEVELS }, (_, i) => {
      const k = Math.floor(i / LEVELS);
      return center(k) + ((i % LEVELS) - MEDIAN) * step(k);
    }),
  };
}

const HISTORY = Float64Array.of(90, 95, 100);
/** Two years ahead. */
const known = (first: number, second: number): QuantileForecast =>
  forecastWith(OUTPUT_MONTHS, (k) => (k < SEASON ? first : second));
/** What the network says of the months after these, with a spread that is not to be used. */
const PATH = forecastWith(HORIZON - OUTPUT_MONTHS, () => 50, 300);

const row = ({ quantiles }: QuantileForecast, k: number): number[] =>
  Array.from(quantiles.subarray(k * LEVELS, (k + 1) * LEVELS));
/** Distance of the outer quantiles, in ninths. */
const stepIn = (forecast: QuantileForecast, k: number): number =>
  (row(forecast, k)[LEVELS - 1]! - row(forecast, k)[0]!) / (LEVELS - 1);

describe('continueForecast', () => {
  it('keeps the months that are forecast directly', () => {
    const direct = known(3, 5);
    const continued = continueForecast(direct, PATH, HORIZON, HISTORY);
    expect(continued.quantiles.slice(0, direct.quantiles.length)).toEqual(direct.quantiles);
    expect(continued.mean.slice(0, OUTPUT_MONTHS)).toEqual(direct.mean);
  });

  it('goes on along the medians of the path, with the mean of the nine quantiles', () => {
    const continued = continueForecast(known(3, 5), PATH, HORIZON, HISTORY);
    expect(continued.mean).toHaveLength(HORIZON);
    for (let k = OUTPUT_MONTHS; k < HORIZON; k++) {
      expect(row(continued, k)[MEDIAN]).toBe(300 + k - OUTPUT_MONTHS);
      expect(continued.mean[k]).toBeCloseTo(300 + k - OUTPUT_MONTHS, 9);
    }
  });

  it('widens squared spreads by as much a year as from the first year to the second', () => {
    const continued = continueForecast(known(3, 5), PATH, HORIZON, HISTORY);
    // squares of 9 and 25 go on to 41 and 57
    expect(stepIn(continued, OUTPUT_MONTHS)).toBeCloseTo(Math.sqrt(41), 9);
    expect(stepIn(continued, OUTPUT_MONTHS + SEASON - 1)).toBeCloseTo(Math.sqrt(41), 9);
    expect(stepIn(continued, OUTPUT_MONTHS + SEASON)).toBeCloseTo(Math.sqrt(57), 9);
  });

  it('takes the spread of each month from the same month a year before', () => {
    const calm = forecastWith(OUTPUT_MONTHS, (k) => (k % SEASON === 2 ? 1 : 4));
    const continued = continueForecast(calm, PATH, HORIZON, HISTORY);
    expect(stepIn(continued, OUTPUT_MONTHS + 2)).toBeCloseTo(1, 9);
    expect(stepIn(continued, OUTPUT_MONTHS + 3)).toBeCloseTo(4, 9);
  });

  it('does not narrow where the second year is narrower than the first', () => {
    const continued = continueForecast(known(5, 3), PATH, HORIZON, HISTORY);
    expect(stepIn(continued, HORIZON - 1)).toBeCloseTo(3, 9);
  });

  it('goes below zero only where demand did', () => {
    const wide = known(60, 60);
    const low = forecastWith(HORIZON - OUTPUT_MONTHS, () => 0, 10);
    expect(row(continueForecast(wide, low, HORIZON, HISTORY), OUTPUT_MONTHS)[0]).toBe(0);
    expect(row(continueForecast(wide, low, HORIZON, Float64Array.of(-5, 20)), OUTPUT_MONTHS)[0]).toBeCloseTo(-230, 9);
  });
});
