import { describe, expect, it } from '@jest/globals';
import { createRandom } from '../../numeric/random.js';
import { gatheredInSeason, sellingSeason } from './selling-season.js';
import { LEVELS } from '../types.js';

const history = (months: number, demand: (t: number) => number): Float64Array =>
  Float64Array.from({ length: months }, (_, t) => demand(t));
const months = (season: readonly boolean[] | undefined): number[] | undefined =>
  season?.flatMap((sells, i) => (sells ? [i] : []));

describe('sellingSeason', () => {
  it.each([
    ['the month before Christmas, after four years', 48, (t: number) => (t % 12 === 10 ? 500 : 0), [10]],
    ['one quarter, after three years', 36, (t: number) => ([5, 6, 7].includes(t % 12) ? 3 + t : 0), [5, 6, 7]],
    ['every third month', 40, (t: number) => (t % 3 === 0 ? 90 : 0), [0, 3, 6, 9]],
    ['summer and once in another month', 48, (t: number) => (t % 12 < 4 || t === 20 ? 80 : 0), [0, 1, 2, 3, 8]],
    ['summer, apart from single pieces', 60, (t: number) => (t % 12 < 4 ? 80 : t % 7 === 3 ? 2 : 0), [0, 1, 2, 3]],
  ])('recognizes items that sell in %s', (_, length, demand, season) => {
    expect(months(sellingSeason(history(length, demand)))).toEqual(season);
  });

  it.each([
    ['orders in any month', 60, (t: number) => ((t * 7) % 5 === 0 ? 4 : 0)],
    ['demand in every month', 60, (t: number) => 100 + t],
    ['no demand', 60, () => 0],
    ['two years', 30, (t: number) => (t % 12 < 3 ? 50 : 0)],
    ['one month of three years', 36, (t: number) => (t % 12 === 10 ? 500 : 0)],
    ['a season that has stopped', 60, (t: number) => (t % 12 < 3 && t < 44 ? 50 : 0)],
    ['nothing observed', 60, () => NaN],
  ])('finds none in %s', (_, length, demand) => {
    expect(sellingSeason(history(length, demand))).toBeUndefined();
  });

  it('mistakes random orders for a season less than once in a thousand', () => {
    const random = createRandom(4);
    const found = Array.from({ length: 4_000 }, (_, i) => {
      const rate = 0.05 + 0.15 * (i % 6);
      return sellingSeason(history(48, () => (random() < rate ? 1 : 0)));
    }).filter((season) => season !== undefined);
    expect(found.length).toBeLessThan(4);
  });
});

describe('gatheredInSeason', () => {
  it('assigns the demand of a usual year to the months of the season, shaped and spread like the forecast', () => {
    const values = history(39, (t) => (t % 4 === 1 ? 20 : 0));
    const quantiles = Float64Array.from({ length: 12 * LEVELS }, (_, i) => 0.5 * (1 + (i % LEVELS)));
    const whole = { mean: Float64Array.from({ length: 12 }, (_, k) => (k < 6 ? 5 : 2.5)), quantiles };
    const gathered = gatheredInSeason(whole, values, sellingSeason(values)!, 8);
    expect([...gathered.mean]).toEqual([0, 0, 30, 0, 0, 0, 15, 0]);
    expect([...gathered.quantiles.subarray(2 * LEVELS, 3 * LEVELS)]).toEqual([3, 6, 9, 12, 15, 18, 21, 24, 27]);
  });

  it.each([
    ['gives several months the variance of the whole year', (t: number) => (t % 4 === 1 ? 20 : 0), 10 * 2],
    ['leaves a single month the spread of its level', (t: number) => (t % 12 === 5 ? 20 : 0), 10],
  ])('%s', (_, demand, largest) => {
    const values = history(48, demand);
    const quantiles = Float64Array.from({ length: 12 * LEVELS }, (__, i) => 20 + 10 * ((i % LEVELS) / 4 - 1));
    const whole = { mean: new Float64Array(12).fill(20), quantiles };
    const { mean, quantiles: gathered } = gatheredInSeason(whole, values, sellingSeason(values)!, 12);
    const deviations = Array.from({ length: 12 }, (__, k) =>
      [0, 4, 8].map((level) => gathered[k * LEVELS + level]! - mean[k]!),
    );
    const inSeason = deviations.filter((___, k) => mean[k]! > 0);
    expect(inSeason.length).toBeGreaterThan(0);
    for (const month of inSeason) expect(month).toEqual([-largest, 0, largest]);
  });

  it('has finite quantiles for the largest numbers', () => {
    const values = history(48, (t) => (t % 4 === 1 ? 1e300 : 0));
    const quantiles = Float64Array.from({ length: 12 * LEVELS }, (_, i) => 1e299 * ((i % LEVELS) + 1));
    const whole = { mean: new Float64Array(12).fill(5e299), quantiles };
    const gathered = gatheredInSeason(whole, values, sellingSeason(values)!, 12);
    expect([...gathered.mean, ...gathered.quantiles].every(Number.isFinite)).toBe(true);
    expect(gathered.quantiles.some((value) => value > 0)).toBe(true);
  });

  it('does not divide by a mean that is negligible beside its quantiles', () => {
    const values = history(48, (t) => (t % 4 === 1 ? 20 : 0));
    const quantiles = Float64Array.from({ length: 12 * LEVELS }, (_, i) => (i % LEVELS === LEVELS - 1 ? 40 : -5));
    const whole = { mean: new Float64Array(12).fill(0.001), quantiles };
    const gathered = gatheredInSeason(whole, values, sellingSeason(values)!, 12);
    expect(Math.max(...gathered.quantiles)).toBeLessThanOrEqual(10 * 60);
    expect(gathered.mean.reduce((sum, value) => sum + value, 0)).toBeCloseTo(60, 6);
  });
});
