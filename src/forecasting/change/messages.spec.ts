import { describe, expect, it } from '@jest/globals';
import type { DemandHistory } from '../types.js';
import { levelShift, type ShiftTotals, spikeOrDrop } from './messages.js';

/** Starts in January 2020. */
const HISTORY: DemandHistory = { id: 'a', startMonth: 24_240, values: Float64Array.of(10.5, 12) };

describe('spikeOrDrop', () => {
  it.each([
    [150, 100, 'spike', 'high', 50, 'Demand in March 2020 was 150, 50 % above the 100 expected.'],
    [75, 100, 'drop', 'medium', -25, 'Demand in March 2020 was 75, 25 % below the 100 expected.'],
    [76, 100, 'drop', 'low', -24, 'Demand in March 2020 was 76, 24 % below the 100 expected.'],
    [0, 100, 'drop', 'high', -100, 'There was no demand in March 2020 against the 100 expected.'],
    [5, 0, 'spike', 'high', 100, 'Demand in March 2020 was 5 where none was expected.'],
    [2000, 0.0033, 'spike', 'high', 9999, 'Demand in March 2020 was 2,000 where none was expected.'],
    [0.2, 0.001, 'spike', 'high', 9999, 'Demand in March 2020 was 0.2, far above the 0.001 expected.'],
    [399, 100, 'spike', 'high', 299, 'Demand in March 2020 was 399, 299 % above the 100 expected.'],
    [437, 100, 'spike', 'high', 337, 'Demand in March 2020 was 437, 4.4 times the 100 expected.'],
    [1e9, 1, 'spike', 'high', 9999, 'Demand in March 2020 was 1,000,000,000, far above the 1 expected.'],
    [
      -5,
      100,
      'drop',
      'high',
      -100,
      'More was returned than sold in March 2020: demand was -5 against the 100 expected.',
    ],
  ])('reports %d where %d was expected', (observed, expected, kind, severity, changePercent, message) => {
    const told = { kind, month: 24_242, detectedMonth: 24_242, severity, changePercent, message };
    expect(spikeOrDrop(HISTORY, 2, observed, expected)).toEqual(told);
  });

  it.each([
    [0.15, 0.1 + 1e-9, 'high'],
    [50.04, 100, 'high'],
    [50.06, 100, 'medium'],
    [124.95, 100, 'medium'],
    [124.94, 100, 'low'],
  ])('has the severity of the reported percentage: %d where %d was expected', (observed, expected, severity) => {
    expect(spikeOrDrop(HISTORY, 2, observed, expected).severity).toBe(severity);
  });

  it('reports a fall of 100 % only when no demand is left', () => {
    const told = (observed: number) => spikeOrDrop(HISTORY, 2, observed, 4000).message;
    expect(told(0.5)).toBe('Demand in March 2020 was 0.5, almost 100 % below the 4,000 expected.');
    expect(told(40)).toBe('Demand in March 2020 was 40, 99 % below the 4,000 expected.');
  });
});

const NO_MONTHS: ShiftTotals[] = [];

describe('levelShift', () => {
  const tell = (observed: number, expected: number, months = 4) =>
    levelShift({ ...HISTORY, unit: 'kg' }, { start: 2, end: 5 }, { observed, expected, months }, NO_MONTHS);

  it('reports means of pieces from which its percentage follows', () => {
    const pieces = { ...HISTORY, values: Float64Array.of(30, 40), unit: 'pieces' };
    const totals = { observed: 129, expected: 223.2, months: 6 };
    expect(levelShift(pieces, { start: 2, end: 7 }, totals, NO_MONTHS).message).toBe(
      'Demand has been 42 % lower than expected since March 2020: 21.5 pieces a month over the first 6 months against 37.2.',
    );
  });

  it('reports the months since it started by their means', () => {
    expect(tell(600, 400)).toEqual({
      kind: 'level_shift_up',
      month: 24_242,
      detectedMonth: 24_245,
      severity: 'high',
      changePercent: 50,
      message:
        'Demand has been 50 % higher than expected since March 2020: 150 kg a month over the first 4 months against 100.',
    });
    expect(tell(90, 100, 1)).toMatchObject({
      kind: 'level_shift_down',
      severity: 'low',
      changePercent: -10,
      message:
        'Demand has been 10 % lower than expected since March 2020: 90 kg a month over the first month against 100.',
    });
  });

  it('reports a rise to several times the expected demand as a multiple', () => {
    expect(tell(5.2, 0.4)).toMatchObject({
      changePercent: 1200,
      message:
        'Demand has been 13 times what was expected since March 2020: 1.3 kg a month over the first 4 months against 0.1.',
    });
  });

  it('reports no percentage for disproportionate changes', () => {
    expect(tell(12, 0.04)).toMatchObject({
      changePercent: 9999,
      message:
        'Demand has been far higher than expected since March 2020: 3 kg a month over the first 4 months against 0.01.',
    });
  });

  it('reports demand where none was expected, no demand and net returns without a percentage', () => {
    expect(tell(8, 0)).toMatchObject({
      changePercent: 100,
      message: 'There has been demand since March 2020 where none was expected: 2 kg a month over the first 4 months.',
    });
    expect(tell(8, 1e-9).message).toBe(tell(8, 0).message);
    expect(tell(-8, 0).message).toBe(
      'More has been returned than sold since March 2020: -2 kg a month over the first 4 months.',
    );
    expect(tell(0, 40)).toMatchObject({
      changePercent: -100,
      message: 'There has been no demand since March 2020 against the 10 kg a month expected.',
    });
    const sold = { ...HISTORY, values: Float64Array.of(9, 9, 100, -100, 100, -100), unit: 'kg' };
    expect(
      levelShift(sold, { start: 2, end: 5 }, { observed: 0, expected: 40, months: 4 }, NO_MONTHS).message,
    ).toContain('100 % lower than expected');
    expect(tell(-8, 40)).toMatchObject({
      changePercent: -100,
      message: 'More has been returned than sold since March 2020: -2 kg a month over the first 4 months against 10.',
    });
  });

  it('does not report a level as lasting that later months have left', () => {
    const messageOf = (observed: number, expected: number, later = NO_MONTHS): string => {
      const history = { ...HISTORY, values: Float64Array.of(9, 9, 1, 2, 3), unit: 'kg' };
      return levelShift(history, { start: 2, end: 4 }, { observed, expected, months: 3 }, later).message;
    };
    const two = (observed: number, expected = 20) =>
      Array.from({ length: 2 }, () => ({ observed: observed / 2, expected: expected / 2, months: 1 }));
    expect(messageOf(6, 30, two(13))).toBe(
      'Demand was 80 % lower than expected from March 2020 to May 2020: 2 kg a month against 10.',
    );
    expect(messageOf(6, 30, two(12))).toMatch(
      /^Demand has been 80 % lower than expected since March 2020: .* 3 months /,
    );
    expect(messageOf(6, 30, two(24, 40))).toMatch(/^Demand has been 80 % lower than expected since March 2020: /);
    expect(messageOf(60, 30, two(29))).toMatch(/^Demand was 100 % higher than expected from March 2020 to May 2020: /);
    expect(messageOf(60, 30, two(30))).toMatch(/^Demand has been 100 % higher than expected since March 2020: /);
    expect(messageOf(60, 30, two(9, 6))).toMatch(/^Demand has been 100 % higher than expected since March 2020: /);
    expect(messageOf(60, 30, [{ observed: 2, expected: 10, months: 1 }])).toMatch(
      /^Demand has been 100 % higher than expected since March 2020: /,
    );
    expect(messageOf(300, 30, two(5))).toMatch(/^Demand was 10 times what was expected from March 2020 to May 2020: /);
    expect(messageOf(6, 0, two(1, 0))).toBe(
      'There was demand from March 2020 to May 2020 where none was expected: 2 kg a month.',
    );
    expect(messageOf(6, 0, two(2, 0))).toMatch(/^There has been demand since March 2020 where none was expected: /);
    expect(messageOf(-6, 30, two(9))).toBe(
      'More was returned than sold from March 2020 to May 2020: -2 kg a month against 10.',
    );
    const back = levelShift(
      { ...HISTORY, values: Float64Array.of(9, 9, 90, 9, 8, 90, 95) },
      { start: 3, end: 4, undone: 2 },
      { observed: 17, expected: 180, months: 2 },
      [90, 95].map((observed) => ({ observed, expected: 90, months: 1 })),
    );
    expect(back.message).toMatch(
      /^Demand was back from April 2020 to May 2020 at its level from before March 2020: 8.5 a month against 90\.$/,
    );
  });

  it('ends a level where the months since are back, however long it lasted', () => {
    const history = { ...HISTORY, values: Float64Array.of(9, 9, 1, 2, 3, 1, NaN, 2, 9, 11, 12, 10) };
    const told = (...demands: number[]) => {
      const later = demands.map((observed) => ({ observed, expected: 10, months: 1 }));
      return levelShift(history, { start: 2, end: 4 }, { observed: 6, expected: 30, months: 3 }, later);
    };
    expect(told(1, 2, 9, 11, 12)).toMatchObject({
      changePercent: -80,
      message: 'Demand was 82 % lower than expected from March 2020 to August 2020: 1.8 a month against 10.',
      isOver: true,
    });
    const lasting = told(1, 2, 9);
    expect(lasting.message).toMatch(/^Demand has been 80 % lower than expected since March 2020: /);
    expect(lasting.isOver).toBeUndefined();
    // back for a while, but no longer
    expect(told(9, 11, 12, 1, 2, 1).isOver).toBeUndefined();
  });

  it('does not end a level over next to nothing because of what smoothing left of a season', () => {
    const history = { ...HISTORY, values: Float64Array.of(9, 9, 0, 0, 20, 21, 20, 19, 20) };
    const later = [1e-12, 1e-9, 1e-10].map((expected) => ({ observed: 20, expected, months: 1 }));
    const told = levelShift(history, { start: 4, end: 5 }, { observed: 41, expected: 1e-12, months: 2 }, later);
    expect(told).not.toHaveProperty('isOver');
    expect(told.message).toMatch(/^There has been demand since May 2020 /);
  });

  it('ends a return by the level that demand is back at', () => {
    const history = { ...HISTORY, values: Float64Array.of(9, 9, 0, 0, 20, 21, 9, 8) };
    const told = (atFormerLevel: number) =>
      levelShift(
        history,
        { start: 4, end: 5, undone: 2 },
        { observed: 41, expected: 1, months: 2 },
        [9, 8].map((observed) => ({ observed, expected: 0.5, months: 1, atFormerLevel })),
      ).isOver;
    expect(told(9)).toBeUndefined();
    expect(told(20)).toBe(true);
  });

  it('does not report a lack of demand as lasting that later months have ended', () => {
    const messageOf = (end: number, ...values: number[]): string => {
      const history = { ...HISTORY, values: Float64Array.of(9, 9, ...values), unit: 'kg' };
      const months = end - 1;
      return levelShift(history, { start: 2, end }, { observed: 0, expected: 10 * months, months }, NO_MONTHS).message;
    };
    expect(messageOf(5, 0, 0, 0, 0, 0, -2)).toMatch(/^There has been no demand since March 2020 against /);
    expect(messageOf(5, 0, 0, 0, 0, 0, -2, NaN, 12, 0)).toBe(
      'There was no demand from March 2020 to August 2020 against the 10 kg a month expected.',
    );
    expect(messageOf(2, 0, 12)).toBe('There was no demand in March 2020 against the 10 kg a month expected.');
  });
});
