/** Significant digits told of a forecast value: beyond any planner's use, and half the bytes of a reply. */
const DIGITS = 7;
/** Powers of ten that a double holds exactly. */
const POWERS = Array.from({ length: 16 }, (_, exponent) => Number(`1e${exponent}`));

/** The value to seven significant digits. */
export function toSignificant(value: number): number {
  const scale = POWERS[DIGITS - 1 - Math.floor(Math.log10(Math.abs(value)))];
  return scale === undefined ? Number(value.toPrecision(DIGITS)) : Math.round(value * scale) / scale;
}
