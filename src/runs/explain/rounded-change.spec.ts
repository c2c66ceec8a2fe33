import { describe, expect, it } from '@jest/globals';
import { type ExplainedMonth, monthNumber, sumChanges } from '../../forecasting/index.js';
import { roundedChange, roundedSum } from './rounded-change.js';

const month: ExplainedMonth = {
  month: monthNumber(2026, 12),
  prior: 190.2,
  current: 221.1234,
  total: 221.1234 - 190.2,
  dataRevision: -3.2000000000000171,
  newActualsLevel: 31.123456789,
  newActualsTrend: 1.987654321,
  newActualsSeason: -0.4,
  reestimation: 0.8,
  modelChange: 221.1234 - 190.2 + 3.2 - 31.123456789 - 1.987654321 + 0.4 - 0.8,
  overrides: 0,
};
const reported = (change: ExplainedMonth): ExplainedMonth =>
  roundedChange({ measure: 'median', months: [change], medians: [] }).months[0]!;
const WHOLE = ['month', 'prior', 'current', 'total'];
const partsOf = (change: ExplainedMonth): number[] =>
  Object.entries(change).flatMap(([name, value]: [string, number]) => (WHOLE.includes(name) ? [] : [value]));
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

describe('a reported change', () => {
  it('has the decimals of the forecasts that it explains', () => {
    expect(reported(month)).toEqual({
      ...month,
      total: 30.9234,
      dataRevision: -3.2,
      newActualsLevel: 31.1234,
      newActualsTrend: 1.9877,
      newActualsSeason: -0.4,
      reestimation: 0.8,
      modelChange: 0.6123,
    });
  });

  it.each([
    [0.01234567, 221.1234],
    [221.1234, 0.01234567],
  ])('has the decimals of the larger of the two, from %p to %p', (prior, current) => {
    const total = current - prior;
    const change = reported({ ...month, prior, current, total, reestimation: 0.87654321, modelChange: 2 * total });
    expect(change).toMatchObject({ newActualsTrend: 1.9877, reestimation: 0.8765 });
  });

  it('has parts that sum to it, however small one forecast is relative to the other', () => {
    for (const prior of [190.2, 0.01234567, 0]) {
      const model = month.modelChange + 190.2 - prior;
      const change = reported({ ...month, prior, total: month.current - prior, modelChange: model });
      expect(Math.abs(sum(partsOf(change)) - (change.current - prior))).toBeLessThan(1e-9);
      expect(change.total).toBe(Number((month.current - prior).toFixed(9)));
    }
  });

  it('is zero when nothing has changed', () => {
    const { prior } = month;
    const none = Object.fromEntries(Object.keys(month).map((name) => [name, 0])) as unknown as ExplainedMonth;
    expect(reported({ ...none, prior, current: prior })).toEqual({ ...none, prior, current: prior });
    expect(reported(none)).toEqual(none);
  });

  it('sums over months without rounding noise', () => {
    const months = Array.from({ length: 10 }, (_, k) => reported({ ...month, month: month.month + k }));
    expect(sumChanges(months).total).not.toBe(309.234);
    expect(roundedSum(sumChanges(months))).toMatchObject({
      prior: 1_902,
      current: 2_211.234,
      total: 309.234,
      dataRevision: -32,
    });
  });
});
