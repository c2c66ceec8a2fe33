import { toDecimals } from '../numeric/decimals.js';

/** Significant digits of a forecast value in responses: more than any planner needs, and half the bytes of all digits. */
export const FORECAST_DIGITS = 7;
const MAX_DECIMALS = 15;

/** The value rounded to seven significant digits. */
export function toSignificant(value: number): number {
  const decimals = FORECAST_DIGITS - 1 - Math.floor(Math.log10(Math.abs(value)));
  return decimals >= 0 && decimals <= MAX_DECIMALS
    ? toDecimals(value, decimals)
    : Number(value.toPrecision(FORECAST_DIGITS));
}
