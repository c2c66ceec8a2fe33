import type { ChangeSum, ExplainedChange, ExplainedMonth } from '../../forecasting/index.js';
import { FORECAST_DIGITS } from '../../forecasts/index.js';
import { decimalsOf, toDecimals, withoutTail } from '../../numeric/decimals.js';

/** The components that the engine estimates. What overrides add is known exactly and not rounded. */
const ESTIMATED = [
  'dataRevision',
  'newActualsLevel',
  'newActualsTrend',
  'newActualsSeason',
  'reestimation',
  'modelChange',
] as const;

/** The larger of two forecasts, which determines the number of decimals of their difference. */
export const sizeOf = ({ prior, current }: Pick<ChangeSum, 'prior' | 'current'>): number =>
  Math.max(Math.abs(prior), Math.abs(current));

/** An explained change (before overrides), rounded to the precision of the forecasts that it explains. */
export function roundedChange(change: ExplainedChange): ExplainedChange {
  return { ...change, months: change.months.map(roundMonth) };
}

/** Rounds the components to the decimals of the larger forecast; the largest takes the remainder, so that they sum to the change. */
function roundMonth(month: ExplainedMonth): ExplainedMonth {
  const size = sizeOf(month);
  const decimals = decimalsOf(size, FORECAST_DIGITS);
  const total = withoutTail(month.total, size);
  const parts = ESTIMATED.map((part) => toDecimals(month[part], decimals));
  const sizes = parts.map(Math.abs);
  const largest = sizes.indexOf(Math.max(...sizes));
  parts[largest] = withoutTail(total - parts.reduce((sum, part, at) => (at === largest ? sum : sum + part), 0), size);
  return { ...month, total, ...Object.fromEntries(ESTIMATED.map((part, at) => [part, parts[at]!])) };
}

/** A sum of rounded months, with their precision and without floating-point noise such as .30000000000000004. */
export function roundedSum(sum: ChangeSum): ChangeSum {
  const size = sizeOf(sum);
  const rounded = Object.entries(sum).map(([name, value]: [string, number]) => [name, withoutTail(value, size)]);
  return Object.fromEntries(rounded) as Record<keyof ChangeSum, number>;
}
