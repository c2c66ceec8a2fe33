/** Whether demand comes in whole pieces only: every observed value is a whole number. Missing months (NaN) tell nothing. */
export function isInWholeUnits(values: ArrayLike<number>): boolean {
  for (let i = 0; i < values.length; i++) {
    if (Number.isFinite(values[i]) && !Number.isInteger(values[i])) return false;
  }
  return true;
}
