/**
 * Version of the formula of stored safety stock. Increase it with every change to what `adviseSafetyStock` returns for a stored
 * forecast, or to the usual target: what earlier releases have stored is then computed anew when it is next read.
 */
export const STOCK_FORMULA = 8;
