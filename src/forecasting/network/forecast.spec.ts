import { describe, expect, it } from '@jest/globals';
import { LEVELS, MEDIAN } from '../types.js';
import { networkForecasts } from './forecast.js';

const networkForecast = (values: Float64Array, horizon: number) => networkForecasts([values], horizon)[0]!;

const seasonal = (months: number, unit = 1): Float64Array =>
  Float64Array.from({ length: months }, (_, t) => unit * (200 + 60 * Math.cos((2 * Math.PI * t) / 12) + (t % 5)));

describe('network forecast', () => {
  it('continues a clear seasonal pattern', () => {
    const values = seasonal(72);
    const { quantiles } = networkForecast(values.slice(0, 60), 12);
    for (let k = 0; k < 12; k++) expect(Math.abs(quantiles[k * LEVELS + MEDIAN]! - values[60 + k]!)).toBeLessThan(25);
  });

  it('is identical to the bit alone and in a batch', () => {
    const histories = Array.from({ length: 11 }, (_, i) => seasonal(20 + 5 * i, i + 1));
    const together = networkForecasts(histories, 18);
    histories.forEach((values, i) => expect(networkForecast(values, 18)).toEqual(together[i]));
  });

  it.each([1e-12, 1, 1e12])('gives finite ascending quantiles at scale %p, even beyond two years', (unit) => {
    const { mean, quantiles } = networkForecast(seasonal(40, unit), 36);
    expect(mean).toHaveLength(36);
    expect(quantiles).toHaveLength(36 * LEVELS);
    for (let i = 0; i < quantiles.length; i++) {
      expect(Number.isFinite(quantiles[i])).toBe(true);
      expect(quantiles[i]).toBeGreaterThanOrEqual(0);
      if (i % LEVELS > 0) expect(quantiles[i]!).toBeGreaterThanOrEqual(quantiles[i - 1]!);
    }
  });

  it('goes on beyond two years along what it forecasts after its own medians', () => {
    const mediansOf = (values: Float64Array, horizon: number): number[] =>
      Array.from({ length: horizon }, (_, k) => networkForecast(values, horizon).quantiles[k * LEVELS + MEDIAN]!);
    const values = seasonal(48);
    const known = Float64Array.from([...values, ...mediansOf(values, 24)]);
    expect(mediansOf(values, 30).slice(24)).toEqual(mediansOf(known, 6));
  });

  it('does not narrow beyond two years', () => {
    const { quantiles } = networkForecast(seasonal(60), 36);
    const range = (k: number): number => quantiles[k * LEVELS + LEVELS - 1]! - quantiles[k * LEVELS]!;
    for (let k = 24; k < 36; k++) expect(range(k)).toBeGreaterThanOrEqual(range(k - 12) - 1e-9);
  });

  it.each([
    ['no history', []],
    ['missing months only', [Number.NaN, Number.NaN]],
    ['zeros', new Array<number>(30).fill(0)],
    ['a constant', new Array<number>(30).fill(5)],
    ['negative values', Array.from({ length: 30 }, (_, t) => (t % 2 ? -4 : 6))],
  ])('is finite for %s', (_name, values) => {
    const { mean, quantiles } = networkForecast(Float64Array.from(values), 24);
    expect([...mean, ...quantiles].every((x) => Number.isFinite(x))).toBe(true);
  });
});
