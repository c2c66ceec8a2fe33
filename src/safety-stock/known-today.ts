import { type MonthNumber, monthInWords } from '../forecasting/index.js';

/** What is known when a recommendation is requested but was not when its run was computed. */
export interface KnownToday {
  /** Month in progress in the time zone of the workspace. */
  readonly monthInProgress: MonthNumber;
  /** Months in which the series has an override in force. */
  readonly overridden: readonly MonthNumber[];
}

/** How many months may lie between the last month of the data and the one in progress: the previous month is often not closed yet. */
const UNCLOSED = 1;

/**
 * Reasons to trust a recommendation less today: its lead time begins at the end of the series' data in the run, which may be long past; and
 * an override changes the forecast of a month, which the recommendation does not reflect.
 * @param firstMonth first month of the forecast, and thus of the lead time
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
