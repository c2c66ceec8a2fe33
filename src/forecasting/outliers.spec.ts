import { describe, expect, it } from '@jest/globals';
import { dampenOutliers } from './outliers.js';
import { seasonalSeries } from './testing/series.js';

describe('dampenOutliers', () => {
  const values = seasonalSeries(60);

  it.each([4, 30, 57])('draws an isolated spike in month %p to the pattern and leaves the rest alone', (month) => {
    const dampened = dampenOutliers(values.map((value, t) => (t === month ? 10 * value : value)));
    expect(Math.abs(dampened[month]! / values[month]! - 1)).toBeLessThan(0.3);
    dampened.forEach((value, t) => {
      if (t !== month) expect(value).toBe(values[t]);
    });
  });

  it('leaves yearly peaks, level shifts and runs of odd months', () => {
    for (const kept of [
      values.map((value, t) => (t % 12 === 11 ? 4 * value : value)),
      values.map((value, t) => (t >= 40 ? 3 * value : value)),
      values.map((value, t) => (t >= 30 && t < 34 ? 5 * value : value)),
    ]) {
      expect(dampenOutliers(kept)).toEqual(kept);
    }
  });

  it('does not judge under three years, constants or gaps', () => {
    const short = values.slice(0, 30);
    expect(dampenOutliers(short)).toBe(short);
    expect(dampenOutliers(new Float64Array(60).fill(2))).toEqual(new Float64Array(60).fill(2));
    const gaps = values.map((value, t) => (t % 9 === 4 ? NaN : value));
    expect(dampenOutliers(gaps)).toEqual(gaps);
  });
});
