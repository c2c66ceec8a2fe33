import { describe, expect, it } from '@jest/globals';
import { CountLevel, countProbabilities, shiftRatios } from './count-model.js';
import { CountShift, LevelEvidence } from './level-evidence.js';

function doubling(levels: readonly CountLevel[], longest = 6): CountShift {
  return { direction: 1, ratios: shiftRatios(levels, ({ mean }) => 2 * mean), longest, limit: () => 0 };
}

function evidenceOf(counts: readonly number[], levels: readonly CountLevel[], shift = doubling(levels)) {
  const evidence = new LevelEvidence(countProbabilities(levels), [shift]);
  for (const count of counts) evidence.record(count);
  return evidence.evidence()[0]!;
}

const KNOWN = [{ mean: 1, dispersion: 1.000001 }];
const UNKNOWN = [0.25, 0.5, 1, 2].map((mean) => ({ mean, dispersion: 1.5 }));
const FEW = [0, 1, 0, 0, 1, 0];
const RISE = [2, 1, 3, 2];

describe('LevelEvidence', () => {
  it('is the likelihood ratio of the months that speak most for a shift, where the level is known', () => {
    const { margin, months } = evidenceOf([0, 1, 0, 3, 2], KNOWN);
    // Poisson counts of mean 2 instead of 1: x ln 2 - 1 for each month.
    expect(months).toBe(2);
    expect(margin).toBeCloseTo(5 * Math.LN2 - 2, 4);
  });

  it('weighs the same months more against a level known for longer', () => {
    const early = evidenceOf([...FEW, ...RISE], UNKNOWN);
    const late = evidenceOf([...FEW, ...FEW, ...FEW, ...FEW, ...RISE], UNKNOWN);
    expect(late.margin).toBeGreaterThan(early.margin + 0.3);
    expect([early.months, late.months]).toEqual([4, 4]);
  });

  it('takes the first month for the level and looks no further back than the longest shift', () => {
    expect(evidenceOf([5], UNKNOWN).margin).toBe(-Infinity);
    expect(evidenceOf([9, 9], UNKNOWN).months).toBe(1);
    expect(evidenceOf([...FEW, 3, 3, 3, 3, 3], UNKNOWN, doubling(UNKNOWN, 3)).months).toBe(3);
  });

  it('asks of each number of months what the shift needs', () => {
    const strict: CountShift = { ...doubling(KNOWN), limit: (months) => (months < 3 ? 100 : 1) };
    const { margin, months } = evidenceOf([0, 1, 0, 3, 2], KNOWN, strict);
    expect(months).toBe(3);
    expect(margin).toBeCloseTo(5 * Math.LN2 - 3 - 1, 4);
  });
});
