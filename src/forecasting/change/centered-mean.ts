/** Months of a centered year that must be observed for its mean to count. */
const MIN_OF_A_YEAR = 9;

/** Mean over months t-6 .. t+6 with half weights at the ends; NaN when too few are observed. */
export function centeredMean(values: ArrayLike<number>, t: number): number {
  let sum = 0;
  let weights = 0;
  for (let i = t - 6; i <= t + 6; i++) {
    const weight = i === t - 6 || i === t + 6 ? 0.5 : 1;
    if (!Number.isFinite(values[i]!)) continue;
    sum += weight * values[i]!;
    weights += weight;
  }
  return weights >= MIN_OF_A_YEAR ? sum / weights : NaN;
}
