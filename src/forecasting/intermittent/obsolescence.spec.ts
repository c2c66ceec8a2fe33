import { describe, expect, it } from '@jest/globals';
import { exposed } from '../testing/series.js';
import { obsolescenceFactor } from './obsolescence.js';

const HAZARD = 5e-4;
const REVIVAL = 0.01;
const STEPS = 20_000;

/** Posterior by brute force: integrates the chance of demand over its beta prior and sums over the month of the end. */
function bruteForce(demands: number, empty: number, silent: number, prior: number, exposure = 1): number {
  let alive = 0;
  let ended = 0;
  for (let i = 0; i < STEPS; i++) {
    const chance = (i + 0.5) / STEPS;
    const density = chance ** (prior - 1 + demands) * (1 - chance) ** (-prior + empty);
    const stays = (1 - HAZARD) * (1 - chance) ** exposure;
    alive += density * stays ** silent;
    for (let t = 0; t < silent; t++) ended += density * HAZARD * stays ** t;
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
      expect(obsolescenceFactor(exposed(history(demands, empty, silent)), 0.4)).toBeCloseTo(
        bruteForce(demands, empty, silent, 0.4),
        4,
      );
    },
  );

  it('is one right after a demand and before any, and falls to the share of revivals', () => {
    expect(obsolescenceFactor(exposed(history(5, 2, 0)), 0.4)).toBe(1);
    expect(obsolescenceFactor(exposed(new Float64Array(30)), 0.4)).toBe(1);
    const factors = Array.from({ length: 60 }, (_, silent) => obsolescenceFactor(exposed(history(30, 0, silent)), 0.4));
    factors.slice(1).forEach((factor, t) => expect(factor).toBeLessThanOrEqual(factors[t]!));
    expect(factors[59]).toBeCloseTo(REVIVAL, 3);
  });

  it('is finite when all series of the workspace sell every month, whatever the exposure of a month', () => {
    const demand = history(12, 0, 2);
    const ending = (...last: number[]): number =>
      obsolescenceFactor(exposed(demand, Float64Array.of(...new Array<number>(12).fill(1), ...last)), 1);
    expect(ending(0, 0)).toBeCloseTo(1, 2);
    for (const last of [
      [1, 1],
      [0.8, 1.2],
      [0, 0.8],
    ]) {
      expect(ending(...last)).toBeGreaterThan(REVIVAL);
      expect(ending(...last)).toBeLessThan(0.5);
    }
  });

  it('counts months of half exposure as half as many silent ones, and those of almost none not at all', () => {
    const demand = Float64Array.from(history(20, 0, 12));
    const exposures = (silent: number): Float64Array => demand.map((_, t) => (t < 20 ? 1 : silent));
    const halves = bruteForce(20, 0, 12, 0.4, 0.5);
    expect(obsolescenceFactor(exposed(demand, exposures(0.5)), 0.4)).toBeCloseTo(halves, 4);
    expect(halves).toBeGreaterThan(5 * bruteForce(20, 0, 12, 0.4) - 4 * REVIVAL);
    expect(obsolescenceFactor(exposed(demand, exposures(1e-6)), 0.4)).toBeGreaterThan(0.99);
  });
});
