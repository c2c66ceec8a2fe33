import { describe, expect, it } from '@jest/globals';
import { encodeWindow, type WindowScale } from './features.js';
import { INPUT_MONTHS, INPUTS, SUMMARY } from './shape.js';

const encode = (values: number[]) => {
  const row = new Float32Array(INPUTS);
  const scale: WindowScale = { center: 0, spread: 0, seasonalChange: 0 };
  const observed = encodeWindow(Float64Array.from(values), row, 0, scale);
  return { row: Array.from(row), scale, observed };
};
const wave = Array.from({ length: 70 }, (_, t) => 100 + 30 * Math.sin(t) + t);

describe('window features', () => {
  it('are centered on the last year and mark observed months', () => {
    const { row, scale, observed } = encode([5.5, 6.5, Number.NaN, 9]);

    expect(observed).toBe(3);
    expect(scale.center).toBe(7);
    expect(row.slice(INPUT_MONTHS - 4, INPUT_MONTHS)[2]).toBe(0);
    expect(row.slice(2 * INPUT_MONTHS - 5, 2 * INPUT_MONTHS)).toEqual([0, 1, 1, 0, 1]);
  });

  it.each([1e-12, 1e12])('do not depend on the unit (times %p)', (unit) => {
    const scaled = encode(wave.map((x) => x * unit)).row;
    encode(wave).row.forEach((x, i) => expect(scaled[i]).toBeCloseTo(x, 4));
  });

  it('distinguish small counts from other quantities', () => {
    const { row } = encode([0, 1, 0, 3, 0, 2, 0, 0, 1, 0, 4, 1, 0]);
    expect(row[2 * INPUT_MONTHS + SUMMARY.counts]).toBe(1);
    expect(row[2 * INPUT_MONTHS + SUMMARY.countLevel]).toBeCloseTo(Math.log1p(1), 6);
    expect(encode([0, 1.5, 0, 3]).row[2 * INPUT_MONTHS + SUMMARY.counts]).toBe(0);
  });

  it.each([[[]], [[Number.NaN, Number.NaN]], [[0, 0, 0]], [[7]], [[-3, -3, -3, -3]]])('are finite for %p', (values) => {
    expect(encode(values).row.every((x) => Number.isFinite(x))).toBe(true);
  });
});
