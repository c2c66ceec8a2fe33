import { describe, expect, it } from '@jest/globals';
import { CountHypotheses, CountShift } from './count-hypotheses.js';
import type { CountLevel } from './count-tables.js';
import { ShiftLikelihoodRatio } from './shift-likelihood-ratio.js';

const DOUBLING: CountShift = { direction: 1, shifted: ({ mean }) => 2 * mean, longest: 6, limit: () => 0 };

function evidenceOf(counts: readonly number[], levels: readonly CountLevel[], shift = DOUBLING) {
  const evidence = new ShiftLikelihoodRatio(new CountHypotheses(levels, [shift]), 0);
  for (const count of counts) evidence.record(count, 1);
  return evidence.evidence()[0]!;
}

const KNOWN = [{ mean: 1, dispersion: 1.000001 }];
const UNKNOWN = [0.25, 0.5, 1, 2].map((mean) => ({ mean, dispersion: 1.5 }));
const FEW = [0, 1, 0, 0, 1, 0];
const RISE = [2, 1, 3, 2];

describe('ShiftLikelihoodRatio', () => {
  it('is the likelihood ratio of the months with the strongest evidence, when the level is known', () => {
    const { margin, months } = evidenceOf([0, 1, 0, 3, 2], KNOWN);
    // Poisson counts with mean 2 instead of 1: x ln 2 - 1 per month.
    expect(months).toBe(2);
    expect(margin).toBeCloseTo(5 * Math.LN2 - 2, 4);
  });

  it('gives the same months more weight against a level known for longer', () => {
    const early = evidenceOf([...FEW, ...RISE], UNKNOWN);
    const late = evidenceOf([...FEW, ...FEW, ...FEW, ...FEW, ...RISE], UNKNOWN);
    expect(late.margin).toBeGreaterThan(early.margin + 0.3);
    expect([early.months, late.months]).toEqual([4, 4]);
  });

  it('treats the first month as the level and looks no further back than the longest shift', () => {
    expect(evidenceOf([5], UNKNOWN).margin).toBe(-Infinity);
    expect(evidenceOf([9, 9], UNKNOWN).months).toBe(1);
    expect(evidenceOf([...FEW, 3, 3, 3, 3, 3], UNKNOWN, { ...DOUBLING, longest: 3 }).months).toBe(3);
  });

  it('applies the limit of the shift for each number of months', () => {
    const { margin, months } = evidenceOf([0, 1, 0, 3, 2], KNOWN, {
      ...DOUBLING,
      limit: (count) => (count < 3 ? 100 : 1),
    });
    expect(months).toBe(3);
    expect(margin).toBeCloseTo(5 * Math.LN2 - 3 - 1, 4);
  });

  describe('of possibly seasonal demand', () => {
    /** Six months of 2.07 times the mean and six of a sixth: 1.2^4 and 1.2^-10. */
    const factors = Array.from({ length: 36 }, (_, t) => (t % 12 < 6 ? 1.2 ** 4 : 1.2 ** -10));

    function seasonalEvidence(counts: readonly number[], probability: number): ShiftLikelihoodRatio {
      const evidence = new ShiftLikelihoodRatio(new CountHypotheses(UNKNOWN, [DOUBLING]), probability);
      counts.forEach((count, t) => evidence.record(count, factors[t]!));
      return evidence;
    }
    const inSeason = (t: number, sold: number) => (t % 12 < 6 ? sold : 0);

    it('accepts the season for counts that follow it and rejects it for counts that do not', () => {
      const keeping = Array.from({ length: 36 }, (_, t) => inSeason(t, 2));
      const other = Array.from({ length: 36 }, (_, t) => t % 2);
      expect(seasonalEvidence(keeping, 0.3).seasonal()).toBeGreaterThan(0.99);
      expect(seasonalEvidence(other, 0.3).seasonal()).toBeLessThan(0.01);
    });

    it('does not mistake seasonal months for a rise, but finds a rise beyond the season', () => {
      const years = Array.from({ length: 30 }, (_, t) => inSeason(t, 2));
      const rise = Array.from({ length: 30 }, (_, t) => inSeason(t, t < 24 ? 2 : 5));
      const margin = (counts: readonly number[], probability: number) =>
        seasonalEvidence(counts, probability).evidence()[0]!.margin;
      expect(margin(years, 0.3)).toBeLessThan(0);
      expect(margin(years, 0)).toBeGreaterThan(1);
      expect(margin(rise, 0.3)).toBeGreaterThan(3);
    });
  });
});
