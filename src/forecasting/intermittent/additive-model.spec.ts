import { describe, expect, it } from '@jest/globals';
import { createRandom } from '../../numeric/random.js';
import { additiveScore, type AdditiveModel, fitAdditiveModel } from './additive-model.js';
import { BERNOULLI, type Loss, QUASI_POISSON } from './losses.js';

describe('fitAdditiveModel', () => {
  /** A model fitted to rows of three features, the last one noise, with the response and start given by `of`. */
  function fitted(of: (x: number, y: number) => { response: number; start: number }, loss: Loss): AdditiveModel {
    const random = createRandom(4);
    const count = 2000;
    const rows = Float64Array.from({ length: 3 * count }, random);
    const cases = Array.from({ length: count }, (_, r) => of(rows[3 * r]!, rows[3 * r + 1]!));
    const responses = Float64Array.from(cases, (one) => one.response);
    return fitAdditiveModel(
      rows,
      responses,
      Float64Array.from(cases, (one) => one.start),
      loss,
    );
  }
  const score = (model: AdditiveModel, ...features: number[]): number =>
    additiveScore(model, Float64Array.from(features));

  it('recovers the logarithmic steps that generated the means, relative to the start of each row', () => {
    const model = fitted(
      (x, y) => ({ response: 40 * Math.exp((x > 0.5 ? 0.8 : 0) - y), start: Math.log(40) - y }),
      QUASI_POISSON,
    );
    expect(score(model, 0.9, 0.5, 0.5)).toBeCloseTo(0.8, 1);
    expect(score(model, 0.1, 0.5, 0.5)).toBeCloseTo(0, 1);
    expect(score(model, 0.9, 0.1, 0.9)).toBeCloseTo(0.8, 1);
  });

  it('recovers probabilities with additive log odds', () => {
    const chance = (x: number, y: number): number => BERNOULLI.expected((x > 0.5 ? 1 : -1) + (y > 0.3 ? 0.5 : 0));
    const model = fitted((x, y) => ({ response: chance(x, y), start: 0 }), BERNOULLI);
    for (const [x, y] of [
      [0.9, 0.9],
      [0.1, 0.9],
      [0.1, 0.1],
    ] as const) {
      expect(BERNOULLI.expected(score(model, x, y, 0.5))).toBeCloseTo(chance(x, y), 1);
    }
  });

  it('follows responses of any size in small steps, one for six rows', () => {
    const large = fitAdditiveModel(
      Float64Array.from({ length: 60 }, (_, r) => r % 2),
      Float64Array.from({ length: 60 }, (_, r) => (r % 2 === 1 ? 1e9 : 0)),
      new Float64Array(60),
      QUASI_POISSON,
    );
    // ten rounds, each a tenth of a step of .7 at most
    expect(Math.max(...large.values[0]!)).toBeCloseTo(0.7, 9);
    expect(Math.min(...large.values[0]!)).toBeGreaterThan(-0.7);
  });

  it('finds no step when all rows are equal', () => {
    const model = fitAdditiveModel(
      new Float64Array(200).fill(3),
      new Float64Array(200).fill(1),
      new Float64Array(200),
      QUASI_POISSON,
    );
    expect(model).toEqual({ edges: [[]], values: [[0]] });
  });
});
