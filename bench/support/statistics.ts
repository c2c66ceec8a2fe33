/** Slope of the line of least squares through values at 0, 1, 2 … */
export function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const spread = values.reduce((sum, _, x) => sum + (x - middle) ** 2, 0);
  return values.reduce((sum, y, x) => sum + (x - middle) * y, 0) / spread;
}

/** The middle value; the larger of two. */
export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
