import { describe, expect, it } from '@jest/globals';
import { monthNumber, weekdaysInMonth } from '../calendar.js';
import { normalQuantile } from '../../numeric/normal.js';
import { createRandom } from '../../numeric/random.js';
import { seasonalSeries } from '../testing/series.js';
import { adjustCalendar } from './adjustment.js';
import { usualPrior, type CalendarPrior } from './calendar-prior.js';
import { estimatePrior } from './prior.js';
import { fitAtPrior, fitPosterior } from './posterior.js';
import {
  COLUMNS,
  DRIFT_COLUMN,
  EASTER_COLUMN,
  easterExcess,
  SEASONAL_BASIS,
  SEASONAL_COLUMNS,
  WEEKDAY_COLUMN,
  weekdayExcess,
} from './regressors.js';
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

/** Demand of about 100, a fifth less of it where Easter falls, with 2 % noise. */
function easterSeries(months: number, seed: number): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from(
    { length: months },
    (_, t) => 100 * Math.exp(-0.2 * easterExcess(START + t)) * (1 + 0.04 * (random() - 0.5)),
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

  it('finds the effect of Easter that a workspace shares, and moves it with Easter', () => {
    const prior = estimatePrior(Array.from({ length: 30 }, (_, i) => whiten(easterSeries(60, i + 1), START)!));
    expect(prior.mean[EASTER_COLUMN]).toBeGreaterThan(-0.24);
    expect(prior.mean[EASTER_COLUMN]).toBeLessThan(-0.16);
    const ahead = (months: number) =>
      adjustCalendar(easterSeries(months, 40), START, prior).restore({
        mean: new Float64Array(12).fill(100),
        quantiles: new Float64Array(108).fill(100),
      }).mean;
    // 9 April 2023, 31 March 2024
    const [in2023, in2024] = [ahead(96), ahead(108)];
    expect(in2023[3]! / in2023[2]!).toBeLessThan(0.95);
    expect(in2024[3]! / in2024[2]!).toBeGreaterThan(1.1);
  });

  it('takes no effect of Easter out with a prior that an earlier release stored', () => {
    const stored = {
      mean: usualPrior().mean.slice(0, EASTER_COLUMN),
      variance: usualPrior().variance.slice(0, EASTER_COLUMN),
    };
    const coefficients = (prior: CalendarPrior) =>
      fitPosterior(whiten(easterSeries(60, 1), START)!, prior).coefficients;
    expect(Math.abs(coefficients(stored)[EASTER_COLUMN]!)).toBeLessThan(0.001);
    expect(coefficients(usualPrior())[EASTER_COLUMN]!).toBeLessThan(-0.02);
  });

  it('leaves an item whose season is the opposite of all others its own', () => {
    const wave = (strength: number, seed: number) => {
      const random = createRandom(seed);
      return Float64Array.from(
        { length: 30 },
        (_, t) => 100 * Math.exp(strength * Math.cos((2 * Math.PI * t) / 12) + 0.2 * (random() - 0.5)),
      );
    };
    const prior = estimatePrior(Array.from({ length: 40 }, (_, i) => whiten(wave(0.3, i + 1), START)!));
    const { seasonal } = adjustCalendar(wave(-1, 50), START, prior);
    expect(seasonal[0]).toBeLessThan(-0.85);
    expect(seasonal[6]).toBeGreaterThan(0.85);
    expect(adjustCalendar(wave(0.3, 51), START, prior).seasonal[0]).toBeCloseTo(0.3, 1);
  });

  it('leaves an item that sells at Easter among others that do not its Easter', () => {
    const prior = estimatePrior(Array.from({ length: 30 }, (_, i) => whiten(seasonalSeries(60, i + 1), START)!));
    const values = seasonalSeries(60, 50).map((value, t) => value * Math.exp(0.7 * easterExcess(START + t)));
    const easterOf = (series: Float64Array) => fitPosterior(whiten(series, START)!, prior).coefficients[EASTER_COLUMN]!;
    expect(easterOf(values)).toBeGreaterThan(0.6);
    expect(easterOf(values)).toBeLessThan(0.8);
    expect(Math.abs(easterOf(seasonalSeries(60, 51)))).toBeLessThan(0.02);
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

  it.each([
    [2023, 0],
    [2024, 0.888889],
    [2025, 0],
    [2018, 0.777778],
    [2035, 1],
  ])('tells how much of Easter March of %d has', (year, share) => {
    const [march, april] = [easterExcess(monthNumber(year, 3)), easterExcess(monthNumber(year, 4))];
    expect(march + april).toBeCloseTo(0, 12);
    expect(march - easterExcess(monthNumber(2025, 3))).toBeCloseTo(share, 6);
    expect(easterExcess(monthNumber(year, 5))).toBe(0);
  });

  it('measures Easter from the mean of the calendar month', () => {
    let sum = 0;
    for (let year = 1900; year < 2200; year++) sum += easterExcess(monthNumber(year, 4));
    expect(sum).toBeCloseTo(0, 9);
  });

  it('has a basis of eleven patterns that sum to zero over the year and are orthogonal', () => {
    const pattern = (column: number) =>
      Array.from({ length: 12 }, (_, month) => SEASONAL_BASIS[month * SEASONAL_COLUMNS + column]!);
    const product = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
    for (let i = 0; i < SEASONAL_COLUMNS; i++) {
      expect(product(pattern(i), new Array<number>(12).fill(1))).toBeCloseTo(0, 12);
      expect(product(pattern(i), pattern(i))).toBeGreaterThan(5);
      for (let j = 0; j < i; j++) expect(product(pattern(i), pattern(j))).toBeCloseTo(0, 12);
    }
  });

  it.each([
    ['whole', () => false],
    ['with gaps', (t: number) => t % 7 === 3],
  ])('whitens regressors and response alike: a %s history that the calendar explains leaves no error', (_, missing) => {
    const truth = new Map([
      [0, 0.2],
      [WEEKDAY_COLUMN, 0.03],
      [DRIFT_COLUMN, 0.004],
    ]);
    const values = Float64Array.from({ length: 48 }, (__, t) =>
      missing(t) ? NaN : Math.exp(0.2 * Math.cos((2 * Math.PI * t) / 12) + 0.03 * weekdayExcess(START + t) + 0.004 * t),
    );
    for (const { gram, moment, squares } of whiten(values, START)!.moments) {
      const entry = (i: number, j: number) => gram[Math.max(i, j) * COLUMNS + Math.min(i, j)]!;
      let explained = 0;
      for (let i = 0; i < COLUMNS; i++) {
        const fitted = [...truth].reduce((sum, [j, coefficient]) => sum + coefficient * entry(i, j), 0);
        expect(moment[i]! - fitted).toBeCloseTo(0, 9);
        explained += (truth.get(i) ?? 0) * fitted;
      }
      expect(squares - explained).toBeCloseTo(0, 9);
      expect(squares).toBeGreaterThan(0.01);
    }
  });

  it('has a posterior that solves the normal equations of the prior, relative to the noise', () => {
    const prior = { ...usualPrior(), mean: usualPrior().mean.map((_, i) => 0.01 * (i + 1)) };
    const series = whiten(seasonalSeries(60), START)!;
    const { coefficients, noise, filter } = fitAtPrior(series, prior);
    const { gram, moment } = series.moments[filter]!;
    for (let i = 0; i < COLUMNS; i++) {
      const precision = noise / prior.variance[i]!;
      let left = precision * (coefficients[i]! - prior.mean[i]!);
      for (let j = 0; j < COLUMNS; j++) left += gram[Math.max(i, j) * COLUMNS + Math.min(i, j)]! * coefficients[j]!;
      expect(left - moment[i]!).toBeCloseTo(0, 9);
    }
  });

  it('measures the noise that is left: 5 % either way, evenly spread, are a variance of .05^2 / 3', () => {
    const { noise } = fitPosterior(whiten(seasonalSeries(60), START)!, usualPrior());
    expect(noise / (0.05 ** 2 / 3)).toBeGreaterThan(0.7);
    expect(noise / (0.05 ** 2 / 3)).toBeLessThan(1.5);
  });

  it('learns how strong the season of a workspace is, and how far its series differ', () => {
    const random = createRandom(6);
    const normal = () => normalQuantile(0.001 + 0.998 * random());
    const series = Array.from({ length: 60 }, () => {
      const [cosine, sine] = [0.2 + 0.1 * normal(), 0.1 * normal()];
      const values = Float64Array.from({ length: 60 }, (_, t) => {
        const angle = (2 * Math.PI * t) / 12;
        return 100 * Math.exp(cosine * Math.cos(angle) + sine * Math.sin(angle) + 0.02 * normal());
      });
      return whiten(values, START)!;
    });
    const { mean, variance } = estimatePrior(series);
    expect(mean[0]).toBeGreaterThan(0.15);
    expect(mean[0]).toBeLessThan(0.25);
    expect(Math.abs(mean[1]!)).toBeLessThan(0.03);
    expect(mean[DRIFT_COLUMN]).toBe(0);
    expect(variance[0]).toBe(variance[1]);
    expect(variance[0]! / 0.1 ** 2).toBeGreaterThan(0.6);
    expect(variance[0]! / 0.1 ** 2).toBeLessThan(1.6);
    // The other harmonics have noise alone.
    for (let i = 2; i < SEASONAL_COLUMNS; i++) expect(variance[i]).toBeLessThan(0.02 ** 2);
  });

  it('puts an additive season back in the units of the series', () => {
    const values = seasonalSeries(72).map((value) => 40 * (value - 100));
    const { restore } = adjustCalendar(values, START, usualPrior());
    const { mean } = restore({ mean: new Float64Array(12), quantiles: new Float64Array(108) });
    expect(mean[3]! / (40 * 30)).toBeGreaterThan(0.8);
    expect(mean[3]! / (40 * 30)).toBeLessThan(1.2);
  });
});
