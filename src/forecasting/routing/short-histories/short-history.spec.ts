import { describe, expect, it } from '@jest/globals';
import { monthNumber } from '../../calendar.js';
import { meanObserved } from '../../missing.js';
import { poolWorkspace } from '../../pool-workspace.js';
import { DEFAULT_SETTINGS } from '../../settings.js';
import { history } from '../../testing/series.js';
import { LEVELS, MEDIAN } from '../../types.js';
import { borrowSeason, type BorrowedSeason } from './borrowed-season.js';
import { shortForecaster } from './short-history.js';

const JANUARY = monthNumber(2020, 1);
const HORIZON = 12;
const { calendar } = poolWorkspace([], DEFAULT_SETTINGS).origins[0]!;
/** Peaks in July. */
const SUMMER = Array.from({ length: 12 }, (_, m) => 0.7 * Math.cos((2 * Math.PI * (m - 6)) / 12));
const shape = { series: 8, effects: new Array<number[]>(8).fill(SUMMER), noise: 0.001 };
const garden = (months: number) =>
  history(
    Float64Array.from({ length: months }, (_, t) => 50 * Math.exp(SUMMER[t % 12]!)),
    { startMonth: JANUARY },
  );
const forecast = (known: ReturnType<typeof garden>, season: BorrowedSeason | null, levelWeight = 0) =>
  shortForecaster(known, season, { prior: calendar, horizon: HORIZON, seed: 1 })(levelWeight);

describe('the forecast for a history of less than two years', () => {
  it.each([4, 6, 12, 18])('has the borrowed season: %i months', (months) => {
    const known = garden(months);
    const { quantiles } = forecast(known, borrowSeason(shape, known));
    for (let k = 0; k < HORIZON; k++) {
      const median = quantiles[k * LEVELS + MEDIAN]!;
      expect(Math.abs(Math.log(median / (50 * Math.exp(SUMMER[(months + k) % 12]!))))).toBeLessThan(0.15);
    }
  });

  it('is that of the unadjusted history when the months contradict the season, or none is known', () => {
    const flat = history([50, 51, 49, 50, 51, 50], { startMonth: JANUARY });
    const without = forecast(flat, null);
    const { quantiles } = forecast(flat, borrowSeason(shape, flat));
    quantiles.forEach((quantile, i) => expect(quantile / without.quantiles[i]!).toBeCloseTo(1, 2));
  });

  it('is wider the less certain the season is', () => {
    const known = garden(6);
    const sure = borrowSeason(shape, known)!;
    const strays = Float64Array.from({ length: 12 * LEVELS }, (_, i) => 0.2 * ((i % LEVELS) - MEDIAN));
    const [narrow, wide] = [forecast(known, sure), forecast(known, { ...sure, strays })];
    for (let k = 0; k < HORIZON; k++) {
      const middle = wide.quantiles[k * LEVELS + MEDIAN]!;
      expect(middle).toBeCloseTo(narrow.quantiles[k * LEVELS + MEDIAN]!, 9);
      // e^.8 - 1 of the median exceeds the uncertainty of the network
      expect(wide.quantiles[k * LEVELS + LEVELS - 1]! / middle).toBeGreaterThan(2.2);
      expect(wide.quantiles[k * LEVELS]! / middle).toBeLessThan(0.5);
    }
    expect(narrow.quantiles[LEVELS - 1]! / narrow.quantiles[MEDIAN]!).toBeLessThan(1.5);
  });

  it('is the recent level with the borrowed season where that level has all the weight, and half way there with half of it', () => {
    const known = history(
      garden(8).values.map((value, t) => value * (1 + t / 20)),
      { startMonth: JANUARY },
    );
    const season = { ...borrowSeason(shape, known)!, probability: 0.75 };
    const seasonless = known.values.map((value, t) => value / season.factors[t]!);
    const [none, half, all] = [0, 0.5, 1].map((weight) => forecast(known, season, weight).quantiles);
    const changes: number[] = [];
    for (let k = 0; k < HORIZON; k++) {
      const [m0, m1, m2] = [none, half, all].map((quantiles) => quantiles![k * LEVELS + MEDIAN]!);
      const level =
        meanObserved(known.values, 2) / 4 + 0.75 * meanObserved(seasonless, 2) * season.factors[(8 + k) % 12]!;
      expect(m2).toBeCloseTo(level, 9);
      expect(m1).toBeCloseTo((m0! + m2!) / 2, 9);
      changes.push(Math.abs(m2! / m0! - 1));
    }
    expect(Math.max(...changes)).toBeGreaterThan(0.05);
  });

  it('has ordered quantiles, however different the seasons are', () => {
    const known = garden(5);
    const strays = Float64Array.from({ length: 12 * LEVELS }, (_, i) => (i % LEVELS) - MEDIAN);
    const { quantiles } = forecast(known, { ...borrowSeason(shape, known)!, strays });
    for (let i = 0; i < quantiles.length; i++) {
      if (i % LEVELS > 0) expect(quantiles[i]).toBeGreaterThanOrEqual(quantiles[i - 1]!);
    }
  });
});
