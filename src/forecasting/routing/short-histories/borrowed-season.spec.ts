import { describe, expect, it } from '@jest/globals';
import { monthNumber } from '../../calendar.js';
import { history } from '../../testing/series.js';
import { LEVELS } from '../../types.js';
import { borrowSeason, type SeasonalShape } from './borrowed-season.js';

const JANUARY = monthNumber(2020, 1);
/** Log effects of a wave that peaks in month `top` (January is 0) at `height` above its mean. */
const wave = (top: number, height = 0.7): number[] =>
  Array.from({ length: 12 }, (_, m) => height * Math.cos((2 * Math.PI * (m - top)) / 12));
const shapeOf = (effects: number[][], noise = 0.01): SeasonalShape => ({ series: effects.length, effects, noise });
const times = <T>(count: number, item: T): T[] => new Array<T>(count).fill(item);
/** `months` months from January on with that season, around 50. */
const sold = (effects: readonly number[], months: number) =>
  history(
    Float64Array.from({ length: months }, (_, t) => 50 * Math.exp(effects[t % 12]!)),
    { startMonth: JANUARY },
  );
/** Ratio of the July to the January factor. */
const julyOverJanuary = ({ factors }: { factors: Float64Array }) => factors[6]! / factors[0]!;

const SUMMER = wave(6);
const WINTER = wave(0);
const NONE = times(12, 0);
/** Two in three series sell in summer, the others in winter. */
const MIXED = shapeOf([...times(8, SUMMER), ...times(4, WINTER)]);

describe('the season that a short history borrows', () => {
  it('is that of the series that its months follow, however few they are', () => {
    for (const months of [3, 4, 8, 12]) {
      const winter = borrowSeason(MIXED, sold(WINTER, months))!;
      expect(julyOverJanuary(winter)).toBeCloseTo(Math.exp(-1.4), 2);
      expect(julyOverJanuary(borrowSeason(MIXED, sold(SUMMER, months))!)).toBeCloseTo(Math.exp(1.4), 2);
      expect(winter.probability).toBeGreaterThan(months < 4 ? 0.6 : 0.75);
    }
  });

  it('is the most common one after a single month, which follows none, and uncertain', () => {
    const season = borrowSeason(MIXED, sold(WINTER, 1))!;
    expect(julyOverJanuary(season)).toBeCloseTo(Math.exp(1.4), 9);
    expect(season.probability).toBeCloseTo(0.5, 9);
    const july = season.strays.subarray(6 * LEVELS, 7 * LEVELS);
    expect(july[0]).toBeCloseTo(-2.8, 9); // q10: winter instead of summer
    expect(july[LEVELS - 1]).toBeCloseTo(0, 9);
    expect(Math.max(...season.strays.subarray(0, LEVELS).map(Math.abs))).toBeCloseTo(0, 9); // all agree on January
  });

  it('has factors relative to the mean of the known months', () => {
    const { factors } = borrowSeason(MIXED, sold(SUMMER, 6))!;
    const known = factors.subarray(0, 6).reduce((sum, factor) => sum + Math.log(factor), 0);
    expect(known).toBeCloseTo(0, 9);
  });

  it('is improbable for a history that is smooth without it, and highly probable for one that is not', () => {
    expect(borrowSeason(shapeOf(times(8, SUMMER)), sold(NONE, 6))!.probability).toBeLessThan(0.01);
    expect(borrowSeason(shapeOf(times(8, SUMMER)), sold(SUMMER, 6))!.probability).toBeGreaterThan(0.99);
  });

  it('has its share of the workspace as prior, capped at nine in ten, and one half beyond a year', () => {
    const probability = (seasonalShare: number | undefined, months: number) =>
      borrowSeason(
        { ...MIXED, noise: 1e6, ...(seasonalShare !== undefined && { seasonalShare }) },
        sold(SUMMER, months),
      )!.probability;
    for (const months of [1, 12]) {
      expect(probability(undefined, months)).toBeCloseTo(0.5, 3);
      expect(probability(0.3, months)).toBeCloseTo(0.3, 3);
      expect(probability(0.99, months)).toBeCloseTo(0.9, 3);
    }
    expect(probability(0.99, 13)).toBeCloseTo(0.5, 3);
  });

  it('is less certain the noisier the series are', () => {
    const probability = (noise: number) => borrowSeason({ ...MIXED, noise }, sold(WINTER, 4))!.probability;
    expect(probability(0.01)).toBeGreaterThan(probability(0.1) + 0.05);
    expect(probability(100)).toBeCloseTo(0.5, 2);
  });

  it('gives equal weight to two kinds that fit equally well', () => {
    // both rise the same from January to March and then diverge
    const early = [...wave(6).slice(0, 3), ...times(9, 0)];
    const season = borrowSeason(shapeOf([...times(5, SUMMER), ...times(5, early)]), sold(SUMMER, 3))!;
    const july = season.strays.subarray(6 * LEVELS, 7 * LEVELS);
    expect(july[LEVELS - 1]! - july[0]!).toBeCloseTo(0.7, 9);
  });

  it('ignores missing months', () => {
    const values = Float64Array.from(sold(WINTER, 8).values, (value, t) => (t === 3 ? NaN : value));
    const season = borrowSeason(MIXED, history(values, { startMonth: JANUARY }))!;
    expect(julyOverJanuary(season)).toBeCloseTo(Math.exp(-1.4), 2);
  });

  it('is recognized from every other month, too', () => {
    const values = Float64Array.from(sold(WINTER, 11).values, (value, t) => (t % 2 === 1 ? NaN : value));
    const season = borrowSeason(MIXED, history(values, { startMonth: JANUARY }))!;
    expect(julyOverJanuary(season)).toBeCloseTo(Math.exp(-1.4), 2);
    expect(season.probability).toBeGreaterThan(0.9);
  });

  it.each([
    [[0, 0, 7]],
    [[5, 5, 5, 5]],
    [[1e-12, 1e12]],
    [[1e200, 2e200, 1e200]],
    [[1e308, 1e308, 1, 1e308]],
    [[Number.MIN_VALUE, 0, Number.MIN_VALUE]],
    [[Number.MIN_VALUE, 0]],
  ])('is finite for months of %p and series without noise', (values) => {
    const season = borrowSeason({ ...MIXED, noise: 0 }, history(values, { startMonth: JANUARY }))!;
    expect([...season.factors, ...season.strays, season.probability].every(Number.isFinite)).toBe(true);
  });

  it('is the same in any unit', () => {
    const inUnits = (scale: number) =>
      borrowSeason(
        MIXED,
        history(
          sold(WINTER, 5).values.map((v) => v * scale),
          { startMonth: JANUARY },
        ),
      )!;
    for (const scale of [1e-250, 1e-12, 1e12, 1e250]) {
      expect(inUnits(scale).probability).toBeCloseTo(inUnits(1).probability, 9);
    }
  });

  it('is null when no other series is known', () => {
    expect(borrowSeason({ series: 0 }, sold(SUMMER, 6))).toBeNull();
    expect(borrowSeason(shapeOf([SUMMER]), sold(SUMMER, 6), 0)).toBeNull();
  });

  it('is the common one for a pool stored by a release before 0.15.0', () => {
    const stored = { series: 9, factors: SUMMER.map(Math.exp), agreement: 0.9 };
    expect(julyOverJanuary(borrowSeason(stored, sold(SUMMER, 6))!)).toBeCloseTo(Math.exp(1.4), 9);
  });
});
