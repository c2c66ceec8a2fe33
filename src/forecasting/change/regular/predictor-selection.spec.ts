import { describe, expect, it } from '@jest/globals';
import { normalQuantile } from '../../../numeric/normal.js';
import { createRandom } from '../../../numeric/random.js';
import type { ObservedMonth } from './predictor-state.js';
import { PredictorSelection } from './predictor-selection.js';

const WARM_UP = 24;

/** Roots of demand with a noise of `noise`. */
function months(count: number, demand: (t: number) => number, noise = 0.05, seed = 5): ObservedMonth[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const value = demand(index) * (1 + noise * normalQuantile(0.001 + 0.998 * random()));
    return { index, value: Math.sqrt(value) };
  });
}

/** Rate of growth of the trusted predictor before each month after the warm-up; 0 for a line. */
function rates(observed: readonly ObservedMonth[]): number[] {
  const selection = new PredictorSelection(24_240, observed.slice(0, WARM_UP));
  return observed.slice(WARM_UP).map((month, i) => {
    selection.predict(WARM_UP + i, month.index, true);
    selection.learn(month);
    return selection.stateBefore(WARM_UP + i).growth.rate;
  });
}

const growing = (t: number) => 300 * 1.3 ** (t / 12);

describe('PredictorSelection', () => {
  it('takes growth for a line at first, and for steady once that has predicted better', () => {
    const all = rates(months(84, growing));
    expect(all[0]).toBe(0);
    for (const rate of all.slice(30)) expect(Math.abs(rate - Math.log(1.3) / 2)).toBeLessThan(0.03);
  });

  it('takes growth for a line after some years in which it was one', () => {
    for (const seed of [5, 6, 7]) {
      const all = rates(months(108, (t) => (15 + 0.15 * t) ** 2, 0.05, seed));
      expect(all.slice(48).every((rate) => rate === 0)).toBe(true);
    }
  });

  it('takes growth that hardly shows beside noise for a line', () => {
    expect(rates(months(84, (t) => 300 * 1.03 ** (t / 12), 0.2)).every((rate) => rate === 0)).toBe(true);
  });

  it('does not expect a launch of two years to go on for more than one', () => {
    for (const seed of [5, 6, 7]) {
      const all = rates(months(72, (t) => growing(Math.min(t, 24)), 0.05, seed));
      expect(all.slice(12).every((rate) => rate === 0)).toBe(true);
    }
  });

  it('returns to the line once that predicts better', () => {
    const all = rates(months(108, (t) => (t < 60 ? growing(t) : growing(60) * (1 + 0.01 * (t - 60)))));
    expect(all[30]).toBeGreaterThan(0.1);
    expect(Math.abs(all.at(-1)!)).toBeLessThan(0.1);
  });
});
