/**
 * Share of demands in whole pieces from which a series is in pieces, and the others are errors of them, as where a return left
 * 1.99 of two. By chance a tenth and less of amounts in kilograms is whole. With .75, parts of which one demand in two items is
 * odd forecast the same (cuts at 24, 27 and 33 months of carparts2509), and a set in tenths has .7 % more WQL9 at one of three.
 */
const WHOLE_SHARE = 0.5;

/** Whether demand (NaN = missing) comes in pieces, a few odd months aside: most of what is not zero is a whole number. */
export function isMostlyInPieces(values: Float64Array): boolean {
  let whole = 0;
  let demands = 0;
  for (const value of values) {
    if (value === 0 || Number.isNaN(value)) continue;
    demands++;
    if (Number.isInteger(value)) whole++;
  }
  return whole >= WHOLE_SHARE * demands;
}
