import { describe, expect, it } from '@jest/globals';
import { monthNumber } from '../calendar.js';
import { NORMAL_QUANTILES } from '../quantiles/normal-quantiles.js';
import { LEVELS } from '../types.js';
import { borrowedShape, poolShapes, type ShapeDonor } from './category-shape.js';

const FLAT = new Array<number>(12).fill(1);

const JANUARY = monthNumber(2020, 1);

/** Three years, from January on, of 50 a month and `peak` times as much in December; `after` times as much in the last year. */
function donor(category: string | undefined, peak: number, after = 1): ShapeDonor {
  const seasonal = Float64Array.from({ length: 12 }, (_, month) => (month === 11 ? Math.log(peak) : 0));
  const values = Float64Array.from({ length: 36 }, (_, t) => 50 * (t % 12 === 11 ? peak : 1) * (t < 24 ? 1 : after));
  return { category, seasonal, values, startMonth: JANUARY };
}

const donors = (count: number, category: string | undefined, peak: number, after = 1) =>
  Array.from({ length: count }, () => donor(category, peak, after));

/** December over any other month. */
const peakOf = ({ factors }: { factors: readonly number[] }) => factors[11]! / factors[0]!;

describe('poolShapes', () => {
  const shapes = poolShapes([...donors(5, 'toys', 8), ...donors(4, 'books', 3), ...donors(3, undefined, 1)]);

  it('has a shape for each category of five series and more, and one of all', () => {
    expect(Object.keys(shapes.categories)).toEqual(['toys']);
    expect(shapes.categories['toys']!.series).toBe(5);
    expect(peakOf(shapes.categories['toys']!)).toBeCloseTo(8, 9);
    expect(shapes.workspace.series).toBe(12);
    // The median of five times 8, four times 3 and three times 1.
    expect(peakOf(shapes.workspace)).toBeCloseTo(3, 9);
  });

  it('has factors whose geometric mean is one', () => {
    const logarithms = shapes.categories['toys']!.factors.map(Math.log);
    expect(logarithms.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 12);
  });

  it('is flat, with a spread of about two either way, where fewer than five series tell', () => {
    const few = poolShapes(donors(4, 'toys', 8));
    expect(few.workspace).toEqual({ factors: FLAT, series: 0 });
    expect(few.categories).toEqual({});
    const usual = Array.from(NORMAL_QUANTILES, (z) => Math.exp(0.55 * z));
    expect(few.ratios).toEqual([...usual, ...usual, ...usual]);
  });

  it('measures how a year that starts in each quarter strays from the three months before it, by thirds of the year', () => {
    // Demand doubles after 24 months, a year before the end: at the start of one year, and after 3, 6 and 9 months of the others.
    const { ratios } = poolShapes(donors(16, 'a', 8, 2));
    const row = (third: number) =>
      ratios.slice(third * LEVELS, (third + 1) * LEVELS).map((ratio) => Number(ratio.toFixed(9)));
    expect(row(0)).toEqual([1, 1, 1, 1, 1, 1, 2, 2, 2]);
    expect(row(1)).toEqual([1, 1, 1, 2, 2, 2, 2, 2, 2]);
    expect(row(2)).toEqual([2, 2, 2, 2, 2, 2, 2, 2, 2]);
  });

  it('counts a season other than the borrowed one as spread', () => {
    const ofSeason = (category: string, height: number): ShapeDonor => {
      const seasonal = Float64Array.from({ length: 12 }, (_, month) => height * Math.cos((Math.PI * month) / 6));
      const values = Float64Array.from({ length: 36 }, (_, t) => 50 * Math.exp(seasonal[t % 12]!));
      return { category, seasonal, values, startMonth: JANUARY };
    };
    const shared = Array.from({ length: 16 }, () => ofSeason('garden', 0.7));
    const alike = poolShapes([...shared, ...donors(15, 'toys', 1)]);
    for (const ratio of alike.ratios) expect(ratio).toBeCloseTo(1, 9);
    const unlike = poolShapes([...shared, ...Array.from({ length: 15 }, () => ofSeason('garden', 0))]);
    expect(unlike.ratios[0]).toBeLessThan(0.6);
    expect(unlike.ratios[LEVELS - 1]).toBeGreaterThan(1.6);
  });

  it('takes no ratio from a series without demand before the last year, or too short to have a level', () => {
    const started = donors(20, 'a', 1).map((one) => ({
      ...one,
      values: one.values.map((value, t) => (t < 24 ? 0 : 3 * value)),
    }));
    const short = donors(20, 'a', 1).map((one) => ({ ...one, values: one.values.slice(0, 14) }));
    const { ratios } = poolShapes([...donors(15, 'a', 1), ...started, ...short]);
    expect(ratios).toEqual(new Array<number>(27).fill(1));
  });

  it('gives a series the shape of its category, else that of the workspace', () => {
    expect(borrowedShape(shapes, 'toys')).toBe(shapes.categories['toys']);
    expect(borrowedShape(shapes, 'books')).toBe(shapes.workspace);
    expect(borrowedShape(shapes, undefined)).toBe(shapes.workspace);
    expect(borrowedShape(shapes, 'constructor')).toBe(shapes.workspace);
  });
});
