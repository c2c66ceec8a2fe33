/** The value, or the bound that it lies beyond; NaN stays NaN. */
export function clamp(value: number, lowest: number, highest: number): number {
  return Math.max(lowest, Math.min(highest, value));
}
