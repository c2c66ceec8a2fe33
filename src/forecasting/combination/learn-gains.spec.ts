import { describe, expect, it } from '@jest/globals';
import { normalForecast } from '../testing/forecasts.js';
import { createRandom } from '../../numeric/random.js';
import { averageForecasts } from './average.js';
import { learnGains, type LearningCase } from './learn-gains.js';
import { byMember } from './member-names.js';
import { MAX_GAINS, NO_GAINS, PRIOR_WEIGHTS, weightsFor } from './weights.js';

describe('learnGains', () => {
  const cases = (bestMember: number, bias = 2): LearningCase[] => {
    const random = createRandom(1);
    return Array.from({ length: 40 }, () => {
      const level = 50 + 100 * random();
      return {
        members: PRIOR_WEIGHTS.map((_, m) => normalForecast(m === bestMember ? level : bias * level, 5, 6)),
        months: 60,
        steadiness: 0,
        actual: Float64Array.from({ length: 6 }, () => level + 10 * (random() - 0.5)),
        scale: 10,
      };
    });
  };

  it.each([
    [0, 2],
    [2, 2],
    [4, 2],
    [0, 0.4],
    [4, 0.4],
  ])('moves weight to member %p when it is right and the others forecast %p times as much', (member, bias) => {
    const weights = weightsFor(60, learnGains(cases(member, bias)));
    expect(weights[member]!).toBeGreaterThan(PRIOR_WEIGHTS[member]! + 0.2);
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
  });

  it('replaces an absent member by the average of the others', () => {
    const without = (members: LearningCase['members']) => members.map((forecast, m) => (m === 7 ? null : forecast));
    const absent = cases(0).map((one) => ({ ...one, members: without(one.members) }));
    const replaced = absent.map((one) => {
      const average = averageForecasts(one.members, PRIOR_WEIGHTS);
      return { ...one, members: one.members.map((forecast) => forecast ?? average) };
    });
    expect(learnGains(absent)).toEqual(learnGains(replaced));
    expect(learnGains(absent)[0]!).toBeGreaterThan(2);
  });

  it('at most doubles the weight of the pooled autoregression, however good it is', () => {
    const autoregression = byMember((name) => name).indexOf('pooled_autoregression');
    const gains = learnGains(cases(autoregression));
    expect(gains[autoregression]).toBeCloseTo(2, 12);
    expect(weightsFor(60, gains)[autoregression]! / PRIOR_WEIGHTS[autoregression]!).toBeCloseTo(2, 12);
    expect(MAX_GAINS.filter((largest) => largest < Infinity)).toEqual([2]);
  });

  it('keeps the prior weights when the members are equal', () => {
    for (const gain of learnGains(cases(0, 1))) expect(gain).toBeCloseTo(1, 9);
  });

  it('learns from observed months only', () => {
    const observed = cases(0).map((one) => ({ ...one, actual: one.actual.subarray(0, 4) }));
    const missing = observed.map((one) => ({ ...one, actual: Float64Array.of(...one.actual, NaN, NaN) }));
    expect(learnGains(missing)).toEqual(learnGains(observed));
    const [first, ...others] = cases(0) as [LearningCase, ...LearningCase[]];
    const unknown = learnGains([{ ...first, actual: new Float64Array(6).fill(NaN) }, ...others]);
    for (const gain of unknown) expect(Number.isFinite(gain)).toBe(true);
  });

  it('moves less weight when there are fewer series', () => {
    const moved = (count: number): number => learnGains(cases(0, 1.05).slice(0, count))[0]!;
    expect(moved(10)).toBeGreaterThan(1.1);
    expect(moved(10)).toBeLessThan(0.7 * moved(40));
  });

  it('yields finite weights however far apart the members are', () => {
    const apart = cases(0, 1e12);
    const weights = weightsFor(60, learnGains(apart));
    expect(weights.every((weight) => weight >= 0)).toBe(true);
    expect(weights[0]).toBeCloseTo(1, 9);
  });

  it('keeps the prior weights when there are too few series', () => {
    expect(learnGains(cases(0).slice(0, 3))).toEqual(NO_GAINS);
  });

  it('does not change the weights of histories too short to learn from', () => {
    expect(weightsFor(18, learnGains(cases(0)))).toEqual(weightsFor(18, NO_GAINS));
  });

  it('gives short histories to the network and ridge-Fourier', () => {
    expect(weightsFor(8, NO_GAINS)).toEqual(byMember((name) => Number(name === 'network')));
    for (const months of [13, 24, 48, 400]) {
      expect(weightsFor(months, NO_GAINS).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
    }
  });
});
