import { describe, expect, it } from '@jest/globals';
import { INPUT_MONTHS, INPUTS, OUTPUT_MONTHS } from '../../src/forecasting/network/shape.js';
import { Random } from '../random.js';
import { SERIES_MONTHS } from '../synthetic/index.js';
import { BatchSampler } from './batch-sampler.js';
import { type Domain, MIN_HISTORY } from './domains.js';

const LENGTH = 30;
const ROWS = 40;
const PLAIN = { mixing: 0, syntheticPartners: 0.5, shortening: 0, tilting: 0, deseasonalizing: 0 };
const ramp: Domain = {
  ...{ name: 'hospital', share: 1, mixed: true },
  series: [Float64Array.from({ length: LENGTH }, (_, t) => 100 + t)],
  cumulativeWindows: Float64Array.of(LENGTH - MIN_HISTORY),
};

function draw(settings: typeof PLAIN, seed = 1) {
  const rows = {
    inputs: new Float32Array(ROWS * INPUTS),
    targets: new Float32Array(ROWS * OUTPUT_MONTHS),
    weights: new Float32Array(ROWS),
  };
  const pool = new Float32Array(10 * SERIES_MONTHS).map((_, i) => 50 + (i % 7));
  new BatchSampler([ramp], pool, settings).fill(new Random(seed), rows, false);
  return rows;
}
const observedMonths = (inputs: Float32Array, row: number): number =>
  inputs.subarray(row * INPUTS + INPUT_MONTHS, row * INPUTS + 2 * INPUT_MONTHS).reduce((sum, x) => sum + x, 0);

describe('batch sampler', () => {
  it('draws histories of at least a year and targets that do not extend past the end of the series', () => {
    const { inputs, targets } = draw(PLAIN);
    for (let row = 0; row < ROWS; row++) {
      const observed = observedMonths(inputs, row);
      const known = targets
        .subarray(row * OUTPUT_MONTHS, (row + 1) * OUTPUT_MONTHS)
        .filter((x) => !Number.isNaN(x)).length;
      expect(observed).toBeGreaterThanOrEqual(MIN_HISTORY);
      expect(known).toBe(Math.min(OUTPUT_MONTHS, LENGTH - observed));
      expect(known).toBeGreaterThan(0);
    }
  });

  it('continues a ramp in the targets', () => {
    const { inputs, targets } = draw(PLAIN);
    for (let row = 0; row < ROWS; row++) {
      const [before, last] = inputs.subarray(row * INPUTS + INPUT_MONTHS - 2, row * INPUTS + INPUT_MONTHS);
      expect(targets[row * OUTPUT_MONTHS]! - last!).toBeCloseTo(last! - before!, 4);
    }
  });

  it('marks a month of a mixture as missing when it is missing in either part', () => {
    const { targets } = draw({ ...PLAIN, mixing: 1 });
    expect(targets.some((x) => Number.isNaN(x))).toBe(true);
  });

  it('is reproducible', () => {
    const settings = { ...PLAIN, mixing: 0.7, shortening: 0.5, tilting: 0.5, deseasonalizing: 0.5 };
    expect(draw(settings, 9)).toEqual(draw(settings, 9));
    expect(draw(settings, 9)).not.toEqual(draw(settings, 8));
  });
});
