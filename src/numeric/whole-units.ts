/** Whether demand comes in whole pieces only: every observed value is a whole number. Missing months (NaN) tell nothing. */
export function isInWholeUnits(values: ArrayLike<number>): boolean {
  return Array.prototype.every.call(values, (value: number) => !Number.isFinite(value) || Number.isInteger(value));
}
