import { describe, expect, it } from '@jest/globals';
import { SEASON } from '../../types.js';
import { type MonthlyDeviation, shrunkSeason } from './shrunk-season.js';

const wave = (month: number): number => Math.cos((2 * Math.PI * month) / SEASON);

/** Two years of a wave, every month of which lies above it in the one and below it in the other. */
function twoYears(height: number, noise: number): MonthlyDeviation[] {
  return Array.from({ length: 2 * SEASON }, (_, t) => ({
    calendarMonth: t % SEASON,
    deviation: height * wave(t) + (t < SEASON ? noise : -noise),
  }));
}

describe('shrunkSeason', () => {
  it.each([
    ['whole where the years agree', 2, 0, 1],
    ['shrunk by what they differ', 2, 1, 0.75],
    ['none where they differ by as much', 2, 2, 0],
  ])('is %s', (_, height, noise, kept) => {
    shrunkSeason(twoYears(height, noise)).forEach((effect, month) =>
      expect(effect).toBeCloseTo(kept * height * wave(month), 9),
    );
  });

  it('is none within the first year', () => {
    expect([...shrunkSeason(twoYears(2, 0).slice(0, SEASON))]).toEqual(new Array<number>(SEASON).fill(0));
  });
});
