import { describe, expect, it } from '@jest/globals';
import type { ChangeKind, DemandChange } from '../forecasting/change/index.js';
import { monthNumber } from '../forecasting/index.js';
import type { OverrideValue } from '../series/index.js';
import { withOverrides } from './with-overrides.js';

const MESSAGE = 'Demand in November 2026 was 1,300, 4.3 times the 300 expected.';

const change = (kind: ChangeKind, month: number, detectedMonth = month): DemandChange => ({
  kind,
  month: monthNumber(2026, month),
  detectedMonth: monthNumber(2026, detectedMonth),
  severity: 'high',
  changePercent: 333,
  message: MESSAGE,
});
const overrides = (...of: [number, OverrideValue['kind'], number][]) =>
  new Map(of.map(([month, kind, value]) => [monthNumber(2026, month), { kind, value }]));

describe('the message of an alert', () => {
  it.each([
    [overrides([11, 'absolute', 1200.5]), 'to 1,200.5'],
    [overrides([11, 'delta', -40]), 'by -40'],
    [overrides([11, 'percent', 50]), 'by +50 %'],
  ])('names the override of its month', (of, what) => {
    expect(withOverrides(change('spike', 11), of).message).toBe(
      `${MESSAGE} An override had changed the forecast of November 2026 ${what}.`,
    );
  });

  it('names the overrides of the months of a level shift, oldest first', () => {
    const of = overrides([12, 'delta', 9], [11, 'percent', 40], [9, 'percent', 40], [10, 'percent', 40]);
    expect(withOverrides(change('level_shift_up', 10, 11), of).message).toBe(
      `${MESSAGE} Overrides had changed the forecast of October 2026 by +40 % and November 2026 by +40 %.`,
    );
  });

  it('names none of other months, nor for a trend', () => {
    const spike = change('spike', 11);
    expect(withOverrides(spike, undefined)).toBe(spike);
    expect(withOverrides(spike, overrides([10, 'delta', 5], [12, 'delta', 5]))).toBe(spike);
    const turn = change('trend_change', 11);
    expect(withOverrides(turn, overrides([11, 'delta', 5]))).toBe(turn);
  });
});
