import { describe, expect, it } from '@jest/globals';
import { createRandom } from '../numeric/random.js';
import { intermittentSeries } from '../testing/series.js';
import { MEDIAN } from '../types.js';
import { countDemand } from './demand-units.js';
import { fitIntermittent, forecastIntermittent } from './model.js';
import { fitQuasiPoisson } from './quasi-poisson.js';

describe('countDemand', () => {
  it.each([
    ['pieces', [0, 2, 3, 0, 5, 1, 4, 7, 2, 6], 1],
    ['packs of 12', [0, 12, 24, 0, 36, 12, 24, 60, 12, 12], 12],
    ['half metres', [0, 0.5, 1.5, 0, 2, 0.5, 1, 2.5, 3, 0.5], 0.5],
    ['few orders of five: still pieces', [0, 5, 0, 0, 10, 0], 1],
    ['no demand', [0, 0, 0], 1],
  ])('counts %s', (_label, values, unit) => {
    const counted = countDemand(Float64Array.from(values));
    expect(counted.unit).toBeCloseTo(unit, 12);
    values.forEach((value, t) => expect(counted.counts[t]! * unit).toBeCloseTo(value, 9));
  });

  it('measures demand without a common step in twentieths of its mean size', () => {
    const values = Float64Array.of(0, Math.PI, 0, Math.E, Math.SQRT2, 0);
    expect(countDemand(values).unit).toBeCloseTo((Math.PI + Math.E + Math.SQRT2) / 60, 12);
  });

  it('leaves gaps out and takes returns for no demand', () => {
    expect(Array.from(countDemand(Float64Array.of(1, NaN, -2, 3)).counts)).toEqual([1, 0, 3]);
  });
});

describe('fitQuasiPoisson', () => {
  it('recovers the coefficients that generated the means', () => {
    const random = createRandom(4);
    const count = 400;
    const rows = new Float64Array(2 * count);
    const responses = new Float64Array(count);
    for (let r = 0; r < count; r++) {
      rows[2 * r] = 1;
      rows[2 * r + 1] = 2 * random() - 1;
      responses[r] = Math.exp(0.4 + 0.8 * rows[2 * r + 1]!);
    }
    const beta = fitQuasiPoisson(rows, responses, 2, 1e-6, 0.5);
    expect(beta[0]).toBeCloseTo(0.4, 4);
    expect(beta[1]).toBeCloseTo(0.8, 4);
  });
});

describe('the intermittent model', () => {
  const histories = Array.from({ length: 40 }, (_, i) => intermittentSeries(60, i + 1));
  const model = fitIntermittent(histories);

  it('forecasts the mean demand of a workspace without bias', () => {
    const total = (sum: number, value: number): number => sum + value;
    const expected = histories.map((h) => h.reduce(total, 0) / 60).reduce(total, 0);
    const forecast = histories.map((h) => forecastIntermittent(h, model, 1).mean[0]!).reduce(total, 0);
    expect(Math.abs(forecast / expected - 1)).toBeLessThan(0.15);
  });

  it('has real intervals: zero in the middle, demand at the top', () => {
    const { quantiles } = forecastIntermittent(histories[0]!, model, 1);
    expect(quantiles[MEDIAN]).toBe(0);
    expect(quantiles[8]!).toBeGreaterThan(0);
  });

  it('counts in the unit of the series', () => {
    const pieces = forecastIntermittent(histories[1]!, model, 2);
    const dozens = forecastIntermittent(
      histories[1]!.map((value) => value * 12),
      model,
      2,
    );
    expect(Array.from(dozens.quantiles)).toEqual(Array.from(pieces.quantiles, (value) => value * 12));
  });

  it('stays near the own level of a series that sells a thousand times more than the workspace', () => {
    const large = histories[3]!.map((value) => 1000 * value + 7);
    const own = large.reduce((sum, value) => sum + value, 0) / large.length;
    const { mean } = forecastIntermittent(large, fitIntermittent([...histories, large]), 1);
    expect(mean[0]! / own).toBeGreaterThan(0.5);
    expect(mean[0]! / own).toBeLessThan(2);
  });

  it('reads a model that was stored with fewer coefficients as if the others were 0', () => {
    const fewer = { ...model, coefficients: model.coefficients!.slice(0, 7) };
    const padded = { ...model, coefficients: [...fewer.coefficients, 0, 0, 0, 0] };
    expect(forecastIntermittent(histories[0]!, fewer, 1)).toEqual(forecastIntermittent(histories[0]!, padded, 1));
  });

  it('expects less when demand has stopped, in a workspace where that happens', () => {
    const ending = (h: Float64Array, month: number): Float64Array => h.map((value, t) => (t < month ? value : 0));
    const mixed = fitIntermittent(histories.map((h, i) => (i % 2 === 0 ? h : ending(h, 25 + (i % 20)))));
    const alive = forecastIntermittent(histories[2]!, mixed, 1).mean[0]!;
    expect(forecastIntermittent(ending(histories[2]!, 40), mixed, 1).mean[0]!).toBeLessThan(0.5 * alive);
  });
});
