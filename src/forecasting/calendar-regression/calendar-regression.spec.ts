import { describe, expect, it } from '@jest/globals';
import { monthNumber, weekdaysInMonth } from '../calendar.js';
import { createRandom } from '../../numeric/random.js';
import { seasonalSeries } from '../testing/series.js';
import { adjustCalendar } from './adjustment.js';
import { estimatePrior, usualPrior } from './prior.js';
import { WEEKDAY_COLUMN, weekdayExcess } from './regressors.js';
import { whiten } from './whitening.js';

const START = monthNumber(2015, 1);

/** Demand proportional to the weekdays of the month, with 2 % noise. */
function weekdaySeries(months: number, seed: number): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from(
    { length: months },
    (_, t) => 10 * weekdaysInMonth(START + t) * (1 + 0.04 * (random() - 0.5)),
  );
}

const spread = (values: Float64Array): number => Math.max(...values) / Math.min(...values);

describe('calendar regression', () => {
  it('takes the season out and puts the same season back', () => {
    const values = seasonalSeries(72);
    const { adjusted, restore } = adjustCalendar(values, START, usualPrior());
    expect(spread(adjusted)).toBeLessThan(1.25);
    const flat = { mean: new Float64Array(12).fill(100), quantiles: new Float64Array(108).fill(100) };
    const { mean } = restore(flat);
    expect(mean[3]!).toBeGreaterThan(120);
    expect(mean[9]!).toBeLessThan(80);
  });

  it('is additive where demand is not positive throughout', () => {
    const values = seasonalSeries(72).map((value) => value - 100);
    const { adjusted, logarithmic } = adjustCalendar(values, START, usualPrior());
    expect(logarithmic).toBe(false);
    expect(Math.max(...adjusted.map(Math.abs))).toBeLessThan(20);
  });

  it('leaves gaps as gaps and estimates around them', () => {
    const values = seasonalSeries(72).map((value, t) => (t % 5 === 2 ? NaN : value));
    const { adjusted } = adjustCalendar(values, START, usualPrior());
    adjusted.forEach((value, t) => expect(Number.isNaN(value)).toBe(t % 5 === 2));
    expect(spread(adjusted.filter((value) => !Number.isNaN(value)))).toBeLessThan(1.3);
  });

  it.each([
    ['under 13 months', seasonalSeries(12)],
    ['a constant', new Float64Array(40).fill(3)],
    ['nothing observed', new Float64Array(40).fill(NaN)],
  ])('returns %s as it is', (_label, values) => {
    expect(adjustCalendar(values, START, usualPrior()).adjusted).toBe(values);
  });

  it('finds the working-day effect that a workspace shares', () => {
    const series = Array.from({ length: 30 }, (_, i) => whiten(weekdaySeries(60, i + 1), START)!);
    // One weekday more in about 21.7 raises the logarithm by about .046.
    expect(estimatePrior(series).mean[WEEKDAY_COLUMN]!).toBeGreaterThan(0.035);
    expect(estimatePrior(series).mean[WEEKDAY_COLUMN]!).toBeLessThan(0.055);
  });

  it('keeps the usual prior for a handful of series', () => {
    const series = Array.from({ length: 3 }, (_, i) => whiten(seasonalSeries(60, i + 1), START)!);
    expect(estimatePrior(series)).toEqual(usualPrior());
  });

  it('measures weekdays from the mean of the calendar month', () => {
    let sum = 0;
    for (let year = 1973; year < 2001; year++) sum += weekdayExcess(monthNumber(year, 3));
    expect(sum).toBeCloseTo(0, 9);
    expect(weekdayExcess(monthNumber(2300, 3))).toBeCloseTo(weekdayExcess(monthNumber(2300, 3) - 400 * 12), 12);
  });
});
