import { describe, expect, it } from '@jest/globals';
import { monthNumber } from '../../calendar.js';
import { negativeBinomialQuantiles } from '../../../numeric/negative-binomial.js';
import { createRandom } from '../../../numeric/random.js';
import { sumOf } from '../../../numeric/sum.js';
import { history } from '../../testing/series.js';
import { LEVELS, MEDIAN, QUANTILE_LEVELS, SEASON, type DemandHistory } from '../../types.js';
import { fitIntermittent, trainingCuts } from '../fit-intermittent.js';
import { forecastIntermittent } from '../forecast-intermittent.js';
import { exposeCounts, learnCountSeason, seasonalFactors } from './count-season.js';
import { countByMonth } from './month-sums.js';
import { LOADINGS, STRENGTHS } from './season-strength.js';

const JUNE = 5;
const DECEMBER = 11;
/** Nine tenths above average in June, nine tenths below in December. */
const summer = (month: number): number => 1 + 0.9 * Math.cos((2 * Math.PI * (month - JUNE)) / SEASON);
const winter = (month: number): number => summer(month + SEASON / 2);
const none = (): number => 1;
/** The whole year's demand in its last three months. */
const christmas = (month: number): number => [1, 4, 7][month - 9] ?? 0;
/** The same in each of these months. */
const lastQuarter = (month: number): number => (month >= 9 ? 4 : 0);
/** Chances of a piece per month, enough for counts to be almost Poisson distributed. */
const CHANCES = 100;

/** Counts over 60 months from January on, `mean` a month, with the season given by `seasonOf` for each series. */
function workspace(
  series: number,
  mean: number,
  seasonOf: (index: number) => (month: number) => number,
  seed = 1,
): DemandHistory[] {
  const random = createRandom(seed);
  const count = (expected: number): number => {
    let pieces = 0;
    for (let chance = 0; chance < CHANCES; chance++) if (random() < expected / CHANCES) pieces++;
    return pieces;
  };
  return Array.from({ length: series }, (_, i) =>
    history(Float64Array.from({ length: 60 }, (_, t) => count(mean * seasonOf(i)(t % SEASON)))),
  );
}

/** Seasonal factors of each series in its workspace. */
function factorsIn(all: readonly DemandHistory[], of: readonly DemandHistory[] = all): Float64Array[] {
  const season = learnCountSeason(all.map(countByMonth));
  return of.map((one) => seasonalFactors(countByMonth(one), season).factors);
}

/** Number of series found to have a season larger than `size`. */
const seasonalIn = (all: readonly DemandHistory[], size: number): number =>
  factorsIn(all).filter((factors) => factors.some((factor) => Math.abs(factor - 1) > size)).length;

describe('the season of counts', () => {
  it('is learned from all series when no single one shows it', () => {
    const rare = workspace(60, 0.4, () => summer);
    for (const factors of factorsIn(rare)) {
      expect(factors[JUNE]).toBeGreaterThan(1.5);
      expect(factors[DECEMBER]).toBeLessThan(0.5);
    }
  });

  it('is applied to a series of a few months', () => {
    const rare = workspace(60, 0.4, () => summer);
    const young = history([1, 0, 1], { startMonth: monthNumber(2019, 11) });
    expect(factorsIn(rare, [young])[0]![JUNE]).toBeGreaterThan(1.5);
  });

  it('is learned per series when seasons differ and demand is ample', () => {
    const mixed = workspace(40, 4, (i) => (i % 2 === 0 ? summer : winter));
    factorsIn(mixed).forEach((factors, i) => {
      expect(factors[i % 2 === 0 ? JUNE : DECEMBER]).toBeGreaterThan(1.3);
      expect(factors[i % 2 === 0 ? DECEMBER : JUNE]).toBeLessThan(0.6);
    });
  });

  it('of one item that runs opposite to all others is its own, with a mean of one', () => {
    const [opposite] = workspace(1, 6, () => winter, 3);
    const [factors] = factorsIn([...workspace(40, 4, () => summer), opposite!], [opposite!]);
    expect(factors![DECEMBER]).toBeGreaterThan(1.3);
    expect(factors![JUNE]).toBeLessThan(0.6);
    expect(sumOf(factors!)).toBeCloseTo(SEASON, 9);
  });

  it('of Christmas goods does not affect flat items beside them', () => {
    const mixed = workspace(40, 1, (i) => (i % 4 === 0 ? lastQuarter : none));
    factorsIn(mixed).forEach((factors, i) => {
      if (i % 4 === 0) expect(factors[DECEMBER]).toBeGreaterThan(2);
      else expect(factors[DECEMBER]).toBeLessThan(1.1);
    });
  });

  it('of three items in ten is not damped by the flat ones, which stay flat', () => {
    const seasonal = workspace(30, 2, () => summer);
    const flat = workspace(70, 0.4, () => none, 2);
    const mixed = [...seasonal, ...flat];
    const average = (factors: readonly Float64Array[], month: number): number =>
      factors.reduce((sum, one) => sum + one[month]!, 0) / factors.length;
    expect(average(factorsIn(mixed, seasonal), JUNE)).toBeGreaterThan(1.75);
    expect(average(factorsIn(mixed, seasonal), DECEMBER)).toBeLessThan(0.25);
    expect(Math.abs(average(factorsIn(mixed, flat), JUNE) - 1)).toBeLessThan(0.15);
  });

  it('is not hidden by one item with a few very large orders', () => {
    const rare = workspace(40, 0.4, () => summer);
    const lumpy = history(Float64Array.from({ length: 60 }, (_, t) => (t % 17 === 3 ? 4000 + t : 0)));
    for (const factors of factorsIn([...rare, lumpy], rare)) expect(factors[JUNE]).toBeGreaterThan(1.5);
  });

  it('is not applied to a young item whose months contradict it', () => {
    const goods = workspace(40, 1, () => lastQuarter);
    const garden = history([4, 5, 6, 4, 5, 6, 5, 1], { startMonth: monthNumber(2019, 3) });
    for (const factor of factorsIn(goods, [garden])[0]!) expect(factor).toBeCloseTo(1, 3);
  });

  it('is finite for a young item of large orders, also where no series has a part of the season', () => {
    const season = learnCountSeason(workspace(40, 1, () => summer).map(countByMonth))!;
    const inFull = { ...season, shares: season.shares.map((share, i) => (i < 9 ? share : 0)) };
    const young = (values: number[]) => countByMonth(history(values, { startMonth: monthNumber(2019, 3) }));
    const orders = young([0, 0, 0, 0, 20_000, 0, 0, 0, 0, 0, 10_000, 0, 0, 0, 0, 0]);
    const steady = young([9000, 9050, 9100, 8950, 9000, 9020, 8970, 9030, 9000, 9010]);
    for (const learned of [season, inFull]) {
      for (const { factors } of [orders, steady].map((series) => seasonalFactors(series, learned))) {
        expect(factors.reduce((sum, factor) => sum + factor, 0)).toBeCloseTo(SEASON, 9);
      }
    }
  });

  it('is absent when demand has none, whatever its size, spread and packs', () => {
    const heaps = workspace(60, 0.5, () => none).map((one, i) => ({
      ...one,
      values: one.values.map((count, t) => count * (1 + ((7 * t + i) % 9))),
    }));
    for (const series of [workspace(60, 0.4, () => none), workspace(60, 4, () => none, 2), heaps]) {
      expect(seasonalIn(series, 1e-9)).toBeLessThanOrEqual(2);
    }
  });

  it('is not confused with a changing level', () => {
    const growing = workspace(40, 1, () => none).map((one) => ({
      ...one,
      values: one.values.map((count, t) => count * (1 + Math.floor(t / SEASON))),
    }));
    expect(seasonalIn(growing, 0.1)).toBeLessThanOrEqual(2);
  });

  it('is the same in packs of twelve, with a mean of one', () => {
    const pieces = workspace(40, 4, () => summer);
    const packs = pieces.map((one) => ({ ...one, values: one.values.map((count) => 12 * count) }));
    expect(factorsIn(packs)).toEqual(factorsIn(pieces));
    for (const factors of factorsIn(pieces)) expect(factors.reduce((sum, one) => sum + one, 0)).toBeCloseTo(SEASON, 9);
  });

  it('follows the calendar across missing months', () => {
    const pieces = workspace(40, 4, () => summer);
    const gaps = pieces.map((one) => ({ ...one, values: one.values.map((count, t) => (t % 7 === 3 ? NaN : count)) }));
    for (const factors of factorsIn(gaps)) expect(factors[JUNE]).toBeGreaterThan(1.4);
    const first = countByMonth(gaps[0]!);
    const { demand, exposure } = exposeCounts(first, seasonalFactors(first, null));
    expect([demand.length, exposure.filter((f) => f === 1).length, demand[3], exposure[3]]).toEqual([60, 60 - 9, 0, 0]);
  });

  it('of a series is the mean and variance of gamma distributed rates, given its counts', () => {
    const shape = 4;
    const shares = [...STRENGTHS, ...LOADINGS].map((_, i) => Number(i === STRENGTHS.indexOf(shape)));
    const year = [9, 8, 6, 4, 2, 1, 1, 2, 4, 6, 8, 9];
    const series = countByMonth(history([...year, ...year, ...year]));
    const season = { common: new Array<number>(SEASON).fill(1), shares, dispersion: 1 };
    const { factors, variances } = seasonalFactors(series, season);
    // three years at a level of five
    year.forEach((count, m) => {
      expect(factors[m]).toBeCloseTo((shape + 3 * count) / (shape + 15), 12);
      expect(variances[m]).toBeCloseTo((shape + 3 * count) / (shape + 15) ** 2, 12);
    });
  });

  it('is learned from series that all lack the same month of every year', () => {
    const closed = workspace(60, 0.4, () => summer).map((one) => ({
      ...one,
      values: one.values.map((count, t) => (t % SEASON === 2 ? NaN : count)),
    }));
    for (const factors of factorsIn(closed)) {
      expect(factors[JUNE]).toBeGreaterThan(1.5);
      expect(factors[2]).toBeGreaterThan(0.5);
    }
  });

  it.each([1, 3, 7])('is learned from a workspace of %p series with an obvious season', (series) => {
    for (const factors of factorsIn(workspace(series, 4, () => summer))) {
      expect(factors[JUNE]).toBeGreaterThan(1.5);
      expect(factors[DECEMBER]).toBeLessThan(0.5);
    }
  });

  it('is not learned from one year or without series', () => {
    const pieces = workspace(40, 4, () => summer);
    expect(learnCountSeason(pieces.map((one) => countByMonth({ ...one, values: one.values.slice(0, 23) })))).toBeNull();
    expect(learnCountSeason([])).toBeNull();
  });
});

describe('forecasts of seasonal counts', () => {
  const pieces = workspace(60, 3, () => summer);
  const model = fitIntermittent(pieces);

  it('follow the season, in mean and quantiles, around the yearly level', () => {
    const forecasts = pieces.map((one) => forecastIntermittent(one, model, SEASON));
    const average = (month: number): number =>
      forecasts.reduce((sum, { mean }) => sum + mean[month]!, 0) / forecasts.length;
    expect(average(JUNE) / (3 * summer(JUNE))).toBeGreaterThan(0.85);
    expect(average(DECEMBER)).toBeLessThan(0.7);
    const year = Array.from({ length: SEASON }, (_, month) => average(month)).reduce((sum, month) => sum + month, 0);
    expect(Math.abs(year / (3 * SEASON) - 1)).toBeLessThan(0.1);
    for (const { quantiles } of forecasts) {
      expect(quantiles[LEVELS * JUNE + MEDIAN]).toBeGreaterThan(quantiles[LEVELS * DECEMBER + MEDIAN]! + 2);
    }
  });

  it('vary as much as demand does, and not more because months differ', () => {
    // Poisson counts, with little added for uncertainty
    let [spread, poisson] = [0, 0];
    for (const one of pieces) {
      const { quantiles } = forecastIntermittent(one, model, SEASON);
      for (let month = 0; month < SEASON; month++) {
        const row = new Float64Array(LEVELS);
        negativeBinomialQuantiles(3 * summer(month), 1, QUANTILE_LEVELS, row);
        spread += quantiles[LEVELS * month + 8]! - quantiles[LEVELS * month]!;
        poisson += row[8]! - row[0]!;
      }
    }
    expect(spread / poisson).toBeGreaterThan(0.95);
    expect(spread / poisson).toBeLessThan(1.12);
  });

  it('for goods sold in a few months are their own, whether they sell much or little', () => {
    const small = workspace(50, 0.5, () => christmas);
    const large = workspace(50, 5, () => christmas, 2);
    const goods = [...small, ...large].map((one) => ({ ...one, values: one.values.slice(0, 42) }));
    const learned = fitIntermittent(goods);
    const sixthMonth = goods.map((one) => forecastIntermittent(one, learned, 6).mean[5]!);
    const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
    expect(Math.abs(total(sixthMonth.slice(0, 50)) / (50 * 0.5 * 7) - 1)).toBeLessThan(0.2);
    expect(Math.abs(total(sixthMonth.slice(50)) / (50 * 5 * 7) - 1)).toBeLessThan(0.1);
  });

  it('are trained on cuts whose season uses no later month', () => {
    const dated = workspace(40, 4, (i) => (i % 2 === 0 ? summer : winter)).map(countByMonth);
    const season = learnCountSeason(dated);
    const later = dated.map((one) => ({
      ...one,
      counts: one.counts.map((count, t) => (t < 54 ? count : 9 * (t % 2))),
    }));
    const seasons = (all: typeof dated): Float64Array[] =>
      trainingCuts(all, season)
        .filter(({ length }) => length <= 54)
        .map((cut) => cut.season.factors);
    expect(seasons(later)).toEqual(seasons(dated));
    expect(seasons(dated).length).toBeGreaterThan(40);
  });

  describe('are trained on cuts', () => {
    const [years] = workspace(1, 4, () => winter);
    /** The lengths of the cuts of a history of so many months, which begins in January. */
    const lengths = (months: number): number[] => {
      const values = Float64Array.from({ length: months }, (_, t) => years!.values[t % years!.values.length]!);
      return trainingCuts([countByMonth({ ...years!, values })], null).map(({ length }) => length);
    };

    it('at the same ends of quarters until one more is old enough, so that forecasts do not move with them', () => {
      expect(lengths(56)).toEqual([51, 48, 45, 42, 39, 36]);
      expect(lengths(57)).toEqual(lengths(56));
      expect(lengths(58)).toEqual(lengths(56));
      expect(lengths(59)).toEqual([54, ...lengths(56)]);
    });

    it('of the last two years, that leave a year at least', () => {
      expect(lengths(81)).toEqual([75, 72, 69, 66, 63, 60, 57]);
      expect(lengths(17)).toEqual([12]);
      expect(lengths(15)).toEqual([]);
    });
  });

  it('for goods sold in a few months reach their yearly sales, and nothing outside their season', () => {
    const goods = workspace(40, 1, () => christmas).map((one) => ({ ...one, values: one.values.slice(0, 30) }));
    const learned = fitIntermittent(goods);
    const months = new Float64Array(SEASON);
    for (const one of goods) {
      // from July on
      forecastIntermittent(one, learned, SEASON).mean.forEach((mean, k) => (months[(k + 6) % SEASON]! += mean));
    }
    const sold = months.map((sum) => sum / goods.length);
    expect(Math.abs(sold.reduce((sum, month) => sum + month, 0) / SEASON - 1)).toBeLessThan(0.15);
    expect(sold[DECEMBER]).toBeGreaterThan(5);
    expect(Math.max(...sold.slice(0, 9))).toBeLessThan(0.2);
  });

  it('are wider for a month never observed than for one that always sold the mean, though equal in mean', () => {
    const year = [NaN, 10, 20, 0, 20, 0, 20, 0, 20, 0, 10, 10];
    const values = Float64Array.from({ length: 48 }, (_, t) => year[t % SEASON]!);
    const shares = [...new Array<number>(8).fill(0.1), ...new Array<number>(4).fill(0.05)];
    const season = { common: new Array<number>(SEASON).fill(1), shares, dispersion: 1 };
    const known = { rates: { demand: 1, chance: 0.5 }, learnt: null, dispersion: 1, season };
    const { mean, quantiles } = forecastIntermittent(history(values), known, SEASON);
    expect(mean[0]).toBe(mean[1]);
    expect(quantiles[8]).toBeGreaterThan(quantiles[LEVELS + 8]!);
  });

  it('are flat for a young series that sold when others do not', () => {
    const learned = fitIntermittent(workspace(40, 1, () => christmas));
    const young = history([2, 3, 1, 3, 2, 3], { startMonth: monthNumber(2024, 2) });
    const { mean } = forecastIntermittent(young, learned, SEASON);
    expect(new Set(mean).size).toBe(1);
    expect(mean[0]).toBeGreaterThan(0.5);
  });

  it('are flat where no series has two years', () => {
    const { mean } = forecastIntermittent(pieces[0]!, { ...model, season: null }, SEASON);
    expect(new Set(mean).size).toBe(1);
  });
});
