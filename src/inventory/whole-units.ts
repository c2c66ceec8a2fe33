/** Whether a demand history comes in whole pieces only; missing months (NaN) say nothing. */
export function comesInWholeUnits(values: ArrayLike<number>): boolean {
  return Array.prototype.every.call(values, (value: number) => Number.isNaN(value) || Number.isInteger(value));
}
