import type { ExplainedMonth } from '../../forecasting/index.js';
import { applyOverride, type OverrideValue } from '../../series/index.js';

/** Overrides of one series by month number; undefined where it has none. */
type MonthlyOverrides = ReadonlyMap<number, OverrideValue> | undefined;

/**
 * Puts overrides into an explained month: both ends become final values, and what overrides add now beyond what
 * they added then is a part of its own.
 */
export function withOverrides(month: ExplainedMonth, then: MonthlyOverrides, now: MonthlyOverrides): ExplainedMonth {
  const prior = finalOf(month.prior, then?.get(month.month));
  const current = finalOf(month.current, now?.get(month.month));
  return {
    ...month,
    prior,
    current,
    total: current - prior,
    overrides: current - month.current - (prior - month.prior),
  };
}

function finalOf(forecast: number, override: OverrideValue | undefined): number {
  return override === undefined ? forecast : applyOverride(forecast, override);
}
