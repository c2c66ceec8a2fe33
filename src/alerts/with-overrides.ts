import type { DemandChange } from '../forecasting/change/index.js';
import { monthInWords } from '../forecasting/index.js';
import type { MonthlyOverrides, OverrideValue } from '../series/index.js';

const NUMBER = new Intl.NumberFormat('en');
const SIGNED = new Intl.NumberFormat('en', { signDisplay: 'exceptZero' });
const LIST = new Intl.ListFormat('en-GB');

/**
 * Months that planners had overridden say so in the message of their alert: a promotion that was planned is no news.
 * @param overrides of the series, in force when their month began
 */
export function withOverrides(change: DemandChange, overrides: MonthlyOverrides | undefined): DemandChange {
  if (overrides === undefined || change.kind === 'trend_change') return change;
  const within = [...overrides]
    .filter(([month]) => month >= change.month && month <= change.detectedMonth)
    .sort(([a], [b]) => a - b)
    .map(([month, override]) => `${monthInWords(month)} ${inWords(override)}`);
  if (within.length === 0) return change;
  const subject = within.length === 1 ? 'An override' : 'Overrides';
  return { ...change, message: `${change.message} ${subject} had changed the forecast of ${LIST.format(within)}.` };
}

function inWords({ kind, value }: OverrideValue): string {
  if (kind === 'absolute') return `to ${NUMBER.format(value)}`;
  return `by ${SIGNED.format(value)}${kind === 'percent' ? ' %' : ''}`;
}
