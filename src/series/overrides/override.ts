import { withoutTail } from '../../numeric/decimals.js';

/** What an override does to the median: replaces it, adds to it, or changes it by so many percent. */
export const OVERRIDE_KINDS = ['absolute', 'delta', 'percent'] as const;
export type OverrideKind = (typeof OVERRIDE_KINDS)[number];

/** The part of an override that a forecast needs. */
export interface OverrideValue {
  readonly kind: OverrideKind;
  /** In the unit of the series; for `percent` in percent, 10 raising the median by a tenth. */
  readonly value: number;
}

/**
 * `final` of a forecast month: the median with the planner's correction, if any. Never below zero, since there is no negative demand.
 * The median itself stays as the model gave it.
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
