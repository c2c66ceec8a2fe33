import type { ExplainedChange, ExplainedMonth } from '../../forecasting/index.js';
import { withoutTail } from '../../numeric/decimals.js';
import { applyOverride, type MonthlyOverrides, type OverrideValue } from '../../series/index.js';
import { sizeOf } from './rounded-change.js';

/**
 * Adds overrides to an explained change: both values of each month become final values, and the difference between what overrides
 * add now and what they added then becomes a component of its own. Overrides act on the median, as in forecast rows; a mean moves
 * by the same amount.
 */
export function withOverrides(
  { months, medians }: ExplainedChange,
  then: MonthlyOverrides | undefined,
  now: MonthlyOverrides | undefined,
): ExplainedMonth[] {
  return months.map((month, k) => {
    const prior = finalOf(month.prior, medians[k]!.prior, then?.get(month.month));
    const current = finalOf(month.current, medians[k]!.current, now?.get(month.month));
    const size = Math.max(sizeOf(month), sizeOf({ prior, current }));
    return {
      ...month,
      prior,
      current,
      total: withoutTail(current - prior, size),
      overrides: withoutTail(current - month.current - (prior - month.prior), size),
    };
  });
}

/** If the forecast is the median itself: exactly the overridden median, as in forecast rows. */
function finalOf(forecast: number, median: number, override: OverrideValue | undefined): number {
  if (override === undefined) return forecast;
  const final = applyOverride(median, override);
  return forecast === median ? final : withoutTail(final + (forecast - median));
}
