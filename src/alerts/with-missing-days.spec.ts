import { describe, expect, it } from '@jest/globals';
import type { ChangeKind, DemandChange } from '../forecasting/change/index.js';
import { monthNumber } from '../forecasting/index.js';
import { withMissingDays } from './with-missing-days.js';

const MESSAGE = 'Demand in November 2026 was 90, 25 % below the 120 expected.';

const change = (kind: ChangeKind, month: number, detectedMonth = month): DemandChange => ({
  kind,
  month: monthNumber(2026, month),
  detectedMonth: monthNumber(2026, detectedMonth),
  severity: 'medium',
  changePercent: -25,
  message: MESSAGE,
});

const OVER_THE_END = [{ from: '2026-10-28', to: '2026-11-03' }];

describe('the message of an alert', () => {
  it.each([
    change('drop', 10),
    change('drop', 11),
    change('level_shift_down', 8, 10),
    change('level_shift_down', 11, 12),
  ])('names missing days in the months of a fall', (fall) => {
    expect(withMissingDays(fall, OVER_THE_END).message).toBe(
      `${MESSAGE} No series has demand on record from 28 October 2026 to 3 November 2026: check whether these days were uploaded.`,
    );
  });

  it.each([
    change('drop', 9),
    change('drop', 12),
    change('spike', 11),
    change('level_shift_up', 11),
    change('trend_change', 11),
  ])('names none of other months, nor for other changes', (other) => {
    expect(withMissingDays(other, OVER_THE_END)).toBe(other);
  });

  it('names all of several spells', () => {
    const { message } = withMissingDays(change('drop', 10), [
      { from: '2026-10-05', to: '2026-10-11' },
      ...OVER_THE_END,
    ]);
    expect(message).toContain('from 5 October 2026 to 11 October 2026 and from 28 October 2026 to 3 November 2026');
  });
});
