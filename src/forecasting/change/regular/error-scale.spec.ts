import { describe, expect, it } from '@jest/globals';
import { normalQuantile } from '../../../numeric/normal.js';
import { createRandom } from '../../../numeric/random.js';
import { ErrorScale } from './error-scale.js';

const DELAY = 6;

/** Autoregressive errors with the given correlation and a standard deviation of 1. */
function errors(count: number, correlation: number): number[] {
  const random = createRandom(4);
  let last = 0;
  return Array.from({ length: count }, () => {
    last = correlation * last + Math.sqrt(1 - correlation ** 2) * normalQuantile(0.0001 + 0.9998 * random());
    return last;
  });
}

function scaleOf(recorded: readonly number[], uncertainty = 1, unit = 1): ErrorScale {
  const scale = new ErrorScale(unit * unit, 48);
  for (const error of recorded) {
    scale.record(unit * error, uncertainty, 1e-9);
  }
  return scale;
}

describe('ErrorScale', () => {
  it('leaves the sums of independent or alternating errors unchanged', () => {
    expect(scaleOf(errors(400, 0)).serialCorrelationFactor()).toBe(1);
    expect(scaleOf(errors(400, -0.6)).serialCorrelationFactor()).toBe(1);
    expect(scaleOf([]).serialCorrelationFactor()).toBe(1);
  });

  it('shrinks the sums of correlated errors, with one standard error subtracted from the correlation', () => {
    const correlation = 0.6 - 0.12;
    const factor = scaleOf(errors(2000, 0.6)).serialCorrelationFactor();
    expect(Math.abs(factor / Math.sqrt((1 - correlation) / (1 + correlation)) - 1)).toBeLessThan(0.05);
  });

  it('is the same in every unit', () => {
    const [grams, kilograms] = [scaleOf(errors(100, 0.6), 1, 1000), scaleOf(errors(100, 0.6))];
    expect(grams.serialCorrelationFactor()).toBeCloseTo(kilograms.serialCorrelationFactor(), 9);
    expect(grams.variance / kilograms.variance).toBeCloseTo(1e6, 3);
  });

  it('largely ignores a correlation seen in a few months only', () => {
    const few = scaleOf(errors(2000, 0.9).slice(-18)).serialCorrelationFactor();
    expect(few).toBeGreaterThan(1.5 * scaleOf(errors(2000, 0.9)).serialCorrelationFactor());
  });

  it('does not compare months that are not consecutive', () => {
    const apart = new ErrorScale(1, 48);
    for (let t = 0; t < 300; t++) {
      apart.record(1.5, 1, 1e-9);
      apart.interrupt();
    }
    expect(apart.serialCorrelationFactor()).toBe(1);
    expect(scaleOf(new Array<number>(300).fill(1.5)).serialCorrelationFactor()).toBeLessThan(0.5);
  });

  it('tracks the error variance with a memory of four years, adjusted for clipped and uncertain errors', () => {
    expect(scaleOf(errors(2000, 0)).variance).toBeGreaterThan(0.8);
    expect(scaleOf(errors(2000, 0)).variance).toBeLessThan(1.2);
    const twice = scaleOf(
      errors(2000, 0).map((error) => error * Math.SQRT2),
      2,
    );
    expect(twice.variance).toBeGreaterThan(0.75);
    expect(twice.variance).toBeLessThan(1.2);
    // One month without error in 48 degrees of freedom: the seventh month makes the first count.
    expect(scaleOf(new Array<number>(DELAY + 1).fill(0)).variance).toBeCloseTo(47 / 48, 12);
  });

  it('counts a month six months later, and never the months of a shift', () => {
    const waiting = scaleOf(new Array<number>(DELAY).fill(0));
    expect(waiting.variance).toBe(1);
    waiting.dropPending();
    for (let t = 0; t < DELAY; t++) waiting.record(0, 1, 1e-9);
    expect(waiting.variance).toBe(1);
    waiting.record(0, 1, 1e-9);
    expect(waiting.variance).toBeLessThan(1);
  });

  it('gains a degree of freedom per counted month, up to 48, and keeps the variance floor', () => {
    const scale = new ErrorScale(1, 4);
    for (let t = 0; t < DELAY + 3; t++) scale.record(0, 1, 0.5);
    expect(scale.freedom).toBe(7);
    for (let t = 0; t < 100; t++) scale.record(0, 1, 0.5);
    expect(scale).toMatchObject({ freedom: 48, variance: 0.5 });
  });
});
