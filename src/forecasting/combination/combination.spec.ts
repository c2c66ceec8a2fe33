import { describe, expect, it } from '@jest/globals';
import { constantForecast, emptyForecast } from '../methods/forecaster.js';
import { writeNormalQuantiles } from '../quantiles/normal-quantiles.js';
import { createRandom } from '../../numeric/random.js';
import { LEVELS, type QuantileForecast } from '../types.js';
import { averageForecasts } from './average.js';
import { applyCalibration, learnCalibration } from './calibration.js';
import { learnGains, type LearningCase } from './learn-gains.js';
import { byMember } from './member-names.js';
import { MAX_GAINS, NO_GAINS, PRIOR_WEIGHTS, weightsFor } from './weights.js';

function normalForecast(mean: number, deviation: number, horizon: number): QuantileForecast {
  const forecast = emptyForecast(horizon);
  forecast.mean.fill(mean);
  for (let k = 0; k < horizon; k++) writeNormalQuantiles(forecast.quantiles, k, mean, deviation);
  return forecast;
}

describe('averageForecasts', () => {
  it('averages quantile by quantile and redistributes the weight of absent members', () => {
    const average = averageForecasts([constantForecast(2, 3), null, constantForecast(8, 3)], [0.25, 0.5, 0.25]);
    expect(average.quantiles.every((value) => value === 5)).toBe(true);
  });
});

describe('weightsFor', () => {
  it('keeps the learned weights when the members that model trend have none', () => {
    expect(weightsFor(60, [0, 1, 1, 1, 0, 0, 1, 0], 1)).toEqual(weightsFor(60, [0, 1, 1, 1, 0, 0, 1, 0]));
  });

  it('moves weight to the members that model trend the more steadily demand grows', () => {
    const [usual, steadier, steady] = [0, 0.5, 1].map((steadiness) => weightsFor(60, NO_GAINS, steadiness));
    const [averagedEts, dynamicTheta, theta, seasonalNaive, network, networkAdjusted, ridgeFourier] = steady!;
    expect([dynamicTheta, theta, seasonalNaive, ridgeFourier]).toEqual([0, 0, 0, 0]);
    expect([averagedEts, network, networkAdjusted]).toEqual([0.375, expect.closeTo(5 / 12), expect.closeTo(5 / 24)]);
    usual!.forEach((weight, m) => {
      expect((steadier![m]! - weight) * (steady![m]! - steadier![m]!)).toBeGreaterThan(0);
    });
  });
});

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

describe('calibration', () => {
  const cases = (deviation: number, months = 60, window = 0) => {
    const random = createRandom(2);
    return Array.from({ length: 300 }, () => ({
      window,
      months,
      forecast: normalForecast(100, deviation, 6),
      actual: Float64Array.from({ length: 6 }, () => {
        const radius = Math.sqrt(-2 * Math.log(1 - random()));
        return 100 + 10 * radius * Math.cos(2 * Math.PI * random());
      }),
    }));
  };

  it('leaves a forecast with the right spread unchanged', () => {
    for (const factor of learnCalibration(cases(10), 6)) expect(Math.abs(factor - 1)).toBeLessThan(0.06);
  });

  it('moves closer to the right spread, on a logarithmic scale, the more windows agree', () => {
    const windows = (...deviations: number[]) => deviations.flatMap((deviation, w) => cases(deviation, 60, w));
    const way = (learned: readonly number[]): number => Math.log2(learned[0]!);
    expect(way(learnCalibration(windows(5), 6))).toBeCloseTo(0.45, 1);
    expect(way(learnCalibration(windows(5, 5, 5, 5), 6))).toBeCloseTo(0.93, 1);
    expect(way(learnCalibration(windows(2.5, 10, 2.5, 10), 6))).toBeLessThan(0.5);
  });

  it('learns from observed months only', () => {
    const observed = cases(5).map((one) => ({ ...one, actual: one.actual.subarray(0, 4) }));
    const missing = observed.map((one) => ({ ...one, actual: Float64Array.of(...one.actual, NaN, NaN) }));
    expect(learnCalibration(missing, 6)).toEqual(learnCalibration(observed, 6));
  });

  it('learns from short histories only when there are few long ones', () => {
    const [long, short] = [cases(10), cases(5, 30)];
    expect(learnCalibration([...long, ...short], 6)).toEqual(learnCalibration(long, 6));
    expect(learnCalibration([...long.slice(0, 20), ...short], 6)[0]).toBeGreaterThan(1.15);
  });

  it('scales around the median by thirds of the horizon', () => {
    const forecast = normalForecast(100, 10, 6);
    const before = forecast.quantiles.slice();
    applyCalibration(forecast, [1, 2, 3], 3);
    [1, 2, 3, 3, 3, 3].forEach((factor, k) => {
      for (let j = 0; j < LEVELS; j++) {
        expect(forecast.quantiles[k * LEVELS + j]! - 100).toBeCloseTo(factor * (before[k * LEVELS + j]! - 100), 9);
      }
    });
  });
});
