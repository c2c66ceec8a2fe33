import { describe, expect, it } from '@jest/globals';
import { countDemand } from './demand-units.js';

describe('countDemand', () => {
  it.each([
    ['pieces', [0, 2, 3, 0, 5, 1, 4, 7, 2, 6], 1],
    ['packs of 12', [0, 12, 24, 0, 36, 12, 24, 60, 12, 12], 12],
    ['half meters', [0, 0.5, 1.5, 0, 2, 0.5, 1, 2.5, 3, 0.5], 0.5],
    ['few orders of five: still pieces', [0, 5, 0, 0, 10, 0], 1],
    ['no demand', [0, 0, 0], 1],
  ])('counts %s', (_label, values, unit) => {
    const counted = countDemand(Float64Array.from(values));
    expect(counted.unit).toBeCloseTo(unit, 12);
    expect(counted.measured).toBe(false);
    values.forEach((value, t) => expect(counted.counts[t]! * unit).toBeCloseTo(value, 9));
  });

  it('measures demand without a common step in twentieths of its mean size', () => {
    const values = Float64Array.of(0, Math.PI, 0, Math.E, Math.SQRT2, 0);
    const { unit, measured } = countDemand(values);
    expect(unit).toBeCloseTo((Math.PI + Math.E + Math.SQRT2) / 60, 12);
    expect(measured).toBe(true);
  });

  it.each([
    ['one order is a hundredth off', [0, 2, 3, 1.01, 0, 4], [0, 2, 3, 1, 0, 4]],
    ['one is off by no fraction of pieces', [0, 2, 0, Math.PI], [0, 2, 0, 3]],
    ['a month keeps what a correction left of a piece', [1, 3, 0.02, NaN, 2], [1, 3, 0, NaN, 2]],
  ])('counts pieces where %s', (_label, values, counts) => {
    expect(countDemand(Float64Array.from(values))).toEqual({
      counts: Float64Array.from(counts),
      unit: 1,
      measured: false,
    });
  });

  it('counts tenths where most orders are', () => {
    expect(countDemand(Float64Array.of(1.2, 0, 4, 0.3, 2.5, 3.1)).unit).toBeCloseTo(0.1, 12);
  });

  it('measures whole pieces that are too many to count', () => {
    expect(countDemand(Float64Array.of(1, 0, 3e7, 5, 7, 11, 2, 9, 4)).measured).toBe(true);
  });

  it('does not treat a single fractional order as a pack', () => {
    expect(countDemand(Float64Array.of(0, 2.5, 0)).unit).toBeCloseTo(2.5 / 20, 12);
  });

  it('preserves gaps', () => {
    expect(Array.from(countDemand(Float64Array.of(1, NaN, 0, 3)).counts)).toEqual([1, NaN, 0, 3]);
  });
});
