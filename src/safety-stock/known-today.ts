import { type MonthNumber, monthInWords } from '../forecasting/index.js';

/** What is known when a recommendation is asked for, and its run could not know. */
export interface KnownToday {
  /** Month in progress in the time zone of the workspace. */
  readonly monthInProgress: MonthNumber;
  /** Months of the series with a planner's override in force. */
  readonly overridden: readonly MonthNumber[];
}

/** Months that may lie between the last month of the data and the one in progress: the one before is often not closed yet. */
const UNCLOSED = 1;

/**
 * Why to trust a recommendation less today: its lead time begins where the run's data of the series end, which may be long over; and a
 * planner's override moves the forecast of a month, from which it is not made.
 * @param firstMonth first month of the forecast, and so of the lead time
 * @param leadTime in months, above 0; fractions allowed
 */
export function warningsOfToday(firstMonth: MonthNumber, leadTime: number, known: KnownToday): string[] {
  const { monthInProgress, overridden } = known;
  const lastMonth = firstMonth + Math.ceil(leadTime) - 1;
  const warnings: string[] = [];
  if (firstMonth < monthInProgress - UNCLOSED) {
    const until = lastMonth === firstMonth ? '' : ` to ${monthInWords(lastMonth)}`;
    warnings.push(
      `The lead time covers ${monthInWords(firstMonth)}${until}, because the run had no later data for the series; the current month is ${monthInWords(monthInProgress)}.`,
    );
  }
  const within = overridden.filter((month) => month >= firstMonth && month <= lastMonth).sort((a, b) => a - b);
  if (within.length > 0) {
    const [what, is] = within.length === 1 ? ['override', 'is'] : ['overrides', 'are'];
    warnings.push(
      `The ${what} of ${within.map(monthInWords).join(', ')} ${is} not included: safety stock is computed from the forecast itself.`,
    );
  }
  return warnings;
}
