import { describe, expect, it } from '@jest/globals';
import { createRandom } from '../numeric/random.js';
import { orderSizesOf } from './order-sizes.js';
import { undershootOf } from './undershoot.js';

/** Mean and standard deviation of how far stock is below the reorder point when a replenishment is ordered, over many cycles. */
function simulate(sizes: readonly number[], quantity: number): { mean: number; sigma: number } {
  const random = createRandom(5);
  const seen: number[] = [];
  let aboveReorderPoint = quantity;
  while (seen.length < 40_000) {
    aboveReorderPoint -= sizes[Math.floor(random() * sizes.length)]!;
    if (aboveReorderPoint > 0) continue;
    seen.push(-aboveReorderPoint);
    aboveReorderPoint += quantity;
  }
  const mean = seen.reduce((sum, one) => sum + one) / seen.length;
  return { mean, sigma: Math.sqrt(seen.reduce((sum, one) => sum + (one - mean) ** 2, 0) / seen.length) };
}

describe('undershootOf', () => {
  it.each([
    ['single pieces', [1], 1, 40],
    ['pieces', [1, 2, 2, 9], 1, 97],
    ['packs of 6', [6, 6, 18], 6, 120],
    ['kilograms', [0.31, 2.72, 7.03], 0, 83.17],
  ])('is what a simulation of %s finds', (_, sizes, piece, quantity) => {
    const { mean, sigma } = undershootOf(orderSizesOf(sizes)!, piece);
    const simulated = simulate(sizes, quantity);
    expect(Math.abs(simulated.mean - mean)).toBeLessThan(0.02 * (mean + piece));
    expect(Math.abs(simulated.sigma - sigma)).toBeLessThan(0.02 * (sigma + piece));
  });

  it('is never negative, also where a day brought less than a piece', () => {
    expect(undershootOf(orderSizesOf([0.5])!, 1)).toEqual({ mean: 0, sigma: 0, dayDemand: 0.5 });
  });
});
