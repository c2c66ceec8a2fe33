import { describe, expect, it } from '@jest/globals';
import { createRandom } from '../../../numeric/random.js';
import { LEVELS, MEDIAN, type QuantileForecast } from '../../types.js';
import { learnLevelWeight, type LevelCase, recentLevel, towardLevel } from './recent-level.js';

const HORIZON = 12;

/** Medians by month, and quantiles 1 apart. */
const forecastOf = (medians: readonly number[]): QuantileForecast => ({
  mean: Float64Array.from(medians, (median) => median + 0.5),
  quantiles: Float64Array.from(
    medians.flatMap((median) => Array.from({ length: LEVELS }, (_, j) => median + j - MEDIAN)),
  ),
});
const rising = forecastOf(Array.from({ length: HORIZON }, (_, k) => 100 + 5 * k));

describe('the recent level', () => {
  it('is the mean of the last six observed months', () => {
    expect(recentLevel(Float64Array.of(900, 1, 2, NaN, 3, 4, NaN, 5, 6, NaN))).toBe(3.5);
    expect(recentLevel(Float64Array.of(NaN, 8, 4))).toBe(6);
  });

  it('draws the median of each month by the weight, and the other quantiles and the mean as far', () => {
    const { mean, quantiles } = towardLevel(forecastOf([100, 140]), 80, 0.25);
    expect([...mean]).toEqual([95.5, 125.5]);
    expect([...quantiles]).toEqual([...forecastOf([95, 125]).quantiles]);
  });

  it('leaves the forecast itself as it is', () => {
    const forecast = forecastOf([100, 140]);
    towardLevel(forecast, 80, 0.5);
    expect(forecast).toEqual(forecastOf([100, 140]));
  });
});

describe('the learned weight of the recent level', () => {
  const noise = createRandom(5);
  const casesOf = (count: number, actual: (k: number, rank: number) => number, scale = 1): LevelCase[] =>
    Array.from({ length: count }, (_case, i) => ({
      forecastBy: (weight) => towardLevel(rising, 100, weight),
      actual: Float64Array.from({ length: HORIZON }, (_, k) => actual(k, i / (count - 1)) + noise()),
      scale,
    }));

  it('is the largest, .6, where demand stays at its level, and none where it goes on as forecast', () => {
    expect(learnLevelWeight(casesOf(60, () => 100))).toBe(0.6);
    expect(learnLevelWeight(casesOf(60, (k) => 100 + 5 * k))).toBe(0);
  });

  it('is in between where demand is', () => {
    const weight = learnLevelWeight(casesOf(400, (k) => 100 + 3.5 * k));
    expect(weight).toBeGreaterThan(0.1);
    expect(weight).toBeLessThan(0.35);
  });

  it('is smaller the fewer cases say so, and none under eight', () => {
    const weightOf = (count: number) => learnLevelWeight(casesOf(count, (k, rank) => 100 + 5 * rank * k));
    const weights = [8, 20, 200].map(weightOf);
    expect(weights[0]).toBeLessThan(weights[1]!);
    expect(weights[1]).toBeLessThan(weights[2]!);
    expect(learnLevelWeight(casesOf(7, () => 100))).toBe(0);
  });

  it('is less than would have been best, .2, even of a thousand cases', () => {
    const weight = learnLevelWeight(casesOf(1000, (k, rank) => 100 + 8 * rank * k));
    expect(weight).toBeGreaterThan(0);
    expect(weight).toBeLessThan(0.2);
  });

  it('counts each series in units of its scale, and none without a scale or without a month since', () => {
    const [staying, going] = [casesOf(30, () => 100, 100), casesOf(30, (k) => 100 + 5 * k)];
    expect(learnLevelWeight([...staying, ...going])).toBe(0);
    const useless = [...casesOf(30, (k) => 100 + 5 * k, NaN), ...casesOf(30, () => NaN)];
    const told = casesOf(60, () => 100);
    expect(learnLevelWeight([...useless, ...told])).toBe(learnLevelWeight(told));
  });
});
