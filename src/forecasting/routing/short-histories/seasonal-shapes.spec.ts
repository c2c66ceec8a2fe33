import { describe, expect, it } from '@jest/globals';
import { monthNumber } from '../../calendar.js';
import { history } from '../../testing/series.js';
import { borrowedShape, poolShapes, type ShapeDonor } from './seasonal-shapes.js';

const JANUARY = monthNumber(2020, 1);
const times = (count: number, item: number): number[] => new Array<number>(count).fill(item);

/** Three years from January on with 50 a month, `peak` times as much in December, plus `noise` every other month. */
function donor(category: string | undefined, peak: number, noise = 0): ShapeDonor {
  const seasonal = Float64Array.from({ length: 12 }, (_, month) => (month === 11 ? Math.log(peak) : 0));
  const values = Float64Array.from({ length: 36 }, (_, t) => (50 + (t % 2) * noise) * (t % 12 === 11 ? peak : 1));
  return { category, seasonal, values, startMonth: JANUARY };
}

const donors = (count: number, category: string | undefined, peak: number, noise = 0) =>
  Array.from({ length: count }, () => donor(category, peak, noise));

describe('poolShapes', () => {
  const { shapes } = poolShapes([...donors(5, 'toys', 8), ...donors(4, 'books', 3), ...donors(3, undefined, 1)]);

  it('has a shape for each category of at least five series, and one for all', () => {
    expect(Object.keys(shapes.categories)).toEqual(['toys']);
    expect(shapes.categories['toys']!.series).toBe(5);
    expect(shapes.workspace.series).toBe(12);
  });

  it('keeps the season of each series to a ten-thousandth, and a sample when there are many', () => {
    const december = shapes.workspace.effects!.map((effects) => effects[11]);
    expect(december).toEqual([...times(5, 2.0794), ...times(4, 1.0986), ...times(3, 0)]);
    const many = poolShapes(donors(1000, undefined, 3)).shapes.workspace;
    expect(many).toMatchObject({ series: 1000, effects: { length: 240 } });
  });

  it('measures the noise of the series as the residual of their seasons', () => {
    expect(poolShapes(donors(5, 'toys', 8)).shapes.workspace.noise).toBeCloseTo(0, 12);
    // alternately 50 and 60: every change is 10, the mean 55
    expect(poolShapes(donors(5, 'toys', 8, 10)).shapes.workspace.noise).toBeCloseTo((10 / 55) ** 2, 3);
  });

  it('estimates the share of series whose season is shared by others', () => {
    const shareOf = (all: ShapeDonor[]): number => poolShapes(all).shapes.workspace.seasonalShare!;
    expect(shareOf(donors(30, 'toys', 8))).toBeCloseTo(31 / 32, 2);
    // bolts resemble the half without a season, or none: a third of them count as seasonal
    expect(shareOf([...donors(15, 'toys', 8), ...donors(15, 'bolts', 1)])).toBeCloseTo(2 / 3, 1);
    // the season of the only toy is not shared by any other
    expect(shareOf([donor('toys', 8), ...donors(15, 'bolts', 1)])).toBeLessThan(0.5);
  });

  it('has no season with fewer than five series', () => {
    expect(poolShapes(donors(4, 'toys', 8)).shapes).toEqual({ workspace: { series: 0 }, categories: {} });
  });

  it('gives a series the shape of its category, or else that of the workspace', () => {
    expect(borrowedShape(shapes, 'toys')).toBe(shapes.categories['toys']);
    expect(borrowedShape(shapes, 'books')).toBe(shapes.workspace);
    expect(borrowedShape(shapes, undefined)).toBe(shapes.workspace);
    expect(borrowedShape(shapes, 'constructor')).toBe(shapes.workspace);
  });

  it('computes what a donor would borrow if its own season were unknown', () => {
    const all = [...donors(6, 'toys', 1), donor('toys', 8)];
    const { seasonWithout } = poolShapes(all);
    const peakOf = (one: ShapeDonor): number => {
      const { factors } = seasonWithout(one, history(one.values.subarray(6, 12), { startMonth: JANUARY + 6 }))!;
      return factors[11]! / factors[6]!;
    };
    // the only series with a peak finds no other with one, and its season does not fit the others
    expect(peakOf(all[6]!)).toBeCloseTo(1, 9);
    expect(peakOf(all[0]!)).toBeCloseTo(1, 9);
  });
});
