import { describe, expect, it } from '@jest/globals';
import { AIR_PASSENGERS } from '../../testing/series.js';
import { stl } from './stl.js';

describe('stl', () => {
  it('equals statsmodels 0.15.0 on the logarithm of the airline series', () => {
    // STL(log(y), period=12, seasonal=11).fit(inner_iter=2, outer_iter=0)
    const { seasonal } = stl(AIR_PASSENGERS.map(Math.log));
    expect(seasonal[0]).toBeCloseTo(-0.09136262554552506, 10);
  });

  it('equals R 4.2.2 on six years, fewer than the seasonal window has points', () => {
    // stl(log(AirPassengers)[1:72], s.window = 11, s.degree = 1, s.jump = 1, t.jump = 1, l.jump = 1, inner = 2)
    const { seasonal, trend } = stl(AIR_PASSENGERS.slice(0, 72).map(Math.log));
    expect(seasonal[0]).toBeCloseTo(-0.092701665155339, 12);
    expect(seasonal[71]).toBeCloseTo(-0.102242764560764, 12);
    expect(trend[39]).toBeCloseTo(5.242922295699343, 12);
  });

  it('sums to the series, with a smooth trend', () => {
    const y = AIR_PASSENGERS.map(Math.log);
    const { trend, seasonal } = stl(y);
    const rest = y.map((value, t) => value - trend[t]! - seasonal[t]!);
    expect(Math.max(...rest.map(Math.abs))).toBeLessThan(0.15);
    for (let t = 1; t < y.length; t++) expect(Math.abs(trend[t]! - trend[t - 1]!)).toBeLessThan(0.03);
  });
});
