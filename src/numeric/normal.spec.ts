import { describe, expect, it } from '@jest/globals';
import { normalScore } from './normal-score.js';
import { normalQuantile, normalUpperTail } from './normal.js';

describe('normalQuantile', () => {
  it.each([
    [0.25, -0.674489750196082],
    [0.001, -3.09023230616781],
    [1e-20, -9.26234008979841],
  ])('gives the test value of algorithm AS 241 at %p', (probability, expected) => {
    expect(normalQuantile(probability)).toBeCloseTo(expected, 13);
  });

  it('is antisymmetric around one half and infinite at the ends', () => {
    expect(normalQuantile(0.975)).toBeCloseTo(-normalQuantile(0.025), 14);
    expect(normalQuantile(0)).toBe(-Infinity);
    expect(normalQuantile(1)).toBe(Infinity);
    expect(normalQuantile(1.5)).toBeNaN();
  });
});

describe('normalUpperTail', () => {
  it.each([
    [0, 0.5],
    [1.959963984540054, 0.025],
    [4, 3.167124183311986e-5],
  ])('agrees with the tables at %p', (z, probability) => {
    expect(Math.abs(normalUpperTail(z) - probability)).toBeLessThan(1e-7);
  });
});

describe('normalScore', () => {
  // R 4.2.2: qnorm(pt(t, freedom))
  it.each([
    [3, 4, 2.05435],
    [3, 10, 2.47446],
    [5, 23, 4.07184],
    [-2, 48, -1.95],
  ])('maps t = %p with %p degrees of freedom to the normal quantile of its probability', (t, freedom, expected) => {
    expect(Math.abs(normalScore(t, freedom) - expected)).toBeLessThan(0.01);
  });
});
