import { describe, expect, it } from '@jest/globals';
import { holidayExcess } from '../calendar-regression/moving-holidays.js';
import { weekdayExcess } from '../calendar-regression/regressors.js';
import { monthNumber } from '../calendar.js';
import { createRandom } from '../../numeric/random.js';
import { classifyDemand } from './classify.js';
import { averageForecasts } from '../combination/average.js';
import { forecastMembers } from '../combination/members.js';
import { LEARNING_FROM, weightsFor } from '../combination/weights.js';
import { meanObserved } from '../missing.js';
import { poolWorkspace } from '../pool-workspace.js';
import type { OriginPool } from '../pooled-model.js';
import { routedForecast } from './routed-forecast.js';
import { DEFAULT_SETTINGS } from '../settings.js';
import { history, intermittentSeries, seasonalSeries, spikedNoise } from '../testing/series.js';
import { type DemandHistory, LEVELS, MEDIAN } from '../types.js';

const HORIZON = 6;

/** What a workspace of these histories has learned. */
const poolOf = (known: readonly DemandHistory[]): OriginPool =>
  poolWorkspace(known, { ...DEFAULT_SETTINGS, horizon: HORIZON, backtestWindows: 0 }).origins[0]!;
const NOTHING_LEARNED = poolOf([]);
const route = (series: DemandHistory, pool = NOTHING_LEARNED, horizon = HORIZON) =>
  routedForecast(series, classifyDemand(series.values), { pool, horizon, seed: 1 });

describe('routedForecast', () => {
  it.each([
    [4, 1.25],
    [5, 1.15],
    [7, 1.08],
    [8, 1],
    [12, 1],
    [13, 1.12],
    [16, 1.07],
    [24, 1.07],
    [25, 1],
  ])('for %p months has %p times the spread of its averaged members', (months, factor) => {
    const series = history(seasonalSeries(months));
    const { forecast } = route(series);
    const weights = weightsFor(months, NOTHING_LEARNED.gains);
    const task = { prior: NOTHING_LEARNED.calendar, horizon: HORIZON, seed: 1 };
    const members = forecastMembers({ ...series, ...task }, weights);
    const { quantiles } = averageForecasts(members, weights);
    for (let k = 0; k < HORIZON; k++) {
      const spread = (of: Float64Array) => of[k * LEVELS + LEVELS - 1]! - of[k * LEVELS + MEDIAN]!;
      expect(spread(forecast.quantiles) / spread(quantiles)).toBeCloseTo(factor, 9);
    }
  });

  it('draws histories of less than a year toward their last six months by what was learned for their length', () => {
    const shortSpreads = {
      ratios: [],
      calibrations: [[1, 1, 1] as const, [1, 1, 1] as const],
      levelWeight: 1,
    };
    const mediansOf = (months: number, pool: OriginPool): number[] => {
      const { quantiles } = route(history(seasonalSeries(24).subarray(0, months)), pool).forecast;
      return Array.from({ length: HORIZON }, (_, k) => quantiles[k * LEVELS + MEDIAN]!);
    };
    for (const [months, weight] of [
      [5, 0],
      [6, 1],
      [12, 0.2],
      [13, 0],
    ] as const) {
      const level = meanObserved(seasonalSeries(24), Math.max(0, months - 6), months);
      const without = mediansOf(months, NOTHING_LEARNED);
      const medians = mediansOf(months, { ...NOTHING_LEARNED, shortSpreads });
      medians.forEach((median, k) => expect(median).toBeCloseTo(without[k]! + weight * (level - without[k]!), 9));
    }
  });

  it('for small but frequent counts averages the count forecast and the combination by their weight', () => {
    const values = Float64Array.from({ length: 48 }, (_, t) => 2 + ((5 * t) % 7));
    const series = history(values);
    const profile = classifyDemand(values);
    const task = { pool: poolOf([series]), horizon: HORIZON, seed: 1 };
    const [counts, combined, both] = [1, 0, 0.25].map(
      (countShare) => routedForecast(series, { ...profile, countShare }, task).forecast,
    );
    const expected = averageForecasts([counts!, combined!], [0.25, 0.75]);
    expect(Array.from(both!.quantiles)).toEqual(Array.from(expected.quantiles));
    expect(Array.from(both!.mean)).toEqual(Array.from(expected.mean));
    expect(Array.from(combined!.quantiles)).not.toEqual(Array.from(counts!.quantiles));
  });

  describe('for a history of less than a year', () => {
    const parts = poolOf(
      Array.from({ length: 40 }, (_, i) => history(intermittentSeries(48, i + 1), { id: String(i) })),
    );
    const goods = poolOf(Array.from({ length: 20 }, (_, i) => history(seasonalSeries(48, i + 1), { id: String(i) })));
    const routed = (values: readonly number[], pool: OriginPool) => route(history(values), pool);

    it('expects few months with demand among spare parts, and demand every month among regular goods', () => {
      const among = (origin: OriginPool) => routed([10, 20, 50], origin);
      expect([among(parts).model, among(goods).model]).toEqual(['intermittent', 'category_shape']);
      const first = (origin: OriginPool) => among(origin).forecast.quantiles.slice(0, LEVELS);
      expect(first(parts)[0]).toBe(0);
      expect(first(parts)[MEDIAN]).toBeLessThan(10);
      expect(first(goods)[0]).toBeGreaterThan(10);
      expect(first(goods)[MEDIAN]).toBeGreaterThan(15);
    });

    it('blends in the count forecast for a few pieces, whatever others do', () => {
      const counted = routed([2, 3, 2], goods).forecast;
      expect(counted.quantiles[0]).toBe(0);
      expect(routed([200, 300, 200], goods).forecast.quantiles[0]).toBeGreaterThan(100);
    });

    it('does not treat demand with an empty month as rare among regular goods', () => {
      const among = (origin: OriginPool) => routed([100.5, 0, 90.5], origin).forecast.mean[0]!;
      expect(among(goods)).toBeGreaterThan(55);
      expect(routed([0, 0, 100.5], goods).forecast.mean[0]).toBeGreaterThan(80);
    });

    it('uses the count model for an item that never sold', () => {
      expect(routed([0, 0, 0], parts).model).toBe('intermittent');
      expect(routed([0, 0, 0], goods).model).toBe('intermittent');
    });

    it('forecasts an item started a month or two ago after zeros at its level among regular goods, as a rare order among spare parts', () => {
      const zeros = new Array<number>(24).fill(0);
      for (const months of [[100.5], [100.5, 90.5]]) {
        const among = (origin: OriginPool) => routed([...zeros, ...months], origin);
        expect([among(parts).model, among(goods).model]).toEqual(['intermittent', 'category_shape']);
        expect(among(parts).forecast.quantiles[MEDIAN]).toBe(0);
        expect(among(goods).forecast.quantiles[MEDIAN]).toBeGreaterThan(70);
        expect(among(goods).forecast.quantiles[0]).toBeGreaterThan(0);
      }
    });

    it('counts an item started after zeros with a pool stored by an earlier release', () => {
      const { started: _started, ...infrequency } = goods.infrequency!;
      const late = [...new Array<number>(24).fill(0), 100.5, 90.5];
      expect(routed(late, { ...goods, infrequency }).model).toBe('intermittent');
    });

    it('is unchanged with a pool stored by an earlier release', () => {
      const { infrequency: _infrequency, ...stored } = parts;
      expect([routed([10], stored).model, routed([10, 0, 12, 0], stored).model]).toEqual([
        'recent_mean',
        'intermittent',
      ]);
    });
  });

  describe('in a workspace of shops', () => {
    const start = monthNumber(2019, 1);
    const effect = (month: number): number => 0.05 * weekdayExcess(month) + 0.5 * holidayExcess('diwali', month);
    const shop = (from: number, count: number, seed: number): DemandHistory => {
      const random = createRandom(seed);
      const values = Array.from(
        { length: count },
        (_, t) => 100 * Math.exp(effect(from + t) + 0.04 * (random() - 0.5)),
      );
      return history(values, { id: String(seed), startMonth: from });
    };
    const shops = Array.from({ length: 20 }, (_, i) => shop(start, 60, i + 1));
    const [origin] = poolWorkspace(shops, { ...DEFAULT_SETTINGS, horizon: 12, backtestWindows: 0 }).origins;

    it.each([2, 8, 18])('applies the shared working days and holidays to %d months', (months) => {
      const { mean } = route(shop(start + 60 - months, months, 50), origin, 12).forecast;
      // Diwali is on 1 November 2024, after 12 November 2023
      const levels = mean.map((value, k) => value / Math.exp(effect(start + 60 + k)));
      expect(Math.max(...levels) / Math.min(...levels)).toBeLessThan(1.1);
    });
  });

  it('calibrates deviations from the median by the workspace from two years of history on', () => {
    const spreadOf = (months: number, calibration: readonly [number, number, number]) => {
      const { quantiles } = route(history(seasonalSeries(months)), { ...NOTHING_LEARNED, calibration }).forecast;
      return quantiles[LEVELS - 1]! - quantiles[MEDIAN]!;
    };
    const ratio = (months: number) => spreadOf(months, [2, 2, 2]) / spreadOf(months, [1, 1, 1]);
    expect(ratio(LEARNING_FROM)).toBeCloseTo(2, 9);
    expect(ratio(LEARNING_FROM - 1)).toBe(1);
  });

  it('concentrates a season the same in a forecast shorter than a year as in one of a year', () => {
    const series = history(Array.from({ length: 60 }, (_, t) => (t % 12 < 3 ? 50 + (t % 5) : 0)));
    const [year, quarter] = [12, 3].map((horizon) => route(series, NOTHING_LEARNED, horizon).forecast.mean);
    expect([...quarter!]).toEqual([...year!.subarray(0, 3)]);
  });

  it('keeps the mean central when the last month is an outlier', () => {
    const { forecast } = route(history(spikedNoise(1)), NOTHING_LEARNED, 12);
    forecast.mean.forEach((mean, k) => {
      expect(mean).toBeLessThanOrEqual(forecast.quantiles[k * LEVELS + 6]!);
      expect(mean).toBeGreaterThanOrEqual(forecast.quantiles[k * LEVELS + 2]!);
    });
  });

  it.each([
    ['recent_mean', 3, 0],
    ['category_shape', 3, 5],
    ['network', 12, 5],
    ['combination', 13, 5],
    ['combination', 25, 0],
  ])('uses %s for %d months in a workspace of %d others', (model, months, others) => {
    const known = Array.from({ length: others }, (_, i) => history(seasonalSeries(60, i + 1), { id: `s${i}` }));
    expect(route(history(seasonalSeries(months)), poolOf(known)).model).toBe(model);
  });

  it.each([
    ['in_season', (t: number) => (t % 12 === 10 ? 500 : 0)],
    ['order_cycle', (t: number) => ((t * 7) % 5 === 0 ? 40 : 0)],
    ['intermittent', (t: number) => ((t * t) % 17 < 3 ? 40 : 0)],
    ['intermittent', (t: number) => 1 + (t % 3)],
  ])('uses %s depending on the demand pattern', (model, demand) => {
    expect(route(history(Array.from({ length: 60 }, (_, t) => demand(t)))).model).toBe(model);
  });
});
