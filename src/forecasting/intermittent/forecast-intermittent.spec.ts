import { describe, expect, it } from '@jest/globals';
import { createRandom } from '../../numeric/random.js';
import { exposed, history, intermittentSeries } from '../testing/series.js';
import { MEDIAN, type QuantileForecast } from '../types.js';
import { additiveScore } from './additive-model.js';
import { FEATURES, writeFeatures } from './features.js';
import { BERNOULLI } from './losses.js';
import { fitIntermittent } from './fit-intermittent.js';
import { forecastIntermittent } from './forecast-intermittent.js';
import type { IntermittentModel } from './intermittent-model.js';

const fitTo = (series: readonly Float64Array[]): IntermittentModel =>
  fitIntermittent(series.map((values) => history(values)));

const forecastOf = (values: Float64Array, model: IntermittentModel, horizon: number): QuantileForecast =>
  forecastIntermittent(history(values), model, horizon);

describe('the intermittent model', () => {
  const histories = Array.from({ length: 40 }, (_, i) => intermittentSeries(60, i + 1));
  const model = fitTo(histories);

  it('forecasts the mean demand of a workspace without bias', () => {
    const total = (sum: number, value: number): number => sum + value;
    const expected = histories.map((h) => h.reduce(total, 0) / 60).reduce(total, 0);
    const forecast = histories.map((h) => forecastOf(h, model, 1).mean[0]!).reduce(total, 0);
    expect(Math.abs(forecast / expected - 1)).toBeLessThan(0.15);
  });

  it('has meaningful intervals: zero at the median, demand at the top', () => {
    const { quantiles } = forecastOf(histories[0]!, model, 1);
    expect(quantiles[MEDIAN]).toBe(0);
    expect(quantiles[8]!).toBeGreaterThan(0);
  });

  it('expects almost nothing from a steady seller silent for years, but continued demand from rare orders', () => {
    const year = (values: Float64Array): number => 12 * forecastOf(values, fitTo([values]), 1).mean[0]!;
    const steady = (sold: number, silent: number): Float64Array =>
      Float64Array.from({ length: sold + silent }, (_, t) => (t < sold ? 30 + ((7 * t) % 11) : 0));
    expect(year(steady(34, 24))).toBeLessThan(5);
    const rare = Float64Array.from({ length: 60 }, (_, t) => (t % 7 === 3 && t < 48 ? 1 : 0));
    expect(year(rare)).toBeGreaterThan(0.5);
  });

  it('counts in the unit of the series', () => {
    const pieces = forecastOf(histories[1]!, model, 2);
    const dozens = forecastOf(
      histories[1]!.map((value) => value * 12),
      model,
      2,
    );
    expect(Array.from(dozens.quantiles)).toEqual(Array.from(pieces.quantiles, (value) => value * 12));
  });

  it('stays near the level of a series that sells a thousand times more than the workspace', () => {
    const large = histories[3]!.map((value) => 1000 * value + 7);
    const own = large.reduce((sum, value) => sum + value, 0) / large.length;
    const { mean } = forecastOf(large, fitTo([...histories, large]), 1);
    expect(mean[0]! / own).toBeGreaterThan(0.5);
    expect(mean[0]! / own).toBeLessThan(2);
  });

  it.each([3, 40])('expects little from a rare series beside %d that sell every other month', (others) => {
    const frequent = Array.from({ length: others }, (_, i) =>
      Float64Array.from({ length: 60 }, (_, t) => ((t * 7 + i) % 5 < 3 ? 1 + ((t + i) % 3) : 0)),
    );
    const rare = Float64Array.from({ length: 60 }, (_, t) => ([3, 17, 30, 41, 52].includes(t) ? 1 : 0));
    const { mean } = forecastOf(rare, fitTo([...frequent, rare]), 1);
    expect(mean[0]!).toBeLessThan(3 * (5 / 60));
  });

  it.each([2, 5])('expects no less of items that are measured than of others in pieces, up to %d at a time', (most) => {
    const random = createRandom(77);
    const mixed = Array.from({ length: 80 }, (_, i) => {
      const pieces = Float64Array.from({ length: 60 }, () => (random() < 0.25 ? 1 + Math.floor(most * random()) : 0));
      return i % 2 === 0 ? pieces : pieces.map((value) => value * (0.8 + 0.4 * random()));
    });
    const fit = fitTo(mixed);
    const measured = mixed.filter((_, i) => i % 2 === 1);
    const expected = measured.reduce((sum, h) => sum + 60 * forecastOf(h, fit, 1).mean[0]!, 0);
    const sold = measured.reduce((sum, h) => sum + h.reduce((all, value) => all + value, 0), 0);
    expect(Math.abs(expected / sold - 1)).toBeLessThan(0.1);
  });

  it('is not distorted by a series that restarts at thousands of times its scale', () => {
    const ended = Array.from({ length: 40 }, (_, i) =>
      intermittentSeries(60, 100 + i).map((value, t) => (t < 6 + i / 2 ? value : 0)),
    );
    const restarted = Float64Array.from({ length: 60 }, (_, t) => (t === 3 ? 1 : t < 44 ? 0 : 50_000 + 900 * (t % 7)));
    const mixed = fitTo([...histories, ...ended, restarted]);
    const largest = Math.max(...[...histories, ...ended].map((values) => forecastOf(values, mixed, 1).mean[0]!));
    expect(largest).toBeLessThan(5);
  });

  it('falls back to the level of the series with a model fitted to too few histories', () => {
    const level = forecastOf(histories[0]!, { ...model, learnt: null }, 1);
    expect(forecastOf(histories[0]!, model, 1)).not.toEqual(level);
    expect(fitTo(histories.slice(0, 5)).learnt).toBeNull();
  });

  describe('for a series that never sold', () => {
    const unsold = new Float64Array(60);
    /** Every second series has its first demand after 30 to 54 of 60 months, or never. */
    const workspace = (late: 'start' | 'never', size = 1): Float64Array[] =>
      Array.from({ length: 80 }, (_, i) => {
        const starts = i % 2 === 0 ? 0 : late === 'start' ? 30 + (i % 25) : 60;
        return intermittentSeries(60, i + 1).map((value, t) => (t < starts ? 0 : size * value));
      });
    const expected = (histories: readonly Float64Array[]): number => forecastOf(unsold, fitTo(histories), 1).mean[0]!;

    it('forecasts demand when similar series came to sell, in their usual size', () => {
      const pieces = expected(workspace('start'));
      expect(pieces).toBeGreaterThan(0.1);
      expect(pieces).toBeLessThan(1);
      expect(expected(workspace('start', 100)) / pieces / 100).toBeGreaterThan(0.5);
      expect(expected(workspace('start', 100)) / pieces / 100).toBeLessThan(2);
    });

    it('forecasts about the same when some of them have missing months', () => {
      const gaps = workspace('start').map((values, i) => values.map((value, t) => ((i + t) % 9 === 4 ? NaN : value)));
      expect(expected(gaps)).toBeGreaterThan(0.1);
      expect(expected(gaps)).toBeLessThan(1);
    });

    it('does not jump when slightly more of them sell hundreds rather than pieces', () => {
      const pieces = workspace('start');
      const mixed = (large: number) =>
        pieces.map((values, i) => (i % 2 === 1 && i < 2 * large ? values.map((value) => 100 * value) : values));
      const [fewer, more] = [expected(mixed(19)), expected(mixed(21))];
      expect(more / fewer).toBeGreaterThan(1);
      expect(more / fewer).toBeLessThan(1.5);
    });

    it('forecasts almost nothing when similar series never sold', () => {
      expect(expected(workspace('never'))).toBeLessThan(0.02);
    });

    it('forecasts zero when the few similar series of a small workspace never sold', () => {
      const sellers = Array.from({ length: 12 }, (_, i) => intermittentSeries(60, i + 1));
      expect(expected([...sellers, unsold, unsold])).toBe(0);
    });

    it('forecasts zero without similar series', () => {
      expect(expected(histories)).toBe(0);
    });
  });

  it('is finite in a workspace that sells every item every month', () => {
    const steady = Array.from({ length: 40 }, (_, i) => Float64Array.from({ length: 40 }, (_, t) => 1 + ((i + t) % 3)));
    const { mean, quantiles } = forecastOf(steady[0]!, fitTo(steady), 1);
    expect(mean[0]).toBeCloseTo(2, 0);
    expect(quantiles[0]).toBeGreaterThanOrEqual(0);
    expect(quantiles[8]).toBeLessThan(10);
    const late = steady[0]!.map((value, t) => (t < 38 ? value : NaN));
    expect(forecastOf(late, fitTo([late, ...steady.slice(1)]), 1).mean[0]).toBeCloseTo(2, 0);
  });

  it('is unbiased for both small and large sellers in one workspace', () => {
    const total = (h: Float64Array): number => h.reduce((sum, value) => sum + value, 0);
    let [small, large] = [0, 0];
    for (let workspace = 0; workspace < 4; workspace++) {
      const sellers = Array.from({ length: 40 }, (_, i) => intermittentSeries(60, 1000 * workspace + i + 1));
      const mixed = sellers.map((h, i) => (i % 4 === 0 ? h.map((value, t) => value * (90 + ((7 * t) % 20))) : h));
      const fit = fitTo(mixed);
      const ratioOf = (chosen: readonly Float64Array[]): number =>
        chosen.reduce((sum, h) => sum + forecastOf(h, fit, 1).mean[0]!, 0) /
        chosen.reduce((sum, h) => sum + total(h) / 60, 0);
      large += ratioOf(mixed.filter((_, i) => i % 4 === 0)) / 4;
      small += ratioOf(mixed.filter((_, i) => i % 4 !== 0)) / 4;
    }
    expect(Math.abs(large - 1)).toBeLessThan(0.1);
    expect(Math.abs(small - 1)).toBeLessThan(0.1);
  });

  it('expects less once demand has stopped, in a workspace where that happens', () => {
    const ending = (h: Float64Array, month: number): Float64Array => h.map((value, t) => (t < month ? value : 0));
    const mixed = fitTo(histories.map((h, i) => (i % 2 === 0 ? h : ending(h, 25 + (i % 20)))));
    const alive = forecastOf(histories[2]!, mixed, 1).mean[0]!;
    expect(forecastOf(ending(histories[2]!, 40), mixed, 1).mean[0]!).toBeLessThan(0.5 * alive);
  });

  it('learns almost nothing from identical series: the chance of demand is the common one', () => {
    const random = createRandom(8);
    const alike = Array.from({ length: 60 }, () => Float64Array.from({ length: 60 }, () => (random() < 0.4 ? 2 : 0)));
    const { learnt: learned, rates } = fitTo(alike);
    const features = new Float64Array(FEATURES);
    let chance = 0;
    for (const demand of alike) {
      writeFeatures({ ...exposed(demand), scale: 1, measured: false }, rates, features, 0);
      chance += BERNOULLI.expected(Math.log(0.4 / 0.6) + additiveScore(learned!.chance, features)) / alike.length;
    }
    expect(Math.abs(chance - 0.4)).toBeLessThan(0.04);
  });

  it('ignores empty and missing histories', () => {
    const missing = new Float64Array(40).fill(NaN);
    expect(fitTo([...histories, missing, new Float64Array()])).toEqual(fitTo(histories));
  });
});
