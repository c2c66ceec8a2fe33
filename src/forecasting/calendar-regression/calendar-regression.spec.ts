import { describe, expect, it } from '@jest/globals';
import { monthNumber, weekdaysInMonth } from '../calendar.js';
import { normalQuantile } from '../../numeric/normal.js';
import { createRandom } from '../../numeric/random.js';
import { seasonalSeries } from '../testing/series.js';
import { adjustCalendar } from './adjustment.js';
import { holidaysOf, usualPrior, type CalendarPrior } from './calendar-prior.js';
import { estimatePrior } from './prior.js';
import { fitAtPrior, fitPosterior } from './posterior.js';
import { HOLIDAYS, holidayExcess, type HolidayName } from './moving-holidays.js';
import {
  COMMON_COLUMNS,
  DRIFT_COLUMN,
  SEASONAL_BASIS,
  SEASONAL_COLUMNS,
  WEEKDAY_COLUMN,
  weekdayExcess,
} from './regressors.js';
import { priorWithoutShared, sharedEffects } from './shared-effects.js';
import { whiten, type WhitenedSeries } from './whitening.js';

const START = monthNumber(2015, 1);
/** Position of Easter in the default prior. */
const EASTER_COLUMN = COMMON_COLUMNS;

/** Whitened as for the default prior. */
const whitened = (values: Float64Array): WhitenedSeries => whiten(values, START, ['easter'])!;

/** Prior of a workspace of `count` series, made with the seeds 1 to `count`. */
const priorOf = (count: number, make: (seed: number) => Float64Array): CalendarPrior =>
  estimatePrior(Array.from({ length: count }, (_, i) => ({ id: String(i), startMonth: START, values: make(i + 1) })));

/** Estimated effect of a holiday. */
function effectOf(name: HolidayName, values: Float64Array, prior: CalendarPrior): number {
  const { coefficients, holidays } = fitPosterior(whiten(values, START, holidaysOf(prior))!, prior);
  return holidays.includes(name) ? coefficients[COMMON_COLUMNS + holidays.indexOf(name)]! : 0;
}

/** Demand proportional to the weekdays of the month, with 2 % noise. */
function weekdaySeries(months: number, seed: number): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from(
    { length: months },
    (_, t) => 10 * weekdaysInMonth(START + t) * (1 + 0.04 * (random() - 0.5)),
  );
}

/** Demand of about 100, multiplied by e^effect at the holiday, with uniform noise of `noise / 2` either way, 2 % by default. */
function holidaySeries(name: HolidayName, effect: number, months: number, seed: number, noise = 0.04): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from(
    { length: months },
    (_, t) => 100 * Math.exp(effect * holidayExcess(name, START + t)) * (1 + noise * (random() - 0.5)),
  );
}

/** A fifth less demand at Easter. */
const easterSeries = (months: number, seed: number): Float64Array => holidaySeries('easter', -0.2, months, seed);

const spread = (values: Float64Array): number => Math.max(...values) / Math.min(...values);

describe('calendar regression', () => {
  it('removes the season and restores the same season', () => {
    const values = seasonalSeries(72);
    const { adjusted, restore } = adjustCalendar(values, START, usualPrior());
    expect(spread(adjusted)).toBeLessThan(1.25);
    const flat = { mean: new Float64Array(12).fill(100), quantiles: new Float64Array(108).fill(100) };
    const { mean } = restore(flat);
    expect(mean[3]!).toBeGreaterThan(120);
    expect(mean[9]!).toBeLessThan(80);
  });

  it('is additive when demand is not positive throughout', () => {
    const values = seasonalSeries(72).map((value) => value - 100);
    const { adjusted, logarithmic } = adjustCalendar(values, START, usualPrior());
    expect(logarithmic).toBe(false);
    expect(Math.max(...adjusted.map(Math.abs))).toBeLessThan(20);
  });

  it('preserves gaps and estimates around them', () => {
    const values = seasonalSeries(72).map((value, t) => (t % 5 === 2 ? NaN : value));
    const { adjusted } = adjustCalendar(values, START, usualPrior());
    adjusted.forEach((value, t) => expect(Number.isNaN(value)).toBe(t % 5 === 2));
    expect(spread(adjusted.filter((value) => !Number.isNaN(value)))).toBeLessThan(1.3);
  });

  it.each([
    ['fewer than 13 months', seasonalSeries(12)],
    ['a constant', new Float64Array(40).fill(3)],
    ['nothing observed', new Float64Array(40).fill(NaN)],
  ])('returns %s unchanged', (_label, values) => {
    expect(adjustCalendar(values, START, usualPrior()).adjusted).toBe(values);
  });

  it('finds a working-day effect shared by the workspace', () => {
    const { mean } = priorOf(30, (seed) => weekdaySeries(60, seed));
    // One additional weekday in about 21.7 raises the logarithm by about .046.
    expect(mean[WEEKDAY_COLUMN]!).toBeGreaterThan(0.035);
    expect(mean[WEEKDAY_COLUMN]!).toBeLessThan(0.055);
  });

  it('finds an Easter effect shared by the workspace, and moves it with Easter', () => {
    const prior = priorOf(30, (seed) => easterSeries(60, seed));
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

  it('removes no Easter effect with a prior stored by an earlier release, which lacks it', () => {
    const [mean, variance] = [usualPrior().mean.slice(0, EASTER_COLUMN), usualPrior().variance.slice(0, EASTER_COLUMN)];
    expect(effectOf('easter', easterSeries(60, 1), { mean, variance, months: 0 })).toBe(0);
    expect(effectOf('easter', easterSeries(60, 1), usualPrior())).toBeLessThan(-0.02);
  });

  it('removes no Diwali effect with a prior stored by an earlier release', () => {
    const { mean, variance } = usualPrior();
    const values = holidaySeries('diwali', 0.7, 60, 1);
    expect(effectOf('diwali', values, { mean, variance, months: 0 })).toBe(0);
    expect(effectOf('diwali', values, usualPrior())).toBeGreaterThan(0.6);
    expect(effectOf('easter', holidaySeries('easter', 0.7, 60, 1), { mean, variance, months: 0 })).toBeGreaterThan(0.6);
  });

  it('keeps the season of an item that runs opposite to all others', () => {
    const wave = (strength: number, seed: number) => {
      const random = createRandom(seed);
      return Float64Array.from(
        { length: 30 },
        (_, t) => 100 * Math.exp(strength * Math.cos((2 * Math.PI * t) / 12) + 0.2 * (random() - 0.5)),
      );
    };
    const prior = priorOf(40, (seed) => wave(0.3, seed));
    const { seasonal } = adjustCalendar(wave(-1, 50), START, prior);
    expect(seasonal[0]).toBeLessThan(-0.85);
    expect(seasonal[6]).toBeGreaterThan(0.85);
    expect(adjustCalendar(wave(0.3, 51), START, prior).seasonal[0]).toBeCloseTo(0.3, 1);
  });

  it.each(HOLIDAYS)('keeps the %s effect of a single item among others without one', (name) => {
    const prior = priorOf(30, (seed) => seasonalSeries(60, seed));
    const values = seasonalSeries(60, 50).map((value, t) => value * Math.exp(0.7 * holidayExcess(name, START + t)));
    expect(effectOf(name, values, prior)).toBeGreaterThan(0.55);
    expect(effectOf(name, values, prior)).toBeLessThan(0.85);
    expect(Math.abs(effectOf(name, seasonalSeries(60, 51), prior))).toBeLessThan(0.02);
  });

  it('finds a holiday shared by the workspace even though no single item stands out from its noise', () => {
    const noisy = (seed: number): Float64Array => holidaySeries('diwali', 0.5, 60, seed, 1);
    const prior = priorOf(60, noisy);
    expect(holidaysOf(prior)).toEqual(['easter', 'diwali']);
    expect(prior.mean[COMMON_COLUMNS + 1]).toBeGreaterThan(0.35);
    expect(prior.mean[COMMON_COLUMNS + 1]).toBeLessThan(0.65);
    expect(effectOf('diwali', noisy(70), prior)).toBeGreaterThan(0.3);
    expect(Math.abs(effectOf('diwali', noisy(70), usualPrior()))).toBeLessThan(0.01);
  });

  it('gives an item that goes against a shared holiday an effect of its own, and one of another holiday besides', () => {
    const prior = priorOf(60, (seed) => holidaySeries('diwali', 0.5, 60, seed));
    const against = holidaySeries('diwali', -0.7, 60, 70);
    expect(effectOf('diwali', against, prior)).toBeCloseTo(-0.7, 1);
    const both = against.map((value, t) => value * Math.exp(0.7 * holidayExcess('eid_al_fitr', START + t)));
    expect(effectOf('diwali', both, prior)).toBeCloseTo(-0.7, 1);
    expect(effectOf('eid_al_fitr', both, prior)).toBeCloseTo(0.7, 1);
  });

  it('finds it even when a few items run longer than the others', () => {
    const prior = priorOf(60, (seed) => holidaySeries('diwali', 0.5, seed <= 3 ? 90 : 60, seed, 1));
    expect(holidaysOf(prior)).toEqual(['easter', 'diwali']);
  });

  it('does not mistake a shock shared by all items for a holiday', () => {
    const shocks = holidaySeries('easter', 0, 60, 99, 0.6);
    const prior = priorOf(60, (seed) => holidaySeries('easter', 0, 60, seed).map((value, t) => value * shocks[t]!));
    expect(holidaysOf(prior)).toEqual(['easter']);
  });

  it('learns from a workspace without an average course, because its series end years apart', () => {
    const ending = (i: number) => ({ id: String(i), startMonth: START - 100 * i, values: seasonalSeries(60, i + 1) });
    expect(holidaysOf(estimatePrior(Array.from({ length: 10 }, (_, i) => ending(i))))).toEqual(['easter']);
  });

  it('relies on working days learned from three years, of the series or of the workspace', () => {
    const steadied = (months: number, prior: CalendarPrior) => {
      const values = weekdaySeries(months, 50);
      return spread(adjustCalendar(values, START, prior).moving.without(values)) / spread(values);
    };
    const of = (months: number): CalendarPrior => priorOf(30, (seed) => weekdaySeries(months, seed));
    expect(steadied(20, of(20))).toBe(1);
    expect(steadied(20, of(60))).toBeLessThan(0.98);
    expect(steadied(60, of(20))).toBeLessThan(0.98);
    expect(steadied(36, usualPrior())).toBeLessThan(0.98);
    expect(steadied(35, usualPrior())).toBe(1);
  });

  it('keeps the default prior for a handful of series', () => {
    expect(priorOf(3, (seed) => seasonalSeries(60, seed))).toEqual(usualPrior());
    // of the others no season can be estimated
    expect(priorOf(20, (seed) => seasonalSeries(seed <= 7 ? 60 : 12, seed))).toEqual(usualPrior());
  });

  it('shares no working days and holidays that were learned from less than three years', () => {
    const prior = priorOf(30, (seed) => weekdaySeries(60, seed));
    const short = { id: 'short', startMonth: START, values: weekdaySeries(8, 50) };
    const spreadWith = (months: number): number =>
      spread(sharedEffects(short, { ...prior, months }).without(short.values)) / spread(short.values);
    expect(spreadWith(36)).toBeLessThan(0.98);
    expect(spreadWith(35)).toBe(1);
    expect(priorWithoutShared({ ...prior, months: 36 }).mean[WEEKDAY_COLUMN]).toBe(0);
    expect(priorWithoutShared({ ...prior, months: 35 })).toEqual({ ...prior, months: 35 });
  });

  it('measures weekdays relative to the mean of the calendar month', () => {
    let sum = 0;
    for (let year = 1973; year < 2001; year++) sum += weekdayExcess(monthNumber(year, 3));
    expect(sum).toBeCloseTo(0, 9);
    expect(weekdayExcess(monthNumber(2300, 3))).toBeCloseTo(weekdayExcess(monthNumber(2300, 3) - 400 * 12), 12);
  });

  it('has a basis of eleven orthogonal patterns that sum to zero over the year', () => {
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
    ['complete', () => false],
    ['gappy', (t: number) => t % 7 === 3],
  ])(
    'whitens regressors and response alike: a %s history fully explained by the calendar leaves no error',
    (_, missing) => {
      const truth = new Map([
        [0, 0.2],
        [WEEKDAY_COLUMN, 0.03],
        [DRIFT_COLUMN, 0.004],
      ]);
      const values = Float64Array.from({ length: 48 }, (__, t) =>
        missing(t)
          ? NaN
          : Math.exp(0.2 * Math.cos((2 * Math.PI * t) / 12) + 0.03 * weekdayExcess(START + t) + 0.004 * t),
      );
      for (const { gram, moment, squares } of whitened(values).moments) {
        const entry = (i: number, j: number) => gram[Math.max(i, j) * moment.length + Math.min(i, j)]!;
        let explained = 0;
        for (let i = 0; i < moment.length; i++) {
          const fitted = [...truth].reduce((sum, [j, coefficient]) => sum + coefficient * entry(i, j), 0);
          expect(moment[i]! - fitted).toBeCloseTo(0, 9);
          explained += (truth.get(i) ?? 0) * fitted;
        }
        expect(squares - explained).toBeCloseTo(0, 9);
        expect(squares).toBeGreaterThan(0.01);
      }
    },
  );

  it('has a posterior that solves the normal equations with the prior, relative to the noise', () => {
    const prior = { ...usualPrior(), mean: usualPrior().mean.map((_, i) => 0.01 * (i + 1)) };
    const series = whitened(seasonalSeries(60));
    const { coefficients, noise, filter } = fitAtPrior(series, prior);
    const { gram, moment } = series.moments[filter]!;
    for (let i = 0; i < moment.length; i++) {
      const precision = noise / prior.variance[i]!;
      let left = precision * (coefficients[i]! - prior.mean[i]!);
      for (let j = 0; j < moment.length; j++)
        left += gram[Math.max(i, j) * moment.length + Math.min(i, j)]! * coefficients[j]!;
      expect(left - moment[i]!).toBeCloseTo(0, 9);
    }
  });

  it('measures the residual noise: 5 % either way, uniformly distributed, is a variance of .05^2 / 3', () => {
    const { noise } = fitPosterior(whitened(seasonalSeries(60)), usualPrior());
    expect(noise / (0.05 ** 2 / 3)).toBeGreaterThan(0.7);
    expect(noise / (0.05 ** 2 / 3)).toBeLessThan(1.5);
  });

  it('learns how strong the season of a workspace is, and how much its series differ', () => {
    const random = createRandom(6);
    const normal = () => normalQuantile(0.001 + 0.998 * random());
    const { mean, variance } = priorOf(60, () => {
      const [cosine, sine] = [0.2 + 0.1 * normal(), 0.1 * normal()];
      return Float64Array.from({ length: 60 }, (_, t) => {
        const angle = (2 * Math.PI * t) / 12;
        return 100 * Math.exp(cosine * Math.cos(angle) + sine * Math.sin(angle) + 0.02 * normal());
      });
    });
    expect(mean[0]).toBeGreaterThan(0.15);
    expect(mean[0]).toBeLessThan(0.25);
    expect(Math.abs(mean[1]!)).toBeLessThan(0.03);
    expect(mean[DRIFT_COLUMN]).toBe(0);
    expect(variance[0]).toBe(variance[1]);
    expect(variance[0]! / 0.1 ** 2).toBeGreaterThan(0.6);
    expect(variance[0]! / 0.1 ** 2).toBeLessThan(1.6);
    // The other harmonics are noise only.
    for (let i = 2; i < SEASONAL_COLUMNS; i++) expect(variance[i]).toBeLessThan(0.02 ** 2);
  });

  it('restores an additive season in the units of the series', () => {
    const values = seasonalSeries(72).map((value) => 40 * (value - 100));
    const { restore } = adjustCalendar(values, START, usualPrior());
    const { mean } = restore({ mean: new Float64Array(12), quantiles: new Float64Array(108) });
    expect(mean[3]! / (40 * 30)).toBeGreaterThan(0.8);
    expect(mean[3]! / (40 * 30)).toBeLessThan(1.2);
  });
});
