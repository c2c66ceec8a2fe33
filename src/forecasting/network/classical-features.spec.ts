import { describe, expect, it } from '@jest/globals';
import { encodeClassical } from './classical-features.js';
import { CLASSICAL_INPUTS, FIT, FITS_AFTER, OUTPUT_MONTHS, PATH } from './shape.js';

const UNIT = { center: 0, spread: 1 };
const encode = (values: number[], scale = UNIT) => {
  const row = new Float32Array(CLASSICAL_INPUTS);
  encodeClassical(Float64Array.from(values), row, 0, scale);
  return Array.from(row);
};
const months = (count: number, value: (t: number) => number): number[] =>
  Array.from({ length: count }, (_, t) => value(t));
const wave = (t: number): number => Math.cos((2 * Math.PI * t) / 12);

describe('classical features', () => {
  it('continue a seasonal pattern month by month', () => {
    const additive = encode(months(60, wave)).slice(0, OUTPUT_MONTHS);
    additive.forEach((x, k) => expect(x).toBeCloseTo(wave(60 + k), 1));
  });

  it('continue a pattern proportional to the level by ratios', () => {
    const value = (t: number): number => Math.exp(0.3 * wave(t)) * 1.01 ** t;
    const row = encode(months(60, value));
    const miss = (path: number): number =>
      Math.max(...months(12, (k) => Math.abs(row[path * OUTPUT_MONTHS + k]! - value(60 + k))));
    expect(miss(PATH.multiplicative)).toBeLessThan(0.25);
    expect(miss(PATH.multiplicative)).toBeLessThan(miss(PATH.additive));
  });

  it('follow a level shift immediately and flag it', () => {
    const row = encode(months(60, (t) => (t < 40 ? 1 : 3)));
    expect(row[0]).toBeGreaterThan(2.9);
    expect(row[FITS_AFTER + FIT.additiveRate]).toBeGreaterThanOrEqual(0.8);
  });

  it('find no season in a year and a half, or in noise', () => {
    const share = FITS_AFTER + FIT.additiveSeason;
    expect(encode(months(18, wave))[share]).toBe(0);
    expect(encode(months(60, (t) => Math.sin(t * t)))[share]).toBeLessThan(0.6);
  });

  it.each([
    ['one month', [4]],
    ['missing months', months(40, (t) => (t % 3 === 0 ? Number.NaN : t))],
    ['zeros', months(60, () => 0)],
    ['huge values', months(60, (t) => 1e12 * (t + 1))],
  ])('are finite for %s', (_name, values) => {
    expect(encode(values).every((x) => Number.isFinite(x))).toBe(true);
  });

  it('stay zero without an observed month', () => {
    expect(encode([Number.NaN, Number.NaN]).every((x) => x === 0)).toBe(true);
  });
});
