import { describe, expect, it } from '@jest/globals';
import { monthNumber } from '../forecasting/index.js';
import { warningsOfToday } from './known-today.js';

const NOVEMBER = monthNumber(2026, 11);

describe('the warnings about a stock recommendation as of today', () => {
  const warn = (firstMonth: number, leadTime: number, overridden: number[] = []): string[] =>
    warningsOfToday(firstMonth, leadTime, { monthInProgress: NOVEMBER, overridden });

  it.each([
    [0.5, 'September 2026'],
    [1, 'September 2026'],
    [1.5, 'September 2026 to October 2026'],
    [4, 'September 2026 to December 2026'],
  ])('include a lead time of %p months that starts two months before the current one', (leadTime, span) => {
    expect(warn(NOVEMBER - 2, leadTime)).toEqual([
      `The lead time covers ${span}, because the run had no later data for the series; the current month is November 2026.`,
    ]);
  });

  it('include data that ended twenty years ago', () => {
    expect(warn(NOVEMBER - 240, 1)).toEqual([expect.stringContaining('covers November 2006, because')]);
  });

  it.each([
    ['last month, which might not be closed yet', -1],
    ['this month', 0],
    ['next month', 1],
  ])('are empty when the lead time starts %s', (_, months) => {
    expect(warn(NOVEMBER + months, 2)).toEqual([]);
  });

  it('name the overrides within the lead time in order, and no others', () => {
    expect(warn(NOVEMBER, 1, [NOVEMBER - 1, NOVEMBER + 1])).toEqual([]);
    expect(warn(NOVEMBER, 1, [NOVEMBER])).toEqual([
      'The override of November 2026 is not included: safety stock is computed from the forecast itself.',
    ]);
    expect(warn(NOVEMBER, 1.1, [NOVEMBER + 2, NOVEMBER + 1, NOVEMBER])).toEqual([
      'The overrides of November 2026, December 2026 are not included: safety stock is computed from the forecast itself.',
    ]);
  });
});
