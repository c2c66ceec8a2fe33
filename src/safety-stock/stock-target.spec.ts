import { describe, expect, it } from '@jest/globals';
import { targetOf, withinHorizon } from './stock-target.js';

describe('the stock target of a series', () => {
  it('is the usual one where the series has none', () => {
    expect(targetOf({ lead_time_months: null })).toEqual({ leadTime: 1, leadTimeSd: 0, serviceLevel: 0.95 });
    expect(targetOf({ lead_time_months: 2, lead_time_sd_months: 0.5, target_service_level: 0.9 })).toEqual({
      leadTime: 2,
      leadTimeSd: 0.5,
      serviceLevel: 0.9,
    });
  });

  it.each([
    [2, 0.5, 2, 0.5],
    [14, 2, 12, 0],
    [11, 2, 11, 0.5],
    [1, 1.5, 1, 1],
  ])('of %d ± %d months is that of %d ± %d where the forecast has twelve', (leadTime, leadTimeSd, mean, sd) => {
    expect(withinHorizon({ leadTime, leadTimeSd, serviceLevel: 0.9 }, 12)).toEqual({
      leadTime: mean,
      leadTimeSd: sd,
      serviceLevel: 0.9,
    });
  });
});
