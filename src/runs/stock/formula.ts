/**
 * Version of the formula behind stored safety stock. Increment it with every change to what `adviseSafetyStock` returns for a
 * stored forecast, or to the default targets: workers then recompute what earlier releases have stored within minutes, or readers
 * before that.
 */
export const STOCK_FORMULA = 15;
