/** What stock is advised for where nothing else was asked. */
export const USUAL_TARGET = { leadTime: 1, serviceLevel: 0.95 };

/**
 * Number of the formula by which safety stock is stored: one more for every change of what `adviseSafetyStock` makes of a
 * stored forecast, or of the usual target. What an earlier release has stored is then computed anew when it is next read.
 */
export const STOCK_FORMULA = 5;
