import { describe, expect, it } from '@jest/globals';
import {
  binaryScale,
  countObserved,
  firstObserved,
  interpolateMissing,
  lastObserved,
  meanAbsolute,
  meanObserved,
  meanOfFirst,
  observedRange,
  observedValues,
} from './missing.js';

describe('missing months', () => {
  it('are interpolated between neighbors and extrapolated flat at the ends', () => {
    expect(Array.from(interpolateMissing(Float64Array.of(NaN, 2, NaN, NaN, 8, NaN)))).toEqual([2, 2, 4, 6, 8, 8]);
    expect(Array.from(interpolateMissing(Float64Array.of(NaN)))).toEqual([NaN]);
  });

  it('are ignored in sums and ends', () => {
    const values = Float64Array.of(NaN, 4, -2, NaN, 7, NaN);
    expect([countObserved(values), firstObserved(values), lastObserved(values)]).toEqual([3, 1, 7]);
    expect([meanOfFirst(values, 2), meanOfFirst(values, 9)]).toEqual([1, 3]);
    expect(observedValues(values)).toEqual(Float64Array.of(4, -2, 7));
    expect([meanObserved(values), meanAbsolute(values)]).toEqual([3, 13 / 3]);
    expect(observedRange(values)).toEqual({ smallest: -2, largest: 7 });
    const none = Float64Array.of(NaN, NaN);
    expect([countObserved(none), firstObserved(none), lastObserved(none)]).toEqual([0, 2, NaN]);
    expect([meanObserved(none), meanAbsolute(none)]).toEqual([NaN, 0]);
    expect(observedRange(none)).toEqual({ smallest: NaN, largest: NaN });
  });

  it.each([
    [[3, NaN, 3], 4],
    [[1e6], 2 ** 20],
    [[0.01], 2 ** -7],
    [[0, 0], 1],
    [[NaN], 1],
  ])('give %p the binary scale %d', (values, scale) => {
    expect(binaryScale(Float64Array.from(values))).toBe(scale);
  });
});
