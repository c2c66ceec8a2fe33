import { describe, expect, it } from '@jest/globals';
import { normalScore } from '../../../numeric/normal-score.js';
import { DemandSizes } from './demand-sizes.js';

function sizesOf(...demands: number[]): DemandSizes {
  const sizes = new DemandSizes();
  for (const demand of demands) sizes.record(demand);
  return sizes;
}

describe('DemandSizes', () => {
  it('takes the geometric mean of the months with demand as the typical size', () => {
    expect(sizesOf(2, 0, 8, 0, 0).typical()).toBeCloseTo(4, 12);
    expect(sizesOf().typical()).toBe(1);
  });

  it('scores by the spread of the logarithms, as a prediction of one more demand', () => {
    const [low, high] = [Math.exp(1), Math.exp(3)];
    const sizes = sizesOf(low, high, low, high, low, high);
    // Mean 2, sample variance 6/5 (mean square 1); a prediction has 7/6 of it, and Student's distribution with five degrees of freedom.
    const deviation = Math.sqrt((6 / 5) * (7 / 6));
    expect(sizes.score(Math.exp(2 + 3 * deviation))).toBeCloseTo(normalScore(3, 5), 9);
    expect(sizes.score(Math.exp(2 - deviation))).toBeCloseTo(-normalScore(1, 5), 9);
  });

  it('assumes a spread of at least a quarter for orders of one size', () => {
    const sizes = sizesOf(5, 5, 5, 5, 5, 5);
    expect(sizes.score(5 * Math.exp(0.25 * Math.sqrt(7 / 6)))).toBeCloseTo(normalScore(1, 5), 9);
  });

  it('scores zero without demand, and before there are six demands', () => {
    expect(sizesOf(5, 5, 5, 5, 5).score(500)).toBe(0);
    expect(sizesOf(5, 5, 5, 5, 5, 5).score(0)).toBe(0);
    expect(sizesOf(5, 5, 5, 5, 5, 5).score(500)).toBeGreaterThan(3.8);
  });
});
