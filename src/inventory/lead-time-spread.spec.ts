import { describe, expect, it } from '@jest/globals';
import { normalQuantile } from '../numeric/normal.js';
import { leadTimeSpreads } from './lead-time-spread.js';
import { splitLeadTime } from './lead-time.js';
import type { BacktestErrors, DemandForecast, PooledErrors } from './types.js';

const LEVELS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const MEAN = 100;
const SIGMA = 10;

function months(sigma: number, count: number) {
  const row = LEVELS.map((level) => MEAN + sigma * normalQuantile(level));
  return { mean: new Array<number>(count).fill(MEAN), quantiles: Array.from({ length: count }, () => row).flat() };
}

/** One backtest window with these errors. */
function missedBy(...errors: number[]): BacktestErrors {
  return { ...months(SIGMA, errors.length), actual: errors.map((error) => MEAN + error) };
}

function forecastOf(overrides: Partial<DemandForecast> = {}): DemandForecast {
  const demand = { levels: LEVELS, demandPattern: 'smooth', wholeUnits: false };
  return { ...months(SIGMA, 12), backtest: [], ...demand, ...overrides };
}

/** 50 pooled errors, spread evenly over the ten bins below one spread, so that a share q of them lies below q spreads. */
function pooled(overrides: Partial<PooledErrors> = {}): PooledErrors {
  const ratios = Array.from({ length: 60 }, (_, bin) => (bin < 10 ? 5 : 0));
  return { errors: 50, ratios, squaredRatio: 50, logRelative: -Infinity, dispersion: 0, ...overrides };
}

function spreadOver(leadTime: number, forecast: DemandForecast, pool?: readonly PooledErrors[]) {
  const both = pool && { regular: pool, infrequent: pool };
  const split = splitLeadTime(leadTime, 12);
  return leadTimeSpreads(forecast, split, both)(split);
}

/** The variances are computed by hand from the formula in docs/engine-change-and-stock.md, with S = 10 a month. */
describe('leadTimeSpreads', () => {
  it.each([
    ['one error of two spreads: (400 + 24 100) / 25', 1, [missedBy(20)], 112],
    ['a larger error, which counts as two spreads', 1, [missedBy(-90)], 112],
    ['errors of two months: (400 + 100 + 24 100) / 26', 1, [missedBy(20, -10)], 2900 / 26],
    ['errors that add up over two months: S = 20, (400 + 24 270) / 25', 2, [missedBy(5, 15)], 275.2],
    ['no error, by a correlation of .35: 30^2 (1 + .7) / 3', 3, [], 510],
    ['a window shorter than the lead time, extended by one of .25: (4 450 + 24 510) / 25', 3, [missedBy(20)], 561.6],
    ['half a month: half the variance of one', 0.5, [missedBy(20)], 56],
    ['two and a quarter months: 270 + (510 - 270) / 4', 2.25, [], 330],
  ])('computes the variance of %s', (_, leadTime, backtest, variance) => {
    expect(spreadOver(leadTime, forecastOf({ backtest })).sigma ** 2).toBeCloseTo(variance, 6);
  });

  it('uses the errors as they are when the quantiles have no spread', () => {
    const flat = months(0, 12);
    expect(spreadOver(1, forecastOf({ ...flat, backtest: [missedBy(30), missedBy(-40)] })).sigma ** 2).toBe(1250);
    const pieces = { wholeUnits: true, backtest: [{ ...flat, actual: [MEAN + 30] }] };
    expect(spreadOver(1, forecastOf(pieces)).sigma ** 2).toBeCloseTo((30 ** 2 + 24 * 100) / 25, 6);
    expect(spreadOver(1, forecastOf({ ...flat })).sigma).toBe(0);
  });

  it('divides the weight among errors, quantiles and pool', () => {
    const pool = [pooled({ logRelative: 50 * 2 * Math.log(0.2) })];
    const { evidence } = spreadOver(1, forecastOf({ backtest: [missedBy(20, -10)] }), pool);
    expect(evidence).toMatchObject({ ownErrors: 2, measured: true });
    expect(evidence.ownWeight).toBeCloseTo(2 / 26.2, 12);
    expect(evidence.quantileWeight).toBeCloseTo(24 / 26.2, 12);
    expect(evidence.pooledWeight).toBeCloseTo(0.2 / 26.2, 12);
  });

  it('reports nothing as measured when all windows are shorter, and has no weights without any evidence', () => {
    expect(spreadOver(1.5, forecastOf({ backtest: [missedBy(20)] })).evidence.measured).toBe(false);
    expect(spreadOver(2, forecastOf({ backtest: [missedBy(20, 5), missedBy(20)] })).evidence.measured).toBe(true);
    const nothing = { ownErrors: 0, ownWeight: 0, quantileWeight: 0, pooledWeight: 0, measured: false };
    expect(spreadOver(1, forecastOf(months(0, 12))).evidence).toEqual(nothing);
  });

  it('corrects by an eighth toward the pool with 50 errors: .6826 of them lie below .6826 spreads', () => {
    const relative = pooled({ logRelative: 50 * (2 * Math.log(0.2) - 1.2704) });
    const ratio = (0.6826 / normalQuantile(0.8413)) ** 0.125;
    const variance = (24 * (ratio * SIGMA) ** 2 + 0.2 * 20 ** 2) / 24.2;
    expect(spreadOver(1, forecastOf(), [relative]).sigma ** 2).toBeCloseTo(variance, 6);
  });

  it('uses only the relative error of the pool when nothing else shows a spread', () => {
    const { sigma, evidence } = spreadOver(1, forecastOf(months(0, 12)), [
      pooled({ logRelative: 50 * (2 * Math.log(0.2) - 1.2704) }),
    ]);
    expect(sigma).toBeCloseTo(20, 9);
    expect(evidence).toMatchObject({ ownWeight: 0, quantileWeight: 0, pooledWeight: 1 });
  });

  it('corrects over two months by a tenth from the default correlation with 33 errors', () => {
    const entry = pooled({ errors: 100 / 3, ratios: pooled().ratios.map((count) => (2 / 3) * count) });
    const byCorrelation = Math.sqrt((1 + 0.25) / 2);
    const ratio = byCorrelation ** 0.9 * (0.6826 / normalQuantile(0.8413)) ** 0.1;
    const spread = spreadOver(2, forecastOf(), [entry, entry]);
    expect(spread.sigma ** 2).toBeCloseTo((24 * (ratio * 2 * SIGMA) ** 2) / 24.2, 6);
  });

  it('corrects infrequent demand in whole pieces by the root mean square and the dispersion', () => {
    const pool = [pooled({ squaredRatio: 50 * 1.5 ** 2, dispersion: 50 * 3 })];
    const variance = (24 * (1.5 ** 0.125 * SIGMA) ** 2 + 0.2 * 3 * MEAN) / 24.2;
    const spread = spreadOver(1, forecastOf({ demandPattern: 'lumpy', wholeUnits: true }), pool);
    expect(spread.sigma ** 2).toBeCloseTo(variance, 6);
    expect(spread.tailFactor(0.99)).toBe(1);
  });

  it('keeps the default correlation when all pooled errors of infrequent demand are zero', () => {
    const pool = [pooled({ squaredRatio: 0, dispersion: 0 })];
    const spread = spreadOver(1, forecastOf({ demandPattern: 'lumpy', wholeUnits: true }), pool);
    expect(spread.sigma ** 2).toBeCloseTo((24 * SIGMA ** 2) / 24.2, 6);
  });

  it.each([
    ['new', 1, 100],
    ['new', 3, (900 * (1 + 2 * 0.75)) / 3],
    ['short', 3, (900 * (1 + 2 * 0.5)) / 3],
    ['smooth', 3, (900 * (1 + 2 * 0.35)) / 3],
    ['lumpy', 3, (900 * (1 + 2 * 0.25)) / 3],
  ])(
    'takes the months of a %s series for as correlated as its level is unknown, over %d',
    (demandPattern, months, variance) => {
      expect(spreadOver(months, forecastOf({ demandPattern })).sigma ** 2).toBeCloseTo(variance, 6);
    },
  );

  it('corrects young series by the pool as it does others, from another correlation', () => {
    const sigmaOf = (demandPattern: string) => spreadOver(2, forecastOf({ demandPattern }), [pooled(), pooled()]).sigma;
    expect(sigmaOf('short') / sigmaOf('smooth')).toBeCloseTo(Math.sqrt((1 + 0.5) / (1 + 0.25)), 9);
    expect(sigmaOf('short')).toBeLessThan(spreadOver(2, forecastOf({ demandPattern: 'short' })).sigma);
  });

  it('uses the pool for the longest lead time covered by any backtest', () => {
    const empty = pooled({ errors: 0, squaredRatio: 0 });
    const one = pooled({ logRelative: 0 });
    const three = spreadOver(3, forecastOf(), [one, empty, empty]);
    expect(three.evidence.pooledWeight).toBeCloseTo(0.2 / 24.2, 12);
    expect(spreadOver(3, forecastOf(), [empty, empty, empty]).evidence.pooledWeight).toBe(0);
    expect(three.sigma).toBeCloseTo(spreadOver(3, forecastOf(), [one]).sigma, 12);
  });

  it('makes infrequent pieces and orders at least as variable as a Poisson count', () => {
    const count = {
      mean: new Array<number>(12).fill(0.4),
      quantiles: new Array<number>(108).fill(0),
      wholeUnits: true,
    };
    expect(spreadOver(1, forecastOf({ ...count, demandPattern: 'lumpy' })).sigma ** 2).toBeCloseTo(0.4, 12);
    expect(spreadOver(1, forecastOf({ ...count, demandPattern: 'smooth' })).sigma).toBe(0);
    const orders = { ...count, demandPattern: 'lumpy', wholeUnits: false };
    expect(spreadOver(1, forecastOf(orders)).sigma ** 2).toBeCloseTo(0.4, 12);
    const certain = { ...orders, quantiles: new Array<number>(108).fill(0.4) };
    expect(spreadOver(1, forecastOf(certain)).sigma).toBe(0);
    const wide = forecastOf({ ...months(20, 12), wholeUnits: true, demandPattern: 'lumpy' });
    expect(spreadOver(1, wide).sigma).toBeCloseTo(20, 9);
  });
});

describe('tailFactor', () => {
  /** 150 errors below one spread and 50 in the last bin: from the level .875 on the tail is about six spreads. */
  const ratios = Array.from({ length: 60 }, (_, bin) => (bin < 10 ? 15 : bin === 59 ? 50 : 0));
  const spread = spreadOver(1, forecastOf(), [pooled({ errors: 200, ratios })]);
  /** Ratio of the pooled quantile at a level to that at one sigma, with the exponent .5 200 / (200 + 50). */
  const expected = (level: number, quantile: number) => {
    const oneSigma = (200 * 0.6826) / 150 / normalQuantile(0.8413);
    return (quantile / normalQuantile(level) / oneSigma) ** 0.4;
  };

  it('is 1 up to one sigma, where the spread itself is measured', () => {
    for (const level of [0.5, 0.8, 0.8413]) expect(spread.tailFactor(level)).toBe(1);
  });

  it('is the square root of the excess of errors over the distribution, weighted by the pool size', () => {
    expect(spread.tailFactor(0.9)).toBeCloseTo(expected(0.9, 5.9 + 0.1 * (10 / 50)), 9);
    // Further out the ratio is smaller and the factor does not change.
    expect(spread.tailFactor(0.999)).toBe(spread.tailFactor(0.9));
  });

  it('grows linearly between two levels', () => {
    const even = Array.from({ length: 60 }, (_, bin) => (bin < 10 ? 15 : 1));
    const evenSpread = spreadOver(1, forecastOf(), [pooled({ errors: 200, ratios: even })]);
    const tailFactor = (level: number) => evenSpread.tailFactor(level);
    expect(tailFactor(0.95)).toBeGreaterThan(tailFactor(0.9));
    expect(tailFactor(0.925)).toBeCloseTo((tailFactor(0.9) + tailFactor(0.95)) / 2, 9);
  });

  it('is that of the pooled errors at .9, .95, .975 and .99, and stays the same beyond', () => {
    const even = Array.from({ length: 60 }, (_, bin) => (bin < 10 ? 75 : bin < 30 ? 10 : 5 / 3));
    const evenSpread = spreadOver(1, forecastOf(), [pooled({ errors: 1000, ratios: even })]);
    const tailFactor = (level: number) => evenSpread.tailFactor(level);
    const oneSigma = (1000 * 0.6826) / 750 / normalQuantile(0.8413);
    const excess = (level: number, quantile: number) =>
      (quantile / normalQuantile(level) / oneSigma) ** (0.5 * (1000 / 1050));
    expect(tailFactor(0.9)).toBeCloseTo(excess(0.9, 1.5), 9);
    expect(tailFactor(0.95)).toBeCloseTo(excess(0.95, 2.5), 9);
    expect(tailFactor(0.975)).toBeCloseTo(excess(0.975, 3), 9);
    expect(tailFactor(0.99)).toBeCloseTo(excess(0.99, 4.8), 9);
    expect(tailFactor(0.995)).toBe(tailFactor(0.99));
  });

  it('interpolates between one whole month and two, and equals that of one month below', () => {
    const even = Array.from({ length: 60 }, (_, bin) => (bin < 10 ? 15 : 1));
    const heavy = [pooled({ errors: 200, ratios }), pooled({ errors: 200, ratios: even })];
    const tailFactor = (leadTime: number) => spreadOver(leadTime, forecastOf(), heavy).tailFactor(0.9);
    expect(tailFactor(1)).toBeGreaterThan(tailFactor(2));
    expect(tailFactor(1.25)).toBeCloseTo(0.75 * tailFactor(1) + 0.25 * tailFactor(2), 9);
    expect(tailFactor(0.5)).toBe(tailFactor(1));
  });

  it('is 1 for infrequent demand, whose distribution has its own tail', () => {
    const heavy = [pooled({ errors: 200, ratios })];
    expect(spreadOver(1, forecastOf({ demandPattern: 'lumpy' }), heavy).tailFactor(0.9)).toBe(1);
  });

  it('is 1 without enough errors to measure one sigma', () => {
    expect(spreadOver(1, forecastOf()).tailFactor(0.99)).toBe(1);
    expect(spreadOver(1, forecastOf(), [pooled({ errors: 9 })]).tailFactor(0.99)).toBe(1);
  });
});
