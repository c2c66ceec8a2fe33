import { describe, expect, it } from '@jest/globals';
import { tickLabel, valueAxis } from './axis.js';

describe('valueAxis', () => {
  it.each([
    [
      [3, 187],
      [0, 50, 100, 150, 200],
    ],
    [
      [0, 0],
      [0, 0.2, 0.4, 0.6, 0.8, 1],
    ],
    [
      [-5e-324, 5e-324],
      [0, 0.2, 0.4, 0.6, 0.8, 1],
    ],
    [
      [-40, 90],
      [-50, 0, 50, 100],
    ],
  ])('spans %j with round ticks', (values, ticks) => {
    expect(valueAxis(values).ticks.map((tick) => Number(tick.toPrecision(6)))).toEqual(ticks);
  });

  it.each([1e-90, 1e-12, 0.07, 1, 999, 12_345, 1e12, 1e18])(
    'labels a demand of %d with short, distinct numbers',
    (value) => {
      const axis = valueAxis([0, value]);
      const labels = axis.ticks.map((tick) => tickLabel(tick, axis));
      expect(new Set(labels).size).toBe(labels.length);
      for (const label of labels) expect(label.length).toBeLessThanOrEqual(7);
      expect(axis.max).toBeGreaterThanOrEqual(value);
    },
  );

  it.each([
    [1_500, '1500'],
    [15_000, '15K'],
    [1_500_000, '1.5M'],
    [0.25, '0.25'],
  ])('labels %d as %s', (value, label) => {
    expect(tickLabel(value, valueAxis([0, value]))).toBe(label);
  });
});
