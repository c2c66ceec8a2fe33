import { describe, expect, it } from '@jest/globals';
import { classifyDemand } from './classify.js';

const repeat = (block: readonly number[], times: number): Float64Array =>
  Float64Array.from(Array.from({ length: times }, () => block).flat());

describe('classifyDemand', () => {
  it.each([
    ['smooth', repeat([10, 12, 11, 9], 6)],
    ['erratic', repeat([1, 2, 30, 3], 6)],
    ['intermittent', repeat([0, 5, 0, 6], 6)],
    ['lumpy', repeat([0, 1, 0, 40], 6)],
    ['short', repeat([10, 12, 11, 9], 3)],
    ['new', Float64Array.of(5, NaN, 6, NaN, 7)],
    ['dead', repeat([0], 30)],
    ['dead', repeat([0], 5)],
    ['dead', Float64Array.from([4, 5, 3, ...new Array<number>(24).fill(0)])],
  ])('recognizes %s demand', (pattern, values) => {
    expect(classifyDemand(values).pattern).toBe(pattern);
  });

  it('measures interval and variation as in Syntetos, Boylan and Croston (2005)', () => {
    const profile = classifyDemand(Float64Array.of(0, 2, 0, 0, 4, 6, 0, 0));
    expect(profile.averageInterval).toBeCloseTo(8 / 3, 12);
    expect(profile.squaredVariation).toBeCloseTo(4 / 16, 12);
  });

  it('does not treat missing months as zeros', () => {
    const profile = classifyDemand(Float64Array.of(8, NaN, NaN, 9, NaN, 7, NaN, 8));
    expect(profile.observed).toBe(4);
    expect(profile.averageInterval).toBe(1);
    expect(profile.infrequent).toBe(false);
  });

  it.each([
    ['frequent pieces of a mean of two', repeat([2, 3, 2, 1], 6), 1],
    ['frequent pieces of a mean of three', repeat([3, 4, 2, 3], 6), 0.75],
    ['frequent pieces of a mean of five', repeat([4, 5, 5, 6], 6), 0.25],
    ['frequent pieces of a mean of six', repeat([6, 5, 7, 6], 6), 0],
    ['pieces of a mean of five in under a year', repeat([4, 5, 5, 6], 2), 1],
    ['kilograms', repeat([1.5, 2.25, 3, 1.4], 6), 0],
    ['pieces with a month that is a hundredth off', Float64Array.of(2, 3, 2, 1, 2, 1.99, 2, 1, 2, 3, 2, 1, 2), 1],
    ['rare demand in any unit', repeat([0, 250.5, 0, 0], 6), 1],
    ['a piece a month for a year', repeat([1], 12), 0],
    ['three pieces a month with rare exceptions', repeat([3, 3, 3, 3, 3, 4], 6), 0],
    ['a piece a month for half a year, possibly by chance', repeat([1], 6), 1],
  ])('gives %s the right weight as counts', (_, values, countShare) => {
    expect(classifyDemand(values).countShare).toBe(countShare);
  });

  it('has no variation for a single demand', () => {
    expect(classifyDemand(Float64Array.of(0, 0, 7, 0)).squaredVariation).toBe(0);
    expect(classifyDemand(Float64Array.of(2, NaN, 4, NaN, 6)).squaredVariation).toBeCloseTo(4 / 16, 12);
  });
});
