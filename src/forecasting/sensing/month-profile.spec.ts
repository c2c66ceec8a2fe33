import { describe, expect, it } from '@jest/globals';
import { monthNumber } from '../calendar.js';
import { EVEN_WEEK, profileShares } from './month-profile.js';

const JUNE = monthNumber(2024, 6);

describe('profileShares', () => {
  it('attributes sales of the last day to the last day', () => {
    const cumulative = Array.from({ length: 32 }, (_, k) => Number(k === 31));
    expect(profileShares({ cumulative, weekdays: EVEN_WEEK }, JUNE - 1, [30 / 31, 30.5 / 31, 1])).toEqual([
      0,
      expect.closeTo(0.5, 9),
      1,
    ]);
  });
});
