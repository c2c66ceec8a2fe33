import { describe, expect, it } from '@jest/globals';
import { forecastWith } from '../forecast-series.js';
import { history } from '../testing/series.js';

/** Expected demand of the next month. */
function rateOf(values: readonly number[]): number {
  const forecast = forecastWith('tsb', history(values), 1, 1);
  if ('kind' in forecast) throw new Error(forecast.detail);
  return forecast.mean[0]!;
}

const repeat = (block: readonly number[], times: number) => Array.from({ length: times }, () => block).flat();

describe('tsb', () => {
  it('forecasts steady demand unchanged and regular orders by their mean', () => {
    expect(rateOf(repeat([7], 40))).toBeCloseTo(7, 9);
    expect(Math.abs(rateOf(repeat([0, 0, 6], 30)) - 2)).toBeLessThan(0.3);
    expect(Math.abs(rateOf(repeat([0, 0, 600], 30)) - 200)).toBeLessThan(30);
  });

  it('expects less with each month after demand has stopped', () => {
    const rates = [0, 6, 12, 24, 48].map((silent) => rateOf([...repeat([5], 36), ...repeat([0], silent)]));
    expect(rates[0]).toBeCloseTo(5, 9);
    for (let i = 1; i < rates.length; i++) expect(rates[i]!).toBeLessThan(0.8 * rates[i - 1]!);
    expect(rates.at(-1)).toBeLessThan(0.01);
  });

  it('follows orders that become more frequent and larger', () => {
    expect(rateOf([...repeat([0, 0, 0, 4], 15), ...repeat([4], 12)])).toBeGreaterThan(3);
    const larger = rateOf([...repeat([0, 4], 20), ...repeat([0, 12], 20)]);
    expect(larger).toBeGreaterThan(4);
    expect(larger).toBeLessThan(6.5);
  });

  it('is zero without demand', () => {
    expect(rateOf(repeat([0], 30))).toBe(0);
  });
});
