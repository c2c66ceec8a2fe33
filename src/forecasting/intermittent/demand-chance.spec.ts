import { describe, expect, it } from '@jest/globals';
import { exposed } from '../testing/series.js';
import { DemandMonths } from './demand-chance.js';

describe('DemandMonths', () => {
  it('is the share of months with demand when all have equal exposure', () => {
    expect(new DemandMonths().add(exposed(Float64Array.of(0, 3, 0, 1, 0))).chance()).toBeCloseTo(0.4, 9);
    expect(new DemandMonths().add(exposed(new Float64Array(5))).chance()).toBe(0);
    expect(new DemandMonths().add(exposed(Float64Array.of(2, 3))).chance()).toBe(1);
    expect(new DemandMonths().chance()).toBe(0);
  });

  it('matches the expected number of months with demand to the actual one when exposures differ', () => {
    const exposure = Float64Array.of(0.2, 1.8, 0.6, 1.4, 0, 3);
    const chance = new DemandMonths().add(exposed(Float64Array.of(0, 1, 0, 0, 0, 2), exposure)).chance();
    expect(exposure.reduce((sum, f) => sum + 1 - (1 - chance) ** f, 0)).toBeCloseTo(2, 9);
    expect(new DemandMonths().add(exposed(Float64Array.of(2, 3), Float64Array.of(0.5, 1.5))).chance()).toBeCloseTo(
      0.999,
      9,
    );
  });
});
