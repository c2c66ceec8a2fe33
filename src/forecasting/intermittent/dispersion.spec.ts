import { describe, expect, it } from '@jest/globals';
import { createRandom } from '../../numeric/random.js';
import { exposed } from '../testing/series.js';
import { dispersionToward, pooledDispersion, seriesDispersion } from './dispersion.js';

describe('dispersionToward', () => {
  it('is unchanged when the chance matches the negative binomial with that dispersion', () => {
    const chance = 1 - 2 ** (-1.5 / (2 - 1));
    expect(dispersionToward(2, 1.5, chance)).toBeCloseTo(2, 6);
  });

  it('is larger when demand is rarer and smaller when it is more frequent, within bounds', () => {
    const wider = dispersionToward(2, 1.5, 0.5);
    const narrower = dispersionToward(2, 1.5, 0.75);
    expect(wider).toBeGreaterThan(2);
    expect(narrower).toBeLessThan(2);
    expect(dispersionToward(2, 1.5, 0.001)).toBeCloseTo(1 + Math.sqrt(5), 6);
    expect(dispersionToward(2, 1.5, 0.999)).toBeCloseTo(1 + Math.sqrt(1 / 5), 6);
  });
});

describe('dispersion', () => {
  const rates = { demand: 2, chance: 0.5 };
  /** Alternately 0 and 4: mean 2, variance 4. */
  const turning = Float64Array.from({ length: 400 }, (_, t) => 4 * (t % 2));

  it('is variance over mean: 2 when zero and four are equally likely', () => {
    expect(pooledDispersion([exposed(turning)], rates)).toBeCloseTo(2, 1);
    expect(seriesDispersion(exposed(turning), rates, 2)).toBeCloseTo(2, 1);
  });

  it('sums over series before dividing', () => {
    const steady = new Float64Array(400).fill(2);
    expect(pooledDispersion([exposed(turning), exposed(steady)], rates)).toBeCloseTo(1, 1);
    expect(
      pooledDispersion(
        [turning, turning, steady].map((one) => exposed(one)),
        rates,
      ),
    ).toBeCloseTo(4 / 3, 1);
  });

  it('is shrunk toward the pooled one by twenty months against some fifty of a long history', () => {
    const shrunk = seriesDispersion(exposed(turning), rates, 9);
    expect(shrunk).toBeCloseTo((50 * 2 + 20 * 9) / 70, 1);
    expect(seriesDispersion(exposed(Float64Array.of(2)), rates, 9)).toBeCloseTo((20 * 9) / 21, 1);
  });

  it('is that of a Poisson distribution when random orders follow their season', () => {
    const random = createRandom(3);
    const exposure = Float64Array.from({ length: 120 }, (_, t) => 1 + 0.9 * Math.cos((2 * Math.PI * t) / 12));
    const pieces = (mean: number): number =>
      Array.from({ length: 100 }, random).filter((one) => one < mean / 100).length;
    const all = Array.from({ length: 60 }, () =>
      exposed(
        Float64Array.from(exposure, (f) => pieces(2 * f)),
        exposure,
      ),
    );
    expect(Math.abs(pooledDispersion(all, rates) - 1)).toBeLessThan(0.05);
  });

  it('adds the variance lost to factors fitted to the months', () => {
    const fitted = { ...exposed(turning), uncertainty: new Float64Array(400).fill(0.25) };
    expect(seriesDispersion(fitted, rates, 2) - seriesDispersion(exposed(turning), rates, 2)).toBeCloseTo(
      (2 * 0.25 * 50) / 70,
      1,
    );
  });

  it('is that of slightly clustered orders when there is no demand', () => {
    expect(pooledDispersion([], rates)).toBe(1.5);
  });
});
