import { describe, expect, it } from '@jest/globals';
import { obsolescenceFactor } from './obsolescence.js';

const HAZARD = 5e-4;
const REVIVAL = 0.01;
const STEPS = 20_000;

/** Posterior by brute force: the chance of demand integrated over its beta prior, the month of the end summed. */
function bruteForce(demands: number, empty: number, silent: number, prior: number): number {
  let alive = 0;
  let ended = 0;
  for (let i = 0; i < STEPS; i++) {
    const chance = (i + 0.5) / STEPS;
    const density = chance ** (prior - 1 + demands) * (1 - chance) ** (-prior + empty);
    alive += density * ((1 - HAZARD) * (1 - chance)) ** silent;
    for (let t = 0; t < silent; t++) ended += density * HAZARD * ((1 - HAZARD) * (1 - chance)) ** t;
  }
  return (alive + REVIVAL * ended) / (alive + ended);
}

function history(demands: number, empty: number, silent: number): Float64Array {
  return Float64Array.from([
    1,
    ...Array<number>(empty).fill(0),
    ...Array<number>(demands - 1).fill(2),
    ...Array<number>(silent).fill(0),
  ]);
}

describe('obsolescenceFactor', () => {
  it.each([
    [4, 2, 1],
    [20, 4, 3],
    [20, 4, 24],
    [3, 30, 40],
  ])(
    'is the expected share of demand left after %p demands, %p months between them and %p silent ones',
    (demands, empty, silent) => {
      expect(obsolescenceFactor(history(demands, empty, silent), 0.4)).toBeCloseTo(
        bruteForce(demands, empty, silent, 0.4),
        4,
      );
    },
  );

  it('is one right after a demand and before any, and falls to what is ordered again', () => {
    expect(obsolescenceFactor(history(5, 2, 0), 0.4)).toBe(1);
    expect(obsolescenceFactor(new Float64Array(30), 0.4)).toBe(1);
    const factors = Array.from({ length: 60 }, (_, silent) => obsolescenceFactor(history(30, 0, silent), 0.4));
    factors.slice(1).forEach((factor, t) => expect(factor).toBeLessThanOrEqual(factors[t]!));
    expect(factors[59]).toBeCloseTo(REVIVAL, 3);
  });
});
