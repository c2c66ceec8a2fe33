import { describe, expect, it } from '@jest/globals';
import { type ExplainedChange, monthNumber } from '../../forecasting/index.js';
import type { OverrideValue } from '../../series/index.js';
import { withOverrides } from './with-overrides.js';

const MONTH = monthNumber(2026, 12);

/** A month whose expected demand rose from .3 to .4 while its median remained at `median`. */
function change(measure: ExplainedChange['measure'], median: number): ExplainedChange {
  const [prior, current] = measure === 'mean' ? [0.3, 0.4] : [median, median];
  const month = {
    month: MONTH,
    prior,
    current,
    total: current - prior,
    dataRevision: 0,
    newActualsLevel: current - prior,
    newActualsTrend: 0,
    newActualsSeason: 0,
    reestimation: 0,
    modelChange: 0,
    overrides: 0,
  };
  return { measure, months: [month], medians: [{ prior: median, current: median }] };
}

const overriding = (override: OverrideValue): ReadonlyMap<number, OverrideValue> => new Map([[MONTH, override]]);

describe('withOverrides', () => {
  it.each([
    [{ kind: 'delta', value: 5 }, 0, 5],
    [{ kind: 'absolute', value: 3 }, 0, 3],
    [{ kind: 'percent', value: 50 }, 2, 1],
    [{ kind: 'percent', value: 50 }, 0, 0],
    [{ kind: 'delta', value: -5 }, 2, -2],
  ] as const)('attributes to %j what it adds to a median of %d, whatever is explained', (override, median, added) => {
    for (const measure of ['mean', 'median'] as const) {
      const [before] = change(measure, median).months;
      const [month] = withOverrides(change(measure, median), undefined, overriding(override));
      expect(month!.overrides).toBeCloseTo(added, 12);
      expect(month!.prior).toBe(before!.prior);
      expect(month!.current).toBeCloseTo(before!.current + added, 12);
      expect(month!.total).toBeCloseTo(month!.newActualsLevel + month!.overrides, 12);
    }
  });

  it('reproduces the final value of forecast rows exactly when medians are explained', () => {
    const value = 1_234_567.123_456_7;
    const [month] = withOverrides(change('median', 0.1), undefined, overriding({ kind: 'absolute', value }));
    expect(month!.current).toBe(value);
  });

  it.each([
    [0.3, 5_000_000.3, 5_000_000.1],
    [5_000_000.7, 0.3, 0.1],
  ])('has no tail of binary fractions, for a median of %p with overrides of %p and %p', (median, then, now) => {
    const of = (value: number) => overriding({ kind: 'absolute', value });
    const [month] = withOverrides(change('median', median), of(then), of(now));
    expect(month).toMatchObject({ total: -0.2, overrides: -0.2 });
  });

  it('attributes nothing to unchanged overrides', () => {
    const unchanged = overriding({ kind: 'delta', value: 5 });
    const [month] = withOverrides(change('mean', 0), unchanged, unchanged);
    expect(month!.overrides).toBeCloseTo(0, 12);
    expect([month!.prior, month!.current]).toEqual([5.3, 5.4]);
  });
});
