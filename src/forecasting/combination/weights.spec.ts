import { describe, expect, it } from '@jest/globals';
import { NO_GAINS, weightsFor } from './weights.js';

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
