import { describe, expect, it } from '@jest/globals';
import { cutEnd, isComputable, stratifiedSample, systematicSample, trimStart, withoutReturns } from './history.js';
import { history } from './testing/series.js';

describe('a history', () => {
  it('starts with its first observation', () => {
    const series = history([NaN, NaN, 3, NaN]);
    expect(trimStart(series)).toEqual({
      ...series,
      startMonth: series.startMonth + 2,
      values: Float64Array.of(3, NaN),
    });
    const begun = history([3, NaN]);
    expect(trimStart(begun)).toBe(begun);
  });

  it('counts months with net returns as no demand', () => {
    expect([...withoutReturns(history([5, -3, NaN, 0])).values]).toEqual([5, 0, NaN, 0]);
    const sold = history([5, NaN]);
    expect(withoutReturns(sold)).toBe(sold);
  });

  it('can be cut to what was known some months earlier', () => {
    expect([1, 3, 9].map((months) => [...cutEnd(history([1, 2, 3]), months).values])).toEqual([[1, 2], [], []]);
  });

  it('can have gaps but no values that are infinite, or whose squares would be', () => {
    expect(isComputable(Float64Array.of(1, NaN, -1e100))).toBe(true);
    expect(isComputable(Float64Array.of(1, -Infinity))).toBe(false);
    expect(isComputable(Float64Array.of(1, 1e101))).toBe(false);
  });
});

describe('a systematic sample', () => {
  it('is evenly spaced, and contains everything when there are few', () => {
    expect(systematicSample([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 4)).toEqual([0, 2, 5, 7]);
    expect(systematicSample([0, 1, 2], 3)).toEqual([0, 1, 2]);
  });
});

describe('stratifiedSample', () => {
  it('has each kind in its share, though the kinds alternate in the list', () => {
    for (const [length, kinds] of [
      [20_000, 4],
      [6_000, 2],
      [9_001, 3],
    ] as const) {
      const sample = stratifiedSample(
        Array.from({ length }, (_, i) => i % kinds),
        3_000,
      );
      for (let kind = 0; kind < kinds; kind++) {
        const share = sample.filter((one) => one === kind).length / sample.length;
        expect(Math.abs(share - 1 / kinds)).toBeLessThan(0.02);
      }
    }
  });

  it('is of different items in their order, spread over the whole list, and the list itself if that is short', () => {
    const items = Array.from({ length: 4_000 }, (_, i) => i);
    const sample = stratifiedSample(items, 3_000);
    expect([new Set(sample).size, sample.length]).toEqual([3_000, 3_000]);
    expect(sample).toEqual(sample.toSorted((a, b) => a - b));
    expect([sample[0]!, sample.at(-1)! >= 3_998]).toEqual([0, true]);
    expect(stratifiedSample(items, 4_000)).toEqual(items);
  });
});
