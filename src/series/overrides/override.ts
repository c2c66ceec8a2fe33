import type { MonthNumber } from '../../forecasting/index.js';
import { withoutTail } from '../../numeric/decimals.js';

/** How an override changes the median: replaces it, adds to it, or changes it by a percentage. */
export const OVERRIDE_KINDS = ['absolute', 'delta', 'percent'] as const;
export type OverrideKind = (typeof OVERRIDE_KINDS)[number];

/** The part of an override that a forecast needs. */
export interface OverrideValue {
  readonly kind: OverrideKind;
  /** In the unit of the series; for `percent` in percent: 10 raises the median by a tenth. */
  readonly value: number;
}

/** The overrides of a series by month. */
export type MonthlyOverrides = ReadonlyMap<MonthNumber, OverrideValue>;

/**
 * `final` of a forecast month: the median with the planner's override, if any. Never negative, as demand cannot be. The median itself
 * remains the model's.
 */
export function applyOverride(median: number, override: OverrideValue | undefined): number {
  if (override === undefined) return median;
  return Math.max(0, corrected(median, override));
}

function corrected(median: number, { kind, value }: OverrideValue): number {
  switch (kind) {
    case 'absolute':
      return value;
    case 'delta':
      return withoutTail(median + value, Math.max(median, Math.abs(value)));
    case 'percent':
      return withoutTail(median * (1 + value / 100));
  }
}
