import { describe, expect, it } from '@jest/globals';
import { createRandom } from '../../../numeric/random.js';
import { monthNumber } from '../../calendar.js';
import { poolWorkspace } from '../../pool-workspace.js';
import { NORMAL_QUANTILES } from '../../quantiles/normal-quantiles.js';
import { DEFAULT_SETTINGS } from '../../settings.js';
import { LEVELS } from '../../types.js';
import { poolShapes, type ShapeDonor } from './seasonal-shapes.js';
import { learnShortSpreads, levelWeightFor, ratiosFor, shortCalibration, type ShortSpreads } from './short-spreads.js';

const JANUARY = monthNumber(2020, 1);
const { calendar } = poolWorkspace([], DEFAULT_SETTINGS).origins[0]!;
const learn = (donors: readonly ShapeDonor[]): ShortSpreads =>
  learnShortSpreads(donors, poolShapes(donors), calendar, 1);
const FLAT = new Float64Array(12);

/** Donors without a season; month t of donor i is `value(t, i)`. */
const donorsOf = (count: number, months: number, value: (t: number, i: number) => number): ShapeDonor[] =>
  Array.from({ length: count }, (_, i) => ({
    category: undefined,
    seasonal: FLAT,
    values: Float64Array.from({ length: months }, (_month, t) => value(t, i)),
    startMonth: JANUARY,
  }));

describe('the spread around the level of a new item', () => {
  const rows = (ratios: readonly number[]) =>
    [0, 1, 2].map((third) =>
      ratios.slice(third * LEVELS, (third + 1) * LEVELS).map((ratio) => Number(ratio.toFixed(9))),
    );

  it('is how far a year starting in each quarter strays from the months before it, by thirds of the year', () => {
    // Demand doubles after 24 months, a year before the end: at the start of one year and after 3, 6 and 9 months of the others.
    const spreads = learn(donorsOf(16, 36, (t) => (t < 24 ? 50 : 100)));
    for (const observed of [1, 2, 3]) {
      expect(rows(ratiosFor(spreads, observed))).toEqual([
        [1, 1, 1, 1, 1, 1, 2, 2, 2],
        [1, 1, 1, 2, 2, 2, 2, 2, 2],
        [2, 2, 2, 2, 2, 2, 2, 2, 2],
      ]);
    }
  });

  it('is wider the fewer months the level is based on', () => {
    const random = createRandom(7);
    const spreads = learn(donorsOf(40, 48, () => 100 * (0.6 + 0.8 * random())));
    const width = (observed: number) => Math.log(ratiosFor(spreads, observed)[8]! / ratiosFor(spreads, observed)[0]!);
    expect(width(1)).toBeGreaterThan(1.1 * width(2));
    expect(width(2)).toBeGreaterThan(1.05 * width(3));
  });

  it('includes the uncertainty of a borrowed season', () => {
    const ofSeason = (height: number): ShapeDonor => {
      const seasonal = Float64Array.from({ length: 12 }, (_, month) => height * Math.cos((Math.PI * month) / 6));
      const values = Float64Array.from({ length: 36 }, (_, t) => 50 * Math.exp(seasonal[t % 12]!));
      return { category: undefined, seasonal, values, startMonth: JANUARY };
    };
    const alike = learn(Array.from({ length: 16 }, () => ofSeason(0.7)));
    // apart from the 10 % chance that it is of another kind
    expect(Math.min(...alike.ratios.flat())).toBeGreaterThan(0.75);
    expect(Math.max(...alike.ratios.flat())).toBeLessThan(1.1);
    // a single month reveals no season
    const unlike = learn(Array.from({ length: 30 }, (_, i) => ofSeason(i % 2 === 0 ? 0.7 : -0.7)));
    expect(ratiosFor(unlike, 1)[0]).toBeLessThan(0.5);
    expect(ratiosFor(unlike, 3)[0]).toBeGreaterThan(0.9);
  });

  it('is about a factor of two either way with few series, or none', () => {
    const usual = Array.from({ length: 3 * LEVELS }, (_, i) => Math.exp(0.55 * NORMAL_QUANTILES[i % LEVELS]!));
    expect(ratiosFor(learn(donorsOf(14, 36, () => 50)), 2)).toEqual(usual);
    expect(ratiosFor(undefined, 3)).toEqual(usual);
  });

  it('ignores series without demand before the last year, or too short to have a level', () => {
    const started = donorsOf(20, 36, (t) => (t < 24 ? 0 : 150));
    const short = donorsOf(20, 12, () => 90);
    const { ratios } = learn([...donorsOf(20, 36, () => 50), ...started, ...short]);
    expect(ratios.flat()).toEqual(new Array<number>(81).fill(1));
  });
});

describe('the calibration of histories of less than a year', () => {
  /** Changes to another level every 10 months, up or down by a factor of up to `jump`. */
  const jumping = (jump: number): ShapeDonor[] => {
    const random = createRandom(3);
    const levels = Array.from({ length: 40 }, () => Array.from({ length: 6 }, () => 100 * jump ** (2 * random() - 1)));
    return donorsOf(40, 60, (t, i) => levels[i]![Math.floor((t + i) / 10) % 6]! * (0.98 + 0.04 * random()));
  };

  it('widens intervals when demand in the workspace moves more than such histories show', () => {
    const [calm, wild] = [learn(jumping(1)), learn(jumping(4))];
    for (const observed of [4, 5, 6, 12]) {
      const third = (spreads: ShortSpreads) => shortCalibration(spreads, observed)![2];
      expect(third(wild)).toBeGreaterThan(1.2);
      expect(third(wild)).toBeGreaterThan(third(calm) + 0.2);
    }
  });

  it('is absent from a year on or when nothing was learned, and neutral with too few series', () => {
    const spreads = learn(jumping(4));
    expect(shortCalibration(spreads, 13)).toBeUndefined();
    expect(shortCalibration(undefined, 6)).toBeUndefined();
    expect(shortCalibration(learn([]), 6)).toEqual([1, 1, 1]);
  });
});

describe('the weight of the recent level in forecasts of half a year to a year', () => {
  const random = createRandom(11);
  const steady = donorsOf(20, 48, () => 100 * (0.8 + 0.4 * random()));

  it('is learned from half a year on where demand stays at its level, and fades from 8 to 13 months', () => {
    const spreads = learn(steady);
    const weight = spreads.levelWeight;
    expect(weight).toBeGreaterThan(0.1);
    const weights = [5, 6, 8, 9, 12, 13].map((observed) => levelWeightFor(spreads, observed) / weight);
    expect(weights).toEqual([0, 1, 1, 0.8, 0.2, 0].map((share) => expect.closeTo(share, 12)));
  });

  it('is none where demand goes on growing, and where nothing was learned', () => {
    const growing = donorsOf(20, 48, (t) => 100 * 1.03 ** t);
    expect(levelWeightFor(learn(growing), 8)).toBe(0);
    expect(levelWeightFor(learn([]), 6)).toBe(0);
    expect(levelWeightFor(undefined, 6)).toBe(0);
  });
});
