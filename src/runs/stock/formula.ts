/**
 * Version of the formulas behind stored safety stock and totals. Increment it with every change to what `adviseSafetyStock` or
 * `TotalForecast` returns for a stored forecast, or to the default targets: workers then recompute what earlier releases have stored
 * within minutes, or readers before that.
 */
export const STOCK_FORMULA = 16;
