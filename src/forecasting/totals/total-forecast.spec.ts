import { describe, expect, it } from '@jest/globals';
import { normalQuantile } from '../../numeric/normal.js';
import { LEVELS, MEDIAN, QUANTILE_LEVELS, type SeriesForecast } from '../types.js';
import { TotalForecast, type TotalDemand } from './total-forecast.js';

const START = 24_300;
const MEASURED = Float64Array.from([99.5, 100.25, 101.5]);
const PIECES = Float64Array.from([99, 100, 102]);

function monthsOf(mean: number, sigma: number, count: number) {
  const row = QUANTILE_LEVELS.map((level) => mean + sigma * normalQuantile(level));
  return { mean: new Float64Array(count).fill(mean), quantiles: Float64Array.from(new Array(count).fill(row).flat()) };
}

/** A forecast of two months with a mean of 100, and a backtest that missed demand by these errors. */
function forecastOf({ sigma = 10, mean = 100, firstMonth = START, errors = [] as number[] } = {}): SeriesForecast {
  const past = monthsOf(mean, sigma, errors.length);
  const window = { ...past, actual: Float64Array.from(errors, (error) => mean + error), naive: past.mean };
  return {
    kind: 'forecast',
    id: 'a',
    firstMonth,
    model: 'combination',
    pattern: 'smooth',
    ...monthsOf(mean, sigma, 2),
    backtest: errors.length > 0 ? [{ ...window, firstMonth: START - 12, maseScale: 1, rmsseScale: 1 }] : [],
  };
}

function totalOf(forecasts: readonly SeriesForecast[], history = MEASURED): TotalDemand[] {
  const total = new TotalForecast();
  for (const forecast of forecasts) total.add(forecast, history);
  return total.totals();
}

/** Standard deviation of a total, from its 80 % interval; gamma distributions of a small variation are nearly normal. */
function sigmaOf({ quantiles }: TotalDemand): number {
  return (quantiles[LEVELS - 1]! - quantiles[0]!) / (2 * normalQuantile(0.9));
}

const alike = (count: number, errors?: number[]) =>
  Array.from({ length: count }, () => forecastOf(errors ? { errors } : {}));

describe('TotalForecast', () => {
  it('is the forecast of a single series, to the bit', () => {
    const forecast = forecastOf({ errors: [40, 40] });
    const [first, second] = totalOf([forecast]);
    expect(first).toEqual({
      firstMonth: START,
      lastMonth: START,
      series: 1,
      mean: 100,
      quantiles: forecast.quantiles.slice(0, LEVELS),
    });
    expect(second!.firstMonth).toBe(START + 1);
  });

  it('adds up means, and variances with a correlation of .02 where no backtest shows one', () => {
    const [month] = totalOf(alike(9));
    expect(month).toMatchObject({ series: 9, mean: 900 });
    expect(sigmaOf(month!)).toBeCloseTo(Math.sqrt(0.98 * 900 + 0.02 * 8100), 1);
    expect(month!.quantiles[MEDIAN]).toBeCloseTo(900, 0);
  });

  it('learns from a year of errors that all series share nearly half of the correlation that these show', () => {
    const shared = Array.from({ length: 12 }, (_, i) => (i % 2 ? 10 : -10));
    const [month] = totalOf(alike(9, shared));
    const weight = ((8100 - 900) / 8100) ** 2;
    const correlation = (12 * 0.02 + 12 * weight) / (12 + 12 * weight);
    expect(sigmaOf(month!)).toBeCloseTo(Math.sqrt((1 - correlation) * 900 + correlation * 8100), 0);
  });

  it('is no less sure than if all errors were the same', () => {
    const large = alike(9, new Array<number>(12).fill(40));
    expect(sigmaOf(totalOf(large)[0]!)).toBeCloseTo(90, 0);
  });

  it('takes errors that cancel out for independent ones, not for less', () => {
    const up = forecastOf({ errors: new Array<number>(36).fill(10) });
    const down = forecastOf({ errors: new Array<number>(36).fill(-10) });
    expect(sigmaOf(totalOf([up, down])[0]!)).toBeCloseTo(Math.sqrt(200), 1);
  });

  it('counts an error beyond ten spreads, as of a mistyped month, as one of ten', () => {
    const [month] = totalOf([forecastOf({ errors: [1e6] }), ...alike(8, [0])]);
    const share = (8100 - 900) / 8100;
    const correlation = (12 * 0.02 + (share * (100 ** 2 - 900)) / 8100) / (12 + share ** 2);
    expect(sigmaOf(month!)).toBeCloseTo(Math.sqrt((1 - correlation) * 900 + correlation * 8100), 0);
  });

  it('learns little from months in which nearly all of the spread is that of one series', () => {
    const year = (error: number) => new Array<number>(12).fill(error);
    const uneven = [forecastOf({ errors: year(20) }), forecastOf({ sigma: 0.1, errors: year(0) })];
    expect(sigmaOf(totalOf([...uneven, ...alike(8)])[0]!)).toBeLessThan(45);
  });

  it('ignores months of the backtest without demand data, and those of one series alone', () => {
    const unknown = alike(9, [NaN, NaN, NaN]);
    expect(totalOf(unknown)).toEqual(totalOf(alike(9)));
    expect(totalOf([...alike(8), forecastOf({ errors: [90, 90] })])).toEqual(totalOf(alike(9)));
  });

  it('counts in a month the series whose forecast reaches it, in the order of months', () => {
    const total = totalOf([forecastOf({ firstMonth: START + 1 }), forecastOf()]);
    expect(total.map(({ firstMonth, series, mean }) => [firstMonth, series, mean])).toEqual([
      [START, 1, 100],
      [START + 1, 2, 200],
      [START + 2, 1, 100],
    ]);
  });

  it('adds up the months of a period, whose errors are correlated by .25 in a series and by .02 between two', () => {
    const totalsOf = (forecasts: readonly SeriesForecast[]) => {
      const total = new TotalForecast((month) => (month <= START + 1 ? 0 : undefined));
      for (const forecast of forecasts) total.add(forecast, MEASURED);
      return total.totals();
    };
    const forecasts = [...alike(7), forecastOf(), forecastOf({ firstMonth: START + 1 })];
    const [period, ...others] = totalsOf(forecasts);
    expect(others).toEqual([]);
    expect(totalsOf(forecasts.toReversed())[0]).toMatchObject({ firstMonth: START, lastMonth: START + 1 });
    const early = [forecastOf({ firstMonth: START - 1 }), ...forecasts];
    expect(totalsOf(early)[0]).toMatchObject({ firstMonth: START - 1, lastMonth: START + 1 });
    expect(sigmaOf(totalsOf([forecastOf()])[0]!)).toBeCloseTo(10 * Math.sqrt(2 * 1.25), 1);
    expect(period).toMatchObject({ firstMonth: START, lastMonth: START + 1, series: 9, mean: 1700 });
    const sigmaOfTwo = 20 * Math.sqrt((1 + 0.25) / 2);
    const [squares, sum] = [8 * sigmaOfTwo ** 2 + 100, 8 * sigmaOfTwo + 10];
    expect(sigmaOf(period!)).toBeCloseTo(Math.sqrt(0.98 * squares + 0.02 * sum ** 2), 0);
  });

  it('is no surer of a period for its months without demand', () => {
    const season = forecastOf();
    season.mean.fill(0, 1);
    season.quantiles.fill(0, LEVELS);
    const total = new TotalForecast(() => 0);
    for (let i = 0; i < 9; i++) total.add(season, MEASURED);
    expect(sigmaOf(total.totals()[0]!)).toBeCloseTo(sigmaOf(totalOf(alike(9))[0]!), 6);
  });

  it('takes months of rare orders for less correlated, by .1', () => {
    const rare = { ...forecastOf({ mean: 10 }), quantiles: new Float64Array(2 * LEVELS) };
    const total = new TotalForecast(() => 0);
    for (let i = 0; i < 9; i++) total.add(rare, Float64Array.from([0, 0, 2.5, 0]));
    const [period] = total.totals();
    expect(period!.mean).toBe(180);
    expect(sigmaOf(period!)).toBeCloseTo(Math.sqrt((0.98 * 9 + 0.02 * 81) * 4 * 25 * ((1 + 0.1) / 2)), 0);
  });

  it('takes a series for one of rare orders only if q10 is zero in all of its months', () => {
    const widthOf = (rareMonth: number) => {
      const forecast = forecastOf();
      forecast.quantiles[rareMonth * LEVELS] = 0;
      const total = new TotalForecast(() => 0);
      for (let i = 0; i < 9; i++) total.add(forecast, MEASURED);
      return sigmaOf(total.totals()[0]!);
    };
    expect(widthOf(0)).toBeCloseTo(widthOf(1), 9);
    expect(widthOf(0)).toBeGreaterThan(331);
  });

  it('is a whole number of pieces where all series are', () => {
    const quantiles = (history: typeof PIECES) => [...totalOf(alike(9), history)[0]!.quantiles];
    expect(quantiles(PIECES).every(Number.isInteger)).toBe(true);
    expect(quantiles(MEASURED).some((quantile) => !Number.isInteger(quantile))).toBe(true);
    const total = new TotalForecast();
    total.add(forecastOf(), MEASURED);
    total.add(forecastOf(), PIECES);
    expect([...total.totals()[0]!.quantiles].some((quantile) => !Number.isInteger(quantile))).toBe(true);
  });

  it('varies less than a Poisson number where the pieces of its series do', () => {
    const steady = [forecastOf({ sigma: 2 }), forecastOf({ sigma: 2 })];
    expect(sigmaOf(totalOf(steady, PIECES)[0]!)).toBeCloseTo(Math.sqrt(0.98 * 8 + 0.02 * 16), 1);
  });

  it('gives rare orders, whose quantiles are zero, the variance of a Poisson number of orders', () => {
    const rare = { ...forecastOf({ mean: 10 }), quantiles: new Float64Array(2 * LEVELS) };
    const history = Float64Array.from([0, 0, 2.5, 0]);
    const [month] = totalOf(new Array<SeriesForecast>(9).fill(rare), history);
    expect(sigmaOf(month!)).toBeCloseTo(Math.sqrt((0.98 * 9 + 0.02 * 81) * 10 * 2.5), 0);
    const varied = { ...rare, quantiles: rare.quantiles.map((_, j) => (j % LEVELS === LEVELS - 1 ? 100 : 0)) };
    expect(sigmaOf(totalOf(new Array<SeriesForecast>(9).fill(varied), history)[0]!)).toBeGreaterThan(
      2 * sigmaOf(month!),
    );
  });

  it('has no demand where none is expected, and no spread where none is known', () => {
    const none = { ...forecastOf({ mean: 0, sigma: 0 }) };
    expect([...totalOf([none, none])[0]!.quantiles]).toEqual(new Array(LEVELS).fill(0));
    expect([...totalOf([forecastOf({ sigma: 0 }), forecastOf({ sigma: 0 })])[0]!.quantiles]).toEqual(
      new Array(LEVELS).fill(200),
    );
  });
});
