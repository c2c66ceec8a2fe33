/**
 * Version of the formula behind stored safety stock. Increment it with every change to what `adviseSafetyStock` returns for a
 * stored forecast, or to the default target: what earlier releases have stored is then recomputed when it is next read.
 */
export const STOCK_FORMULA = 8;
