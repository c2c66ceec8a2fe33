import { describe, expect, it } from '@jest/globals';
import { centeredMean } from './centered-mean.js';

const YEAR = [5, 1, 4, 9, 3, 7, 2, 8, 6, 0, 11, 10];

describe('centeredMean', () => {
  it('removes the season: any twelve months of the same year have the same mean', () => {
    const years = Array.from({ length: 36 }, (_, t) => YEAR[t % 12]!);
    for (let t = 6; t < 30; t++) expect(centeredMean(years, t)).toBeCloseTo(5.5, 12);
  });

  it('is the 2 x 12 moving average: half weights for the months half a year away, none beyond', () => {
    const single = (at: number) => Array.from({ length: 25 }, (_, t) => (t === at ? 24 : 0));
    expect([5, 6, 7, 12, 17, 18, 19].map((at) => centeredMean(single(at), 12))).toEqual([0, 1, 2, 2, 2, 1, 0]);
  });

  it('skips missing months, and is unknown with fewer than nine observed', () => {
    const line = (missing: number) => Array.from({ length: 13 }, (_, t) => (t > 6 && t <= 6 + missing ? NaN : 7));
    expect(centeredMean(line(3), 6)).toBe(7);
    expect(centeredMean(line(4), 6)).toBeNaN();
    expect(centeredMean(line(0), 0)).toBeNaN();
  });
});
