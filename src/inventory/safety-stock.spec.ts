import { describe, expect, it } from '@jest/globals';
import {
  type BacktestErrors,
  type DemandForecast,
  demandForecast,
  mergeErrorPools,
  poolErrors,
  recommendSafetyStock,
} from './index.js';
import { gammaQuantile } from '../numeric/gamma.js';
import { normalQuantile } from '../numeric/normal.js';
import { likelyLeadTimes } from './uncertain-lead-time.js';

const LEVELS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/** A normal forecast: every month the same mean and sigma. */
function months(mean: number, sigma: number, count: number): { mean: number[]; quantiles: number[] } {
  return {
    mean: new Array<number>(count).fill(mean),
    quantiles: Array.from({ length: count }, () =>
      LEVELS.map((p) => Math.max(mean + sigma * normalQuantile(p), 0)),
    ).flat(),
  };
}

function window(mean: number, sigma: number, errors: readonly number[]): BacktestErrors {
  return { ...months(mean, sigma, errors.length), actual: errors.map((error) => mean + error) };
}

/** So many orders a month that come by chance, and whose quantiles are all zero. */
function rareOrders(mean: number): Partial<DemandForecast> {
  return {
    mean: new Array<number>(12).fill(mean),
    quantiles: new Array<number>(108).fill(0),
    demandPattern: 'intermittent',
  };
}

function forecastOf(overrides: Partial<DemandForecast> = {}): DemandForecast {
  return {
    ...months(100, 10, 12),
    levels: LEVELS,
    backtest: [],
    demandPattern: 'smooth',
    wholeUnits: false,
    ...overrides,
  };
}

describe('recommendSafetyStock', () => {
  it('covers one month at the gamma quantile when there is nothing but forecast quantiles', () => {
    // Shape 100, scale 1: half of the .95 quantile of chi-square with 200 degrees of freedom, 233.994.
    const result = recommendSafetyStock({ forecast: forecastOf(), leadTime: 1, serviceLevel: 0.95 });
    expect(result.leadTimeDemand).toBe(100);
    expect(result.leadTimeDemandSigma).toBeCloseTo(10, 6);
    expect(result.safetyStock).toBeCloseTo(16.997, 3);
    expect(result.reorderPoint).toBe(result.leadTimeDemand + result.safetyStock);
    expect(result.method).toBe('gamma');
    expect(result.warnings).toContainEqual(expect.stringContaining('No backtest error'));
  });

  it('states what the figures are based on', () => {
    const backtest = [window(100, 10, [20]), window(100, 10, [5])];
    const { assumptions } = recommendSafetyStock({
      forecast: forecastOf({ backtest }),
      leadTime: 1,
      serviceLevel: 0.95,
    });
    expect(assumptions).toEqual([
      'The service level is cycle service: the probability that a replenishment cycle passes without a stockout.',
      'The lead time is assumed to be certain (1 month) and stock to be reviewed continuously; if it is not, add the review period to the lead time.',
      'Spread of lead-time demand: 8 % from 2 cumulative backtest errors of the series, 92 % from the quantiles of the forecast.',
      'Lead-time demand follows a gamma distribution.',
    ]);
  });

  it('covers the lead time and how far a day takes stock below the reorder point', () => {
    const without = recommendSafetyStock({ forecast: forecastOf(), leadTime: 1, serviceLevel: 0.95 });
    const forecast = forecastOf({ undershoot: { mean: 10, sigma: 5, dayDemand: 20 } });
    const stock = recommendSafetyStock({ forecast, leadTime: 1, serviceLevel: 0.95 });
    // the gamma quantile of mean 110 and variance 100 + 25
    expect(stock.reorderPoint).toBeCloseTo(gammaQuantile(110, Math.sqrt(125), 0.95), 6);
    expect(stock.safetyStock).toBeCloseTo(stock.reorderPoint - 100, 9);
    expect(stock).toMatchObject({ undershoot: 10, leadTimeDemand: 100 });
    expect(stock.leadTimeDemandSigma).toBe(without.leadTimeDemandSigma);
    expect(stock.assumptions.slice(1, 3)).toEqual([
      'The lead time is assumed to be certain (1 month) and stock to be reviewed after each day; if it is less often, add the review period to the lead time.',
      'By the demand of single days, stock is 10 below the reorder point on average when an order is placed; the safety stock covers that too.',
    ]);
    expect(without.undershoot).toBeNull();
  });

  it('covers the undershoot by the chance of an order within a year, so that what is no longer sold holds none', () => {
    const undershoot = { mean: 10, sigma: 5, dayDemand: 20 };
    const undershootAt = (mean: number, leadTime: number) =>
      recommendSafetyStock({
        forecast: forecastOf({ ...months(mean, 1, 12), undershoot }),
        leadTime,
        serviceLevel: 0.95,
      });
    // an order of 20 a year, one in two years, and one in two hundred
    expect(undershootAt(20 / 12, 1).undershoot).toBeCloseTo(10, 12);
    expect(undershootAt(10 / 12, 1).undershoot).toBeCloseTo(5, 12);
    expect(undershootAt(10 / 12, 2.5).undershoot).toBeCloseTo(5, 12);
    expect(undershootAt(0.1 / 12, 1).undershoot).toBeCloseTo(0.05, 12);
  });

  it('needs no less for the undershoot, though demand of a larger mean is less skewed', () => {
    const reorderPointOf = (overrides: Partial<DemandForecast>) => {
      const forecast = forecastOf({ ...months(10, 20, 12), ...overrides });
      return recommendSafetyStock({ forecast, leadTime: 1, serviceLevel: 0.999 }).reorderPoint;
    };
    const without = reorderPointOf({});
    expect(reorderPointOf({ undershoot: { mean: 5, sigma: 1, dayDemand: 10 } })).toBe(without);
    expect(reorderPointOf({ undershoot: { mean: 50, sigma: 30, dayDemand: 60 } })).toBeGreaterThan(without);
  });

  it('asks for half of a customer order besides only where the sizes of orders are not known', () => {
    const assumptionsOf = (overrides: Partial<DemandForecast>) => {
      const forecast = forecastOf({ ...rareOrders(0.2), wholeUnits: true, ...overrides });
      return recommendSafetyStock({ forecast, leadTime: 1, serviceLevel: 0.95 }).assumptions.join(' ');
    };
    expect(assumptionsOf({})).toContain('add half of a typical customer order');
    const known = assumptionsOf({ undershoot: { mean: 0, sigma: 0, dayDemand: 1 } });
    expect(known).not.toContain('typical customer order');
    expect(known).not.toContain('below the reorder point');
  });

  it('needs no stock for the undershoot of demand that has ended', () => {
    const forecast = forecastOf({ ...months(0, 0, 12), undershoot: { mean: 10, sigma: 5, dayDemand: 20 } });
    const stock = recommendSafetyStock({ forecast, leadTime: 1, serviceLevel: 0.95 });
    expect(stock).toMatchObject({ reorderPoint: 0, undershoot: 0 });
  });

  it('has no spread when no demand is expected, whatever the errors in other months', () => {
    const backtest = [window(50, 10, [40, -35, 20])];
    const forecast = forecastOf({ ...months(0, 0, 12), backtest });
    const result = recommendSafetyStock({ forecast, leadTime: 1, serviceLevel: 0.95 });
    expect(result).toMatchObject({ method: 'none', reorderPoint: 0, leadTimeDemandSigma: 0 });
  });

  it('adds a fraction of the following month to the mean', () => {
    const forecast = forecastOf({ mean: [10, 20, 30, 40, 0, 0, 0, 0, 0, 0, 0, 0] });
    const { leadTimeDemand } = recommendSafetyStock({ forecast, leadTime: 2.25, serviceLevel: 0.9 });
    expect(leadTimeDemand).toBeCloseTo(37.5, 9);
  });

  it('accounts for correlated errors: six windows with the same miss give more than root-L spread', () => {
    const alike = Array.from({ length: 6 }, (_, i) => window(100, 10, i % 2 === 0 ? [10, 10, 10] : [-10, -10, -10]));
    const cancelling = Array.from({ length: 6 }, () => window(100, 10, [10, -10, 0]));
    const sigmaOf = (backtest: BacktestErrors[]) =>
      recommendSafetyStock({ forecast: forecastOf({ backtest }), leadTime: 3, serviceLevel: 0.95 }).leadTimeDemandSigma;
    expect(sigmaOf(alike)).toBeGreaterThan(10 * Math.sqrt(3) * 1.3);
    expect(sigmaOf(cancelling)).toBeLessThan(sigmaOf(alike) / 1.2);
  });

  it('never has less spread over a longer lead time, even if its few errors happen to cancel out', () => {
    const backtest = Array.from({ length: 6 }, (_, i) => window(100, 10, i % 2 ? [40, 40, -80] : [-40, -40, 80]));
    const leadTimes = [0.5, 1, 1.75, 2, 2.25, 2.75, 3, 3.5, 4];
    const sigmas = leadTimes.map(
      (leadTime) =>
        recommendSafetyStock({ forecast: forecastOf({ backtest }), leadTime, serviceLevel: 0.95 }).leadTimeDemandSigma,
    );
    expect(sigmas).toEqual([...sigmas].sort((a, b) => a - b));
  });

  it('skips errors in missing months', () => {
    const backtest = [window(100, 10, [NaN, 50]), window(100, 10, [0, 0])];
    const result = recommendSafetyStock({ forecast: forecastOf({ backtest }), leadTime: 2, serviceLevel: 0.9 });
    expect(result.assumptions).toContainEqual(expect.stringContaining('1 cumulative backtest error of'));
    expect(result.warnings).toContainEqual(expect.stringContaining('Few backtest errors (1)'));
  });

  it('widens with the workspace: a pool with errors of three spreads', () => {
    const others = Array.from({ length: 200 }, (_, i) =>
      forecastOf({ backtest: [window(100, 10, [i % 2 ? 30 : -30])] }),
    );
    const ask = (pool: ReturnType<typeof poolErrors> | undefined) =>
      recommendSafetyStock({ forecast: forecastOf(), leadTime: 1, serviceLevel: 0.95, pool }).safetyStock;
    expect(ask(poolErrors(others, 3))).toBeGreaterThan(1.3 * ask(undefined));
  });

  it('covers the heavier tail of the errors of the workspace, above one sigma only', () => {
    // of 200 errors 150 below one spread and 50 of about six
    const ratios = Array.from({ length: 60 }, (_, bin) => (bin < 10 ? 15 : bin === 59 ? 50 : 0));
    const pooled = [{ errors: 200, ratios, squaredRatio: 200, logRelative: 200 * Math.log(0.01), dispersion: 0 }];
    const pool = { regular: pooled, infrequent: pooled };
    const stockAt = (serviceLevel: number) =>
      recommendSafetyStock({ forecast: forecastOf(), leadTime: 1, serviceLevel, pool });
    const { leadTimeDemandSigma: sigma, reorderPoint } = stockAt(0.8);
    expect(reorderPoint).toBeCloseTo(gammaQuantile(100, sigma, 0.8), 9);
    const oneSigma = (200 * 0.6826) / 150 / normalQuantile(0.8413);
    const factor = ((5.9 + 0.1 * (10 / 50)) / normalQuantile(0.9) / oneSigma) ** 0.4;
    expect(stockAt(0.95).leadTimeDemandSigma).toBe(sigma);
    expect(stockAt(0.95).reorderPoint).toBeCloseTo(gammaQuantile(100, factor * sigma, 0.95), 6);
  });

  it('is the same with one pool as with two merged', () => {
    const all = Array.from({ length: 60 }, (_, i) =>
      forecastOf({ backtest: [window(100, 10, [(i % 7) * 4 - 12, 5])] }),
    );
    const merged = mergeErrorPools(poolErrors(all.slice(0, 25), 2), poolErrors(all.slice(25), 2));
    const ask = (pool: ReturnType<typeof poolErrors>) =>
      recommendSafetyStock({ forecast: all[0]!, leadTime: 2, serviceLevel: 0.99, pool }).reorderPoint;
    expect(ask(merged)).toBeCloseTo(ask(poolErrors(all, 2)), 9);
  });

  it('recommends whole pieces for intermittent demand and states what they cover', () => {
    const forecast = forecastOf({
      mean: new Array<number>(12).fill(0.4),
      quantiles: new Array<number>(108).fill(0).map((_, i) => (i % 9 >= 7 ? 1 : 0)),
      demandPattern: 'intermittent',
      wholeUnits: true,
    });
    const result = recommendSafetyStock({ forecast, leadTime: 1, serviceLevel: 0.95 });
    expect(result.method).toBe('negative_binomial');
    expect(Number.isInteger(result.reorderPoint)).toBe(true);
    expect(result.reorderPoint).toBeGreaterThanOrEqual(2);
    expect(result.assumptions).toContainEqual(expect.stringContaining('whole pieces'));
    expect(result.assumptions).toContainEqual(expect.stringMatching(/^Stock is assumed to be at the reorder point /));
  });

  it.each<[number, number, number | undefined, RegExp]>([
    [0.05, 0.9, undefined, /: 0 pieces cover 9\d\.\d % of cycles/],
    [0.05, 0.98, undefined, /: 1 piece covers 9\d\.\d % of cycles/],
    [0.4, 0.95, undefined, /: 2 pieces cover 9\d\.\d % of cycles/],
    [0.05, 0.999, undefined, /: 2 pieces cover 99\.9 % of cycles/],
    [0.05, 0.9, 12, /: 0 packs cover 9\d\.\d % of cycles/],
    [0.05, 0.98, 12, /: 12, or 1 pack, covers 9\d\.\d % of cycles/],
    [0.4, 0.95, 12, /: 24, or 2 packs, cover 9\d\.\d % of cycles/],
  ])('states what covers the cycles for a mean of %d at %d, in packs of %s', (mean, serviceLevel, pack, told) => {
    const forecast = forecastOf({
      mean: new Array<number>(12).fill(mean),
      quantiles: new Array<number>(108).fill(0),
      demandPattern: 'intermittent',
      wholeUnits: true,
      ...(pack === undefined ? {} : { unit: pack }),
    });
    const { assumptions } = recommendSafetyStock({ forecast, leadTime: 1, serviceLevel });
    expect(assumptions).toContainEqual(expect.stringMatching(told));
    expect(assumptions).not.toContainEqual(expect.stringContaining('gamma'));
  });

  it.each<[Partial<DemandForecast>, RegExp]>([
    [{ unit: 14.258 }, /^Orders of 14\.3 on average come by chance \(compound Poisson\)\.$/],
    [
      { unit: 10, piece: 1 },
      /^Orders of 10 on average come by chance \(compound Poisson\), in whole pieces: 13 pieces cover 9\d\.\d % of cycles\.$/,
    ],
    [
      { unit: 60, piece: 6 },
      /^Orders of 60 on average come by chance \(compound Poisson\), in packs of 6: 78, or 13 packs, cover 9\d\.\d % of cycles\.$/,
    ],
  ])('states what covers the cycles where orders are counted, %j', (units, told) => {
    const forecast = forecastOf({ ...rareOrders(0.2), ...units });
    const { assumptions, method, reorderPoint } = recommendSafetyStock({ forecast, leadTime: 1, serviceLevel: 0.95 });
    expect(assumptions).toContainEqual(expect.stringMatching(told));
    expect(method).toBe('compound_poisson');
    if (units.piece !== undefined) expect(reorderPoint).toBeCloseTo(13 * units.piece, 9);
  });

  it('covers the stated share of cycles where orders of many pieces come by chance', () => {
    // a Poisson number of orders with a mean of .3, of 5 to 15 pieces, each as likely: at most `pieces` of `orders` of them, which follow so many
    const within = (pieces: number, orders: number): number => {
      if (pieces < 0) return 0;
      if (orders === 0) return 1;
      const sizes = Array.from({ length: 11 }, (_, i) => within(pieces - 5 - i, orders - 1));
      return sizes.reduce((sum, share) => sum + share, 0) / sizes.length;
    };
    const poisson = [0, 1, 2, 3].map((orders) => (Math.exp(-0.3) * 0.3 ** orders) / [1, 1, 2, 6][orders]!);
    for (const serviceLevel of [0.9, 0.95, 0.99]) {
      const forecast = forecastOf({ ...rareOrders(0.3), unit: 10, piece: 1 });
      const { reorderPoint } = recommendSafetyStock({ forecast, leadTime: 1, serviceLevel });
      const pieces = Math.round(reorderPoint);
      expect(reorderPoint).toBeCloseTo(pieces, 9);
      const covered = poisson.reduce((sum, chance, orders) => sum + chance * within(pieces, orders), 0);
      expect(covered).toBeGreaterThan(serviceLevel - 0.01);
      expect(covered).toBeLessThan(serviceLevel + 0.02);
    }
  });

  it('is at least the forecast quantile of a single month at a lower level', () => {
    const row = [0, 0, 0, 0, 1, 1, 2, 3, 9];
    const quantiles = [...row, ...row.map((value) => 2 * value), ...new Array<number>(10).fill(0).flatMap(() => row)];
    const mean = new Array<number>(12).fill(1.2);
    const forecast = forecastOf({ mean, quantiles, demandPattern: 'lumpy', wholeUnits: true });
    const ask = (leadTime: number, serviceLevel: number) => recommendSafetyStock({ forecast, leadTime, serviceLevel });
    expect(ask(1, 0.91).reorderPoint).toBe(9);
    expect(ask(1, 0.91).assumptions.at(-1)).toBe(
      "The reorder point is raised to 9, the forecast's own quantile of 90 % for a single month of the lead time.",
    );
    expect(ask(2, 0.91).reorderPoint).toBe(18);
    expect(ask(1, 0.9).reorderPoint).toBeLessThan(9);
    expect(ask(0.5, 0.91).reorderPoint).toBeLessThan(9);
  });

  it('covers the demand that a varying lead time adds: sigma² x lead time + demand² x variance of lead times', () => {
    // independent months of 100 ± 10: two of them have a variance of 200, a lead time of ± 0.5 months adds 100² x 0.25
    const backtest = Array.from({ length: 200 }, (_, i) => window(100, 10, i % 2 ? [10, 10] : [10, -10]));
    const forecast = forecastOf({ backtest });
    const ask = (leadTimeSd?: number) =>
      recommendSafetyStock({ forecast, leadTime: 2, leadTimeSd, serviceLevel: 0.95 });
    const varying = ask(0.5);
    expect(varying.leadTimeDemandSigma / Math.sqrt(200 + 2500)).toBeCloseTo(1, 1);
    expect(varying.leadTimeDemand).toBeCloseTo(200, 6);
    expect(varying.reorderPoint).toBe(varying.leadTimeDemand + varying.safetyStock);
    expect(varying.assumptions).toContain(
      'The lead time is assumed to be 2 months on average with a standard deviation of 0.5 months (gamma distribution), independent of demand, and stock to be reviewed continuously; if it is not, add the review period to the lead time.',
    );
    expect(ask(0)).toEqual(ask());
    expect(ask(0.001).reorderPoint / ask().reorderPoint).toBeCloseTo(1, 4);
  });

  it('covers lead times that end beyond the forecast as it would with a longer one of the same demand', () => {
    const ask = (horizon: number) =>
      recommendSafetyStock({
        forecast: forecastOf(months(100, 10, horizon)),
        leadTime: 2,
        leadTimeSd: 2,
        serviceLevel: 0.95,
      });
    const [cut, whole] = [ask(6), ask(18)];
    expect(cut.leadTimeDemand).toBeCloseTo(200, 6);
    expect(cut.reorderPoint / whole.reorderPoint).toBeCloseTo(1, 2);
    const beyond =
      'The forecast is shorter than 5 % of such lead times: beyond it, demand is assumed to go on at the mean of its 6 months.';
    expect(cut.assumptions).toContain(beyond);
    expect(whole.assumptions).not.toContainEqual(expect.stringContaining('The forecast is shorter'));
  });

  it('covers the stated share of cycles whose lead times are drawn from the distribution', () => {
    const lengths = likelyLeadTimes(2, 0.7, 12);
    const { reorderPoint } = recommendSafetyStock({
      forecast: forecastOf(months(100, 1, 12)),
      leadTime: 2,
      leadTimeSd: 0.7,
      serviceLevel: 0.9,
    });
    const covered = lengths.filter((length) => 100 * length <= reorderPoint).length / lengths.length;
    expect(Math.abs(covered - 0.9)).toBeLessThan(0.02);
  });

  it('needs no less the more the lead time varies, in pieces and of regular demand', () => {
    const rare = forecastOf({
      mean: new Array<number>(12).fill(0.4),
      quantiles: new Array<number>(108).fill(0),
      demandPattern: 'intermittent',
      wholeUnits: true,
    });
    for (const forecast of [forecastOf(), rare]) {
      for (const serviceLevel of [0.8, 0.9, 0.99]) {
        const points = [0, 0.25, 0.5, 1, 1.5].map(
          (leadTimeSd) => recommendSafetyStock({ forecast, leadTime: 1.5, leadTimeSd, serviceLevel }).reorderPoint,
        );
        expect(points).toEqual([...points].sort((a, b) => a - b));
      }
    }
  });

  it('needs no less where the lead time varies, even if that lowers the mean of a falling demand', () => {
    const forecast = forecastOf({ mean: [100, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10] });
    for (const serviceLevel of [0.5, 0.7, 0.9]) {
      const ask = (leadTimeSd: number) => recommendSafetyStock({ forecast, leadTime: 1.5, leadTimeSd, serviceLevel });
      expect(ask(0.5).leadTimeDemand).toBeLessThan(ask(0).leadTimeDemand);
      expect(ask(0.5).reorderPoint).toBeGreaterThanOrEqual(ask(0).reorderPoint);
    }
  });

  it('never falls as the service level rises, and is never negative', () => {
    const noisy = Array.from({ length: 150 }, (_, i) =>
      forecastOf({ backtest: [window(100, 10, [((i * 37) % 61) - 30])] }),
    );
    const pool = poolErrors(noisy, 1);
    let before = 0;
    for (let level = 0.5; level <= 0.999; level += 0.001) {
      const { safetyStock } = recommendSafetyStock({ forecast: forecastOf(), leadTime: 1, serviceLevel: level, pool });
      expect(safetyStock).toBeGreaterThanOrEqual(before);
      before = safetyStock;
    }
  });

  it('moves smoothly from one pool to the next as the lead time grows', () => {
    const heavyMonth = Array.from({ length: 200 }, (_, i) =>
      forecastOf({ backtest: [window(100, 10, i % 8 ? [8, -2] : [50, -50])] }),
    );
    const pool = poolErrors(heavyMonth, 2);
    const ask = (leadTime: number) =>
      recommendSafetyStock({ forecast: forecastOf(), leadTime, serviceLevel: 0.95, pool }).safetyStock;
    expect(ask(1.001) / ask(1)).toBeCloseTo(1, 2);
    expect(ask(1.999) / ask(2)).toBeCloseTo(1, 2);
  });

  it('uses one distribution for all levels, even when a heavy tail makes pieces vary more than a Poisson count', () => {
    const heavy = Array.from({ length: 200 }, (_, i) => forecastOf({ backtest: [window(100, 10, [i % 10 ? 8 : 50])] }));
    const forecast = forecastOf({ ...months(6, 2.3, 12), wholeUnits: true });
    const pool = poolErrors(heavy, 1);
    const asked = [0.85, 0.9, 0.92, 0.95, 0.97, 0.99, 0.999].map((serviceLevel) =>
      recommendSafetyStock({ forecast, leadTime: 1, serviceLevel, pool }),
    );
    expect(new Set(asked.map(({ method }) => method))).toEqual(new Set(['gamma']));
    const points = asked.map(({ reorderPoint }) => reorderPoint);
    expect(points).toEqual([...points].sort((a, b) => a - b));
  });

  it('never falls below that of a shorter lead time in whole months, whatever pool and dispersion apply', () => {
    const heavyMonth = Array.from({ length: 200 }, (_, i) =>
      forecastOf({ backtest: [window(100, 10, i % 10 ? [8, -2] : [50, -50])] }),
    );
    const unlike = forecastOf({
      mean: [1, ...new Array<number>(11).fill(10)],
      quantiles: [...new Array<number>(8).fill(0), 60, ...new Array<number>(99).fill(10)],
      demandPattern: 'lumpy',
    });
    const pool = poolErrors(heavyMonth, 2);
    for (const forecast of [forecastOf(), unlike]) {
      for (const serviceLevel of [0.9, 0.95, 0.99, 0.999]) {
        const ask = (leadTime: number) => recommendSafetyStock({ forecast, leadTime, serviceLevel, pool }).reorderPoint;
        for (const leadTime of [1.02, 1.5, 2, 2.5, 3]) expect(ask(leadTime)).toBeGreaterThanOrEqual(ask(1));
        for (const leadTime of [2.02, 2.5, 3]) expect(ask(leadTime)).toBeGreaterThanOrEqual(ask(2));
      }
    }
    const { assumptions } = recommendSafetyStock({ forecast: unlike, leadTime: 1.5, serviceLevel: 0.999 });
    expect(assumptions.at(-1)).toMatch(
      /^The reorder point is raised to [\d.]+, the value for a lead time of 1 month: /,
    );
  });

  it('never falls with a longer lead time, even when pieces are a count over one and not over the other', () => {
    // The variance is below the mean over one month, and above it over two, whose errors add up.
    const backtest = Array.from({ length: 8 }, (_, i) =>
      window(2.2, 1.2, i % 2 ? [1.4, 1.4, 1.4] : [-1.4, -1.4, -1.4]),
    );
    const forecast = forecastOf({ ...months(2.2, 1.2, 12), backtest, wholeUnits: true });
    for (const serviceLevel of [0.9, 0.95, 0.98, 0.999]) {
      const asked = Array.from({ length: 40 }, (_, i) =>
        recommendSafetyStock({ forecast, leadTime: (i + 1) / 10, serviceLevel }),
      );
      const points = asked.map(({ reorderPoint }) => reorderPoint);
      expect(points).toEqual([...points].sort((a, b) => a - b));
      expect(new Set(asked.map(({ method }) => method)).size).toBe(2);
    }
  });

  it('is rounded up to whole pieces when demand comes in whole pieces', () => {
    const row = [0, 0, 1, 2, 3, 4, 6, 9, 27.4];
    const quantiles = new Array<number>(12).fill(0).flatMap(() => row);
    const ask = (wholeUnits: boolean) =>
      recommendSafetyStock({
        forecast: forecastOf({ mean: new Array<number>(12).fill(5), quantiles, demandPattern: 'lumpy', wholeUnits }),
        leadTime: 1,
        serviceLevel: 0.91,
      });
    expect(ask(true).reorderPoint).toBe(28);
    expect(ask(true).assumptions.at(-1)).toMatch(/^The reorder point is raised to 28, /);
    expect(ask(false).reorderPoint).toBe(27.4);
  });

  it.each([
    [8000.6, 8001, 'thousands of pieces are rounded, too'],
    [60.055, 61, 'more than a twentieth of a piece is a part'],
    [60.045, 60.045, 'less, and less than a thousandth of all, is none'],
    [8.03, 9, 'more than a thousandth of few pieces is a part'],
  ])('is raised to a bound of %p pieces as %p: %s', (bound, point) => {
    const row = [0, 0, 0.01, 0.02, 0.03, 0.04, 0.06, 0.09, 1].map((share) => share * bound);
    const quantiles = new Array<number>(12).fill(0).flatMap(() => row);
    const mean = new Array<number>(12).fill(0.05 * bound);
    const forecast = forecastOf({ mean, quantiles, demandPattern: 'lumpy', wholeUnits: true });
    expect(recommendSafetyStock({ forecast, leadTime: 1, serviceLevel: 0.91 }).reorderPoint).toBeCloseTo(point, 9);
  });

  it('states to seven digits what it is raised to', () => {
    const quantiles = new Array<number>(12).fill(0).flatMap(() => [0, 0, 0, 0, 0, 1, 2, 3, 8012.345678]);
    const forecast = forecastOf({ mean: new Array<number>(12).fill(500), quantiles, demandPattern: 'lumpy' });
    const { assumptions } = recommendSafetyStock({ forecast, leadTime: 1, serviceLevel: 0.91 });
    expect(assumptions.at(-1)).toMatch(/^The reorder point is raised to 8,012\.346, /);
  });

  it('is not rounded up by a piece for the residual spread of a constant history', () => {
    const forecast = forecastOf({ ...months(40, 0.008, 12), wholeUnits: true });
    const { reorderPoint, assumptions } = recommendSafetyStock({ forecast, leadTime: 1, serviceLevel: 0.95 });
    expect(reorderPoint).toBeCloseTo(40, 1);
    expect(assumptions).not.toContainEqual(expect.stringContaining('raised'));
  });

  it.each([14, 15])('does not state that a reorder point of 15 is raised to %d', (bound) => {
    const row = [0, 0, 2, bound, bound, 15, 20, 40, 90];
    const quantiles = new Array<number>(12).fill(0).flatMap(() => row);
    const forecast = forecastOf({ mean: new Array<number>(12).fill(15), quantiles, demandPattern: 'erratic' });
    const { reorderPoint, assumptions } = recommendSafetyStock({ forecast, leadTime: 1, serviceLevel: 0.5 });
    expect(reorderPoint).toBe(15);
    expect(assumptions).not.toContainEqual(expect.stringContaining('raised'));
  });

  it('names only sources that contribute to the spread', () => {
    const { assumptions } = recommendSafetyStock({
      forecast: forecastOf(months(100, 10, 12)),
      leadTime: 1,
      serviceLevel: 0.95,
    });
    expect(assumptions).toContain('Spread of lead-time demand: 100 % from the quantiles of the forecast.');
  });

  it('states shares of the spread that add up to 100 %', () => {
    const pool = poolErrors(
      Array.from({ length: 200 }, (_, i) => forecastOf({ backtest: [window(100, 10, [i % 2 ? 30 : -30])] })),
      1,
    );
    const totals = Array.from({ length: 12 }, (_, windows) => {
      const forecast = forecastOf({ backtest: Array.from({ length: windows }, () => window(100, 10, [20])) });
      const { assumptions } = recommendSafetyStock({ forecast, leadTime: 1, serviceLevel: 0.95, pool });
      const shares = assumptions.join().match(/\d+(?= % from )/g)!;
      return shares.reduce((sum, share) => sum + Number(share), 0);
    });
    expect(totals).toEqual(new Array<number>(12).fill(100));
  });

  it('names no sources when there is no spread', () => {
    const forecast = forecastOf({ ...months(100, 0, 12) });
    const { assumptions, warnings } = recommendSafetyStock({ forecast, leadTime: 1, serviceLevel: 0.95 });
    expect(assumptions).not.toContainEqual(expect.stringContaining('Spread of lead-time demand'));
    expect(warnings).toContain('No backtest error of this series covers the lead time.');
  });

  it('is the same in another unit of demand', () => {
    const errors = [0.4, -0.7, 1.1, 0.2];
    const inUnit = (unit: number) => {
      const backtest = errors.map((error) => window(5 * unit, unit, [error * unit, error * unit]));
      const forecast = forecastOf({ ...months(5 * unit, unit, 12), backtest });
      const pool = poolErrors([forecast, forecast, forecast], 3);
      return recommendSafetyStock({ forecast, leadTime: 3, serviceLevel: 0.95, pool });
    };
    const [pieces, thousands] = [inUnit(1), inUnit(0.001)];
    expect(thousands.warnings).toEqual(pieces.warnings);
    expect(thousands.assumptions).toEqual(pieces.assumptions);
    expect(1000 * thousands.reorderPoint).toBeCloseTo(pieces.reorderPoint, 9);
    expect(1000 * thousands.leadTimeDemandSigma).toBeCloseTo(pieces.leadTimeDemandSigma, 9);
  });

  it('is the same for rare orders in kilograms and in tons, beside items counted in pieces', () => {
    const pieces = forecastOf({
      ...months(2, 3, 12),
      backtest: [window(2, 3, [8]), window(2, 3, [-2])],
      demandPattern: 'lumpy',
      wholeUnits: true,
    });
    const inUnit = (unit: number) => {
      const backtest = [window(5 * unit, 6 * unit, [9 * unit]), window(5 * unit, 6 * unit, [-5 * unit])];
      const engine = { ...months(5 * unit, 6 * unit, 12), backtest, pattern: 'lumpy' };
      const history = Float64Array.from([0, 7.13, 0, 0, 18.29, 0, 4.68, 0], (value) => value * unit);
      const forecast = demandForecast(engine, LEVELS, history);
      const pool = poolErrors([forecast, ...new Array<DemandForecast>(20).fill(pieces)], 3);
      return recommendSafetyStock({ forecast, leadTime: 1, serviceLevel: 0.95, pool });
    };
    expect(1000 * inUnit(0.001).safetyStock).toBeCloseTo(inUnit(1).safetyStock, 9);
  });

  it('warns that a level above .99 extrapolates', () => {
    const warnings = (serviceLevel: number) =>
      recommendSafetyStock({ forecast: forecastOf(), leadTime: 1, serviceLevel }).warnings;
    expect(warnings(0.995)).toContainEqual(expect.stringContaining('extrapolates'));
    expect(warnings(0.99)).not.toContainEqual(expect.stringContaining('extrapolates'));
  });

  it('recommends no stock for no demand', () => {
    const forecast = forecastOf({ ...months(0, 0, 12), demandPattern: 'dead', wholeUnits: true });
    const result = recommendSafetyStock({ forecast, leadTime: 1, serviceLevel: 0.95 });
    expect(result).toMatchObject({ safetyStock: 0, reorderPoint: 0, method: 'none', expectedServiceLevel: 1 });
    expect(result.warnings).toContain('No demand is expected over the lead time.');
  });

  it('covers a lead time as long as the forecast', () => {
    const result = recommendSafetyStock({ forecast: forecastOf(), leadTime: 12, serviceLevel: 0.9 });
    expect(result.leadTimeDemand).toBe(1200);
    expect(result.assumptions).toContainEqual(expect.stringContaining('assumed to be certain (12 months)'));
    expect(result.safetyStock).toBeGreaterThan(0);
  });

  it('has no warnings when three errors of the series cover the lead time', () => {
    const backtest = [window(100, 10, [10]), window(100, 10, [-20]), window(100, 10, [5])];
    const ask = (leadTime: number, errors: BacktestErrors[]) =>
      recommendSafetyStock({ forecast: forecastOf({ backtest: errors }), leadTime, serviceLevel: 0.95 }).warnings;
    expect(ask(1, backtest)).toEqual([]);
    expect(ask(1, backtest.slice(1))).toEqual([expect.stringContaining('Few backtest errors (2)')]);
    expect(ask(2, backtest)).toEqual([expect.stringContaining('longer than a backtest window')]);
    expect(ask(2, backtest.slice(2))).toEqual([
      expect.stringContaining('Few backtest errors (1)'),
      expect.stringContaining('longer than a backtest window'),
    ]);
    expect(ask(2, [])).toEqual([
      'No backtest error of this series covers the lead time; the spread is based on its forecast quantiles.',
    ]);
  });

  it('warns about a history without variation, whose forecast spread is a tiny residue', () => {
    const backtest = Array.from({ length: 3 }, () => window(100, 0.005, [0.002]));
    const ask = (sigma: number) =>
      recommendSafetyStock({
        forecast: forecastOf({ ...months(100, sigma, 12), backtest }),
        leadTime: 1,
        serviceLevel: 0.95,
      }).warnings;
    expect(ask(0.005)).toEqual(['The history shows no variation, so no safety stock can be derived from it.']);
    expect(ask(0)).toEqual(ask(0.005));
    expect(ask(1)).toEqual([]);
  });

  it.each([0, -1, 12.5, NaN])('refuses a lead time of %p', (leadTime) => {
    expect(() => recommendSafetyStock({ forecast: forecastOf(), leadTime, serviceLevel: 0.95 })).toThrow(/lead_time/);
  });

  it.each([0.49, 0.9991, NaN])('refuses a service level of %p', (serviceLevel) => {
    expect(() => recommendSafetyStock({ forecast: forecastOf(), leadTime: 1, serviceLevel })).toThrow(/service_level/);
  });
});
